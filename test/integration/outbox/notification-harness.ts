/** Fixtures for notifications: webhook endpoints with any response, test events, and the rows of deliveries and texts. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect } from 'vitest';
import { insertTestEvent } from '../../../src/db/events/event-log.ts';
import { EVENT_TYPES } from '../../../src/db/events/events.ts';
import { insertWebhookEndpoint, type SubscribedType } from '../../../src/db/webhooks/webhook-endpoints.ts';
import {
  type AccountId,
  type CheckoutSessionId,
  type EventId,
  newId,
  type WebhookEndpointId,
} from '../../../src/domain/ids.ts';
import type { Mode } from '../../../src/domain/session.ts';
import { newSigningSecret } from '../../../src/lib/http-client/signature.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { type Notifier, type NotifierDeps, startNotifier } from '../../../src/notifications/outbox/notifier.ts';
import { createLogCarrier } from '../../../src/notifications/sms/log/carrier.ts';
import { webhookSecretContext } from '../../../src/notifications/webhooks/endpoints.ts';
import { createTestDatabase } from '../../support/database.ts';
import { useFixture } from '../../support/fixtures.ts';
import { createTestRedis } from '../../support/redis.ts';
import { createTestMerchant, type TestMerchant } from '../../support/test-merchants.ts';
import { createRecordingLog } from '../payments/test-payments.ts';

interface Received {
  at: number;
  headers: Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
  body: string;
  sequence: number;
  id: string;
}

export interface TestEndpoint {
  url: string;
  received: Received[];
  /** How the endpoint responds from now on. */
  answer: (response: ServerResponse, request: Received, count: number) => void;
  close(): Promise<void>;
}

export const OK: TestEndpoint['answer'] = (response) => response.writeHead(200).end('thanks');
export const status =
  (code: number, headers: Record<string, string> = {}): TestEndpoint['answer'] =>
  (response) =>
    response.writeHead(code, headers).end(`status ${code}`);
/** Never responds. */
export const HANG: TestEndpoint['answer'] = () => undefined;

/** Starts an integrator's endpoint on a free port. */
export async function startTestEndpoint(answer: TestEndpoint['answer'] = OK): Promise<TestEndpoint> {
  const endpoint: TestEndpoint = { url: '', received: [], answer, close: () => closed(server) };
  const server = createServer((request, response) => {
    void read(request).then((received) => {
      endpoint.received.push(received);
      endpoint.answer(response, received, endpoint.received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return endpoint;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const { id, sequence } = JSON.parse(body) as { id: string; sequence: number };
  return { at: Date.now(), headers: request.headers as unknown as Received['headers'], body, id, sequence };
}

interface DeliveryRow {
  event_id: string;
  status: string;
  attempts: number;
  status_code: number | null;
  answer: string | null;
  failure: string | null;
  failure_detail: string | null;
  latency_ms: number | null;
  next_in_ms: number;
}

type NotificationHarness = Awaited<ReturnType<typeof createNotificationHarness>>;

/** A database with a merchant, a Redis, and notifiers on demand. */
async function createNotificationHarness() {
  const db = await createTestDatabase();
  const redis = await createTestRedis();
  const vault = createVault([randomBytes(32)]);
  const { database } = db;
  const merchant = await createTestMerchant(database);
  const running: Notifier[] = [];
  const endpoints: TestEndpoint[] = [];
  const log = createRecordingLog();
  return {
    db,
    redis,
    vault,
    database,
    merchant,
    log,
    start(overrides: Partial<NotifierDeps> = {}): Notifier {
      const carrier = createLogCarrier(log, true);
      const notifier = startNotifier({
        privateTargets: true,
        database,
        databaseUrl: db.directUrl,
        redisUrl: redis.url,
        vault,
        docsUrl: 'https://docs.example.com',
        log,
        // Endpoint and sender share this process, so a response that takes longer never comes.
        carrier,
        testCarrier: carrier,
        pollMs: 100,
        answerLimitMs: 60_000,
        ...overrides,
      });
      running.push(notifier);
      return notifier;
    },
    async stop(): Promise<void> {
      await Promise.all(running.splice(0).map((notifier) => notifier.close()));
    },
    async endpoint(answer?: TestEndpoint['answer']): Promise<TestEndpoint> {
      const endpoint = await startTestEndpoint(answer);
      endpoints.push(endpoint);
      return endpoint;
    },
    register: (url: string, events: readonly SubscribedType[] = EVENT_TYPES, of: TestMerchant = merchant) =>
      register(of, url, events),
    async close(): Promise<void> {
      await this.stop();
      await Promise.all(endpoints.map((endpoint) => endpoint.close()));
      await Promise.all([db.close(), redis.close()]);
    },
  };

  async function register(of: { accountId: AccountId; mode: Mode }, url: string, events: readonly SubscribedType[]) {
    const [id, secret] = [newId('WebhookEndpoint'), newSigningSecret()];
    const signingSecret = vault.seal(secret, webhookSecretContext(id));
    await insertWebhookEndpoint(database, of, { id, url, events, signingSecret }, 1_000);
    return { id, secret };
  }
}

/** Creates a harness for the file's tests. Notifiers are stopped after each test. */
export function useNotificationHarness(): NotificationHarness {
  const harness = useFixture(createNotificationHarness);
  afterEach(() => harness.stop());
  return harness;
}

/** Inserts test events for this endpoint in one transaction. @returns their IDs in order */
export async function insertTestEvents(
  { database, merchant }: NotificationHarness,
  id: WebhookEndpointId,
  count = 1,
  of: TestMerchant = merchant,
): Promise<EventId[]> {
  return database.transaction(async (sql) => {
    const ids: EventId[] = [];
    for (let index = 0; index < count; index += 1) ids.push((await insertTestEvent(sql, of, id)).id);
    return ids;
  });
}

export async function listDeliveries({ database }: NotificationHarness, id: WebhookEndpointId): Promise<DeliveryRow[]> {
  const { rows } = await database.query<DeliveryRow>(
    `select event_id, status, attempts, status_code, answer, failure, failure_detail, latency_ms,
            extract(epoch from next_attempt_at - attempted_at)::double precision * 1000 as next_in_ms
       from webhook_deliveries where endpoint_id = $1 order by sequence`,
    [id],
  );
  return rows;
}

export const POLL = { interval: 20 };

/** Waits for the endpoint's deliveries to have these statuses. */
export async function waitForStatuses(
  harness: NotificationHarness,
  id: WebhookEndpointId,
  statuses: string[],
): Promise<DeliveryRow[]> {
  await expect.poll(async () => (await listDeliveries(harness, id)).map((row) => row.status), POLL).toEqual(statuses);
  return listDeliveries(harness, id);
}

/** Waits for the attempts of the endpoint's only delivery to be this many. */
export async function waitForAttempts(
  harness: NotificationHarness,
  id: WebhookEndpointId,
  attempts: number,
): Promise<DeliveryRow> {
  await expect.poll(async () => (await listDeliveries(harness, id))[0]?.attempts, POLL).toBe(attempts);
  const [row] = await listDeliveries(harness, id);
  if (row === undefined) throw new Error('the endpoint has no delivery');
  return row;
}

/**
 * Makes the endpoint's next attempts due now, and ends its pause. First waits until their jobs are gone: jobs end after
 * their writes, and no sweep enqueues a delivery with an existing job for half a minute.
 */
export async function makeDue({ database, redis }: NotificationHarness, id: WebhookEndpointId): Promise<void> {
  await expect.poll(() => redis.redis.keys(`bull:{ringkey-webhooks}:${id}.*`), POLL).toEqual([]);
  await database.query(`update webhook_endpoints set paused_until = '-infinity' where id = $1`, [id]);
  await database.query(
    `update webhook_deliveries set next_attempt_at = now(), enqueue_at = now() where endpoint_id = $1 and status = 'waiting'`,
    [id],
  );
}

export async function listTexts({ database }: NotificationHarness, sessionId: CheckoutSessionId) {
  const { rows } = await database.query<{
    kind: string;
    status: string;
    body: string;
    recipient: string;
    attempts: number;
  }>('select kind, status, body, recipient, attempts from texts where session_id = $1 order by created_at, kind', [
    sessionId,
  ]);
  return rows;
}
