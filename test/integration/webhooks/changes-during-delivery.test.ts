/** Changes during a delivery: of its endpoint, Redis, the database, DNS, or the clock. */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { resendEvents } from '../../../src/db/events/outbox.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  rollWebhookSecret,
} from '../../../src/db/webhooks/webhook-endpoints.ts';
import type { WebhookEndpointId } from '../../../src/domain/ids.ts';
import { Connections } from '../../../src/lib/http-client/post.ts';
import { publicLookup } from '../../../src/lib/http-client/public-addresses.ts';
import { newSigningSecret } from '../../../src/lib/http-client/signature.ts';
import { relayBatch } from '../../../src/notifications/outbox/relay.ts';
import { webhookSecretContext } from '../../../src/notifications/webhooks/endpoints.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import {
  insertTestEvents,
  listDeliveries,
  makeDue,
  OK,
  POLL,
  status,
  type TestEndpoint,
  useNotificationHarness,
  waitForAttempts,
  waitForStatuses,
} from '../outbox/notification-harness.ts';

const harness = useNotificationHarness();
afterEach(() => vi.useRealTimers());

const HOUR = 3_600_000;

/** An endpoint that responds to its first request on `answer`, and to others at once. */
async function slowEndpoint() {
  let respond: () => void = () => undefined;
  const endpoint = await harness.endpoint((response, request, count) => {
    if (count === 1) respond = () => OK(response, request, count);
    else OK(response, request, count);
  });
  const answer = () => respond();
  const requested = () => expect.poll(() => endpoint.received.length, POLL).toBe(1);
  return { endpoint, requested, answer };
}

/** Makes a change during the first of three deliveries. The others are due afterwards. */
async function changeDuring(change: (id: WebhookEndpointId) => Promise<unknown>) {
  const { endpoint, requested, answer } = await slowEndpoint();
  const { id, secret } = await harness.register(endpoint.url);
  const [first] = await insertTestEvents(harness, id, 3);
  await relayBatch({ database: harness.database, docsUrl: '' });
  await harness.database.query(
    `update webhook_deliveries set enqueue_at = case when event_id = $2 then now() else 'infinity' end where endpoint_id = $1`,
    [id, first],
  );
  harness.start({ answerLimitMs: HOUR });
  await requested();
  await change(id);
  answer();
  await expect.poll(async () => (await listDeliveries(harness, id))[0]?.attempts, POLL).toBe(1);
  await makeDue(harness, id);
  return { endpoint, id, secret };
}

describe('an endpoint that changes during a delivery', () => {
  it.each<[string, (id: WebhookEndpointId) => Promise<unknown>]>([
    ['disabled', (id) => changeWebhookEndpoint(harness.database, id, { disabled: true })],
    ['deleted', (id) => deleteWebhookEndpoint(harness.database, id)],
  ])('gets nothing more if it is %s', async (_name, change) => {
    const { endpoint, id } = await changeDuring(change);
    await waitForStatuses(harness, id, ['delivered', 'canceled', 'canceled']);
    expect(endpoint.received.length).toBe(1);
  });

  it('gets an event again if that is resent during its delivery', async () => {
    const { endpoint, requested, answer } = await slowEndpoint();
    const { id } = await harness.register(endpoint.url);
    harness.start({ answerLimitMs: HOUR });
    const [event] = await insertTestEvents(harness, id);
    await requested();
    await resendEvents(harness.database, [String(event)]);
    const unrelayed = 'select 1 from events where relayed_at is null';
    await expect.poll(async () => (await harness.database.query(unrelayed)).rowCount, POLL).toBe(0);
    answer();
    await expect.poll(() => endpoint.received.map((each) => each.id), POLL).toEqual([event, event]);
    await waitForStatuses(harness, id, ['delivered']);
  });

  it('gets the rest at its new URL', async () => {
    const other = await harness.endpoint();
    const { endpoint, id } = await changeDuring((id) =>
      changeWebhookEndpoint(harness.database, id, { url: other.url }),
    );
    await waitForStatuses(harness, id, ['delivered', 'delivered', 'delivered']);
    expect([endpoint.received.length, other.received.length]).toEqual([1, 2]);
  });

  it('gets the rest signed with the new secret only, if the old one ends at once', async () => {
    const fresh = newSigningSecret();
    const { endpoint, id, secret } = await changeDuring((id) =>
      rollWebhookSecret(harness.database, id, harness.vault.seal(fresh, webhookSecretContext(id)), 0),
    );
    await waitForStatuses(harness, id, ['delivered', 'delivered', 'delivered']);
    const signed = endpoint.received.map(({ body, headers }) =>
      [secret, fresh].map((each) => {
        try {
          new Webhook(each).verify(body, headers);
          return true;
        } catch {
          return false;
        }
      }),
    );
    expect(signed).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  });
});

it('records a delivery although Redis was flushed during it, and sends the next one', async () => {
  const { endpoint, requested, answer } = await slowEndpoint();
  const { id } = await harness.register(endpoint.url);
  harness.start({ answerLimitMs: HOUR });
  await insertTestEvents(harness, id);
  await requested();
  await harness.redis.redis.flushdb();
  answer();
  await waitForStatuses(harness, id, ['delivered']);
  await insertTestEvents(harness, id);
  await waitForStatuses(harness, id, ['delivered', 'delivered']);
});

it('records a delivery once the database is back, without sending it again', async () => {
  const { endpoint, requested, answer } = await slowEndpoint();
  const { id } = await harness.register(endpoint.url);
  const proxy = await startTcpProxy();
  const databaseUrl = proxy.forwardTo(harness.db.url);
  const database = openDatabase({ url: databaseUrl, maxConnections: 4, onIdleError: () => undefined });
  try {
    const notifier = harness.start({ database, databaseUrl, answerLimitMs: HOUR });
    const [event] = await insertTestEvents(harness, id);
    await requested();
    proxy.cut();
    answer();
    await expect
      .poll(() => harness.log.lines, POLL)
      .toContain('result of a webhook attempt not recorded yet: waiting for the database');
    proxy.restore();
    await waitForStatuses(harness, id, ['delivered']);
    const [next] = await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, ['delivered', 'delivered']);
    expect(endpoint.received.map((each) => each.id)).toEqual([event, next]);
    await notifier.close();
  } finally {
    await harness.stop();
    await database.close();
    await proxy.close();
  }
});

it('checks the address of a name again for every attempt', async () => {
  const here: LookupFunction = (_host, options, callback) => lookup('127.0.0.1', { ...options }, callback as never);
  const within: LookupFunction = (_host, options, callback) => publicLookup('localhost', options, callback);
  let dns = here;
  const endpoint: TestEndpoint = await harness.endpoint(status(500, { connection: 'close' }));
  const { id } = await harness.register(endpoint.url.replace('127.0.0.1', 'hooks.example.com'));
  const connections = new Connections((host, options, callback) => dns(host, options, callback));
  harness.start({ connections, privateTargets: false });
  await insertTestEvents(harness, id);
  expect(await waitForAttempts(harness, id, 1)).toMatchObject({ failure: 'status', status_code: 500 });
  dns = within;
  endpoint.answer = OK;
  await makeDue(harness, id);
  expect(await waitForAttempts(harness, id, 2)).toMatchObject({ status: 'waiting', failure: 'forbidden_address' });
  dns = here;
  await makeDue(harness, id);
  await waitForStatuses(harness, id, ['delivered']);
  expect(endpoint.received.length).toBe(2);
});

describe.each([
  ['ahead', HOUR],
  ['behind', -HOUR],
])('with a clock that is an hour %s', (_name, ms) => {
  it.each([
    ['a failure', {}, 5_000],
    ['a failure with Retry-After', { 'retry-after': '60' }, 60_000],
  ])('retries %s by the clock of the database', async (_which, headers, delayMs) => {
    const endpoint = await harness.endpoint(status(503, headers));
    const { id } = await harness.register(endpoint.url);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    harness.start();
    await insertTestEvents(harness, id, 2);
    const failed = await waitForAttempts(harness, id, 1);
    expect(failed.next_in_ms).toBeGreaterThanOrEqual(delayMs);
    expect(failed.next_in_ms).toBeLessThan(2 * delayMs);
    endpoint.answer = OK;
    await makeDue(harness, id);
    await waitForStatuses(harness, id, ['delivered', 'delivered']);
  });
});
