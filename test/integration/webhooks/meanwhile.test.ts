/** What happens while an endpoint is taking its time: it is changed, or lost, or something that we stand on goes away. */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WebhookEndpointId } from '../../../src/domain/ids.ts';
import { webhookSecretContext } from '../../../src/webhooks/secrets.ts';
import { publicLookup } from '../../../src/outgoing-http/public-addresses.ts';
import { Connections } from '../../../src/outgoing-http/post.ts';
import { newSigningSecret } from '../../../src/outgoing-http/signature.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { resendEvents } from '../../../src/db/events/outbox.ts';
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  rollWebhookSecret,
} from '../../../src/db/webhooks/webhook-endpoints.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import {
  deliveriesOf,
  type Endpoint,
  makeDue,
  OK,
  PATIENT,
  type Stage,
  say,
  setStage,
  status,
  untilAttempts,
  untilStatuses,
} from '../outbox/notification-harness.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterEach(async () => {
  vi.useRealTimers();
  await stage.stop();
});
afterAll(() => stage.close());

const HOUR = 3_600_000;
/** Longer than a worker goes by what it has read of an endpoint. */
const A_WHILE_MS = 250;

/** An endpoint that answers its first request when the test says so, and the others at once. */
async function slowEndpoint() {
  let letGo: () => void = () => undefined;
  const endpoint = await stage.endpoint((response, request, count) => {
    if (count === 1) letGo = () => OK(response, request, count);
    else OK(response, request, count);
  });
  const answered = () => new Promise<void>((resolve) => setTimeout(() => resolve(letGo()), A_WHILE_MS));
  const asked = () => expect.poll(() => endpoint.received.length, PATIENT).toBe(1);
  return { endpoint, asked, answered };
}

/** Three deliveries, the first of them under way. */
async function underWay(change: (id: WebhookEndpointId) => Promise<unknown>) {
  const { endpoint, asked, answered } = await slowEndpoint();
  const { id, secret } = await stage.register(endpoint.url);
  stage.start({ answerLimitMs: HOUR });
  await say(stage, id, 3);
  await asked();
  await change(id);
  await answered();
  return { endpoint, id, secret };
}

describe('an endpoint, with a delivery under way,', () => {
  it.each<[string, (id: WebhookEndpointId) => Promise<unknown>]>([
    ['disabled', (id) => changeWebhookEndpoint(stage.database, id, { disabled: true })],
    ['deleted', (id) => deleteWebhookEndpoint(stage.database, id)],
  ])('%s is sent nothing more, and the log says so', async (_name, change) => {
    const { endpoint, id } = await underWay(change);
    await untilStatuses(stage, id, ['delivered', 'canceled', 'canceled']);
    expect(endpoint.received.length).toBe(1);
  });

  it('asked to have that event once more is sent it once more, behind the rest', async () => {
    const unrelayed = 'select 1 from events where relayed_at is null';
    const { endpoint, id } = await underWay(async (id) => {
      const [first] = await deliveriesOf(stage, id);
      await resendEvents(stage.database, [String(first?.event_id)]);
      await expect.poll(async () => (await stage.database.query(unrelayed)).rowCount, PATIENT).toBe(0);
    });
    const events = (await deliveriesOf(stage, id)).map((row) => row.event_id);
    await expect.poll(() => endpoint.received.map((each) => each.id), PATIENT).toEqual([...events, events[0]]);
    await untilStatuses(stage, id, ['delivered', 'delivered', 'delivered']);
  });

  it('moved is sent the rest at its new place', async () => {
    const other = await stage.endpoint();
    const { endpoint, id } = await underWay((id) => changeWebhookEndpoint(stage.database, id, { url: other.url }));
    await untilStatuses(stage, id, ['delivered', 'delivered', 'delivered']);
    expect([endpoint.received.length, other.received.length]).toEqual([1, 2]);
  });

  it('with a new secret, and the old one dead at once, is sent the rest signed with the new one', async () => {
    const fresh = newSigningSecret();
    const { endpoint, id, secret } = await underWay((id) =>
      rollWebhookSecret(stage.database, id, stage.vault.seal(fresh, webhookSecretContext(id)), 0),
    );
    await untilStatuses(stage, id, ['delivered', 'delivered', 'delivered']);
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

  it('whose lane another worker took is not sent the rest by the first', async () => {
    const { endpoint, asked, answered } = await slowEndpoint();
    const { id } = await stage.register(endpoint.url);
    stage.start({ answerLimitMs: HOUR, pollMs: HOUR });
    const ids = await say(stage, id, 3);
    await asked();
    // It slept through its lease, as a laptop does.
    await stage.database.query('update webhook_lanes set leased_until = now() where endpoint_id = $1', [id]);
    stage.start({ answerLimitMs: HOUR });
    await untilStatuses(stage, id, ['delivered', 'delivered', 'delivered']);
    await answered();
    const [last] = await say(stage, id);
    const rows = await untilStatuses(stage, id, ['delivered', 'delivered', 'delivered', 'delivered']);
    expect(endpoint.received.map((each) => each.id)).toEqual([ids[0], ...ids, last]);
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
  });
});

it('a delivery under way is recorded though Redis forgets everything, and the next is found', async () => {
  const { endpoint, asked, answered } = await slowEndpoint();
  const { id } = await stage.register(endpoint.url);
  stage.start({ answerLimitMs: HOUR });
  await say(stage, id);
  await asked();
  await stage.redis.redis.flushdb();
  await answered();
  await untilStatuses(stage, id, ['delivered']);
  await say(stage, id);
  await untilStatuses(stage, id, ['delivered', 'delivered']);
});

it('a delivery under way is recorded when a record that went away is back, and is not sent again', async () => {
  const { endpoint, asked, answered } = await slowEndpoint();
  const { id } = await stage.register(endpoint.url);
  const proxy = await startTcpProxy();
  const databaseUrl = proxy.before(stage.db.url);
  const database = openDatabase({ url: databaseUrl, maxConnections: 4, onIdleError: () => undefined });
  try {
    const notifier = stage.start({ database, databaseUrl, answerLimitMs: HOUR });
    const [event] = await say(stage, id);
    await asked();
    proxy.cut();
    await answered();
    await expect.poll(() => stage.log.lines, PATIENT).toContain('webhook lane waits for the record');
    proxy.restore();
    await untilStatuses(stage, id, ['delivered']);
    const [next] = await say(stage, id);
    await untilStatuses(stage, id, ['delivered', 'delivered']);
    expect(endpoint.received.map((each) => each.id)).toEqual([event, next]);
    await notifier.close();
  } finally {
    await stage.stop();
    await database.close();
    await proxy.close();
  }
});

it('a name that DNS leads elsewhere after a failure is judged anew', async () => {
  const here: LookupFunction = (_host, options, callback) => lookup('127.0.0.1', { ...options }, callback as never);
  const within: LookupFunction = (_host, options, callback) => publicLookup('localhost', options, callback);
  let dns = here;
  const endpoint: Endpoint = await stage.endpoint(status(500, { connection: 'close' }));
  const { id } = await stage.register(endpoint.url.replace('127.0.0.1', 'hooks.example.com'));
  const connections = new Connections((host, options, callback) => dns(host, options, callback));
  stage.start({ connections, privateTargets: false });
  await say(stage, id);
  expect(await untilAttempts(stage, id, 1)).toMatchObject({ failure: 'status', status_code: 500 });
  dns = within;
  endpoint.answer = OK;
  await makeDue(stage, id);
  expect(await untilAttempts(stage, id, 2)).toMatchObject({ status: 'waiting', failure: 'forbidden_address' });
  dns = here;
  await makeDue(stage, id);
  await untilStatuses(stage, id, ['delivered']);
  expect(endpoint.received.length).toBe(2);
});

describe.each([
  ['ahead', HOUR],
  ['behind', -HOUR],
])('with our clock an hour %s', (_name, ms) => {
  it.each([
    ['a failure', {}, 5_000],
    ['one that names its time in seconds', { 'retry-after': '60' }, 60_000],
  ])('%s is tried again when the record says', async (_which, headers, delayMs) => {
    const endpoint = await stage.endpoint(status(503, headers));
    const { id } = await stage.register(endpoint.url);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    stage.start();
    await say(stage, id, 2);
    const failed = await untilAttempts(stage, id, 1);
    expect(failed.next_in_ms).toBeGreaterThanOrEqual(delayMs);
    expect(failed.next_in_ms).toBeLessThan(2 * delayMs);
    endpoint.answer = OK;
    await makeDue(stage, id);
    await untilStatuses(stage, id, ['delivered', 'delivered']);
  });
});
