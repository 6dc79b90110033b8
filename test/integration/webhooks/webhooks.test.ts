import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { webhookSecretContext } from '../../../src/webhooks/secrets.ts';
import { newSigningSecret } from '../../../src/outgoing-http/signature.ts';
import { resendEvents } from '../../../src/db/events/outbox.ts';
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  rollWebhookSecret,
} from '../../../src/db/webhooks/webhook-endpoints.ts';
import { freePort } from '../../support/ports.ts';
import { keyed, openSession, openShop, openTill } from '../payments/test-payments.ts';
import {
  deliveriesOf,
  HANG,
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
afterEach(() => stage.stop());
afterAll(() => stage.close());

const HOUR = 3_600_000;

describe('a webhook', () => {
  it('tells of a payment, signed, in order, with the session as retrieved', async () => {
    const shop = await openShop(stage.database);
    const endpoint = await stage.endpoint();
    const { id, secret } = await stage.register(endpoint.url, undefined, shop);
    stage.start();
    const sessionId = await openSession(stage.database, shop);
    await openTill(stage.database).pay(shop, sessionId, keyed('visa'));
    await untilStatuses(stage, id, ['delivered', 'delivered']);
    const events = endpoint.received.map(({ body, headers }) => new Webhook(secret).verify(body, headers));
    expect(events).toMatchObject([
      { type: 'checkout.succeeded', mode: 'test', data: { outcome: 'succeeded' } },
      { type: 'checkout.completed', data: { charge: { status: 'succeeded', amount_cents: 4_250 } } },
    ]);
    expect(events).toMatchObject([{ data: { checkout_session: { session_status: 'complete' } } }, {}]);
    const [first, second] = endpoint.received;
    expect(first?.sequence).toBeLessThan(second?.sequence ?? 0);
    expect(first?.headers['webhook-id']).toBe(first?.id);
  });

  it('goes only to endpoints that asked for its kind', async () => {
    const shop = await openShop(stage.database);
    const [all, failures] = [await stage.endpoint(), await stage.endpoint()];
    const { id } = await stage.register(all.url, ['checkout.succeeded', 'checkout.completed'], shop);
    await stage.register(failures.url, ['checkout.failed'], shop);
    stage.start();
    await openTill(stage.database).pay(shop, await openSession(stage.database, shop), keyed('visa'));
    await untilStatuses(stage, id, ['delivered', 'delivered']);
    expect(failures.received).toEqual([]);
  });

  it('is tried again 5 s after a failure, with the same bytes and a new time', async () => {
    const endpoint = await stage.endpoint((response, request, count) =>
      (count === 1 ? status(500) : OK)(response, request, count),
    );
    const { id, secret } = await stage.register(endpoint.url);
    stage.start();
    await say(stage, id);
    const failed = await untilAttempts(stage, id, 1);
    expect(failed).toMatchObject({ status: 'waiting', status_code: 500, answer: 'status 500', failure: 'status' });
    expect(failed.next_in_ms).toBeGreaterThanOrEqual(5_000);
    // The tenth that it may be late, and the attempt itself.
    expect(failed.next_in_ms).toBeLessThan(5_500 + 5_000);
    await makeDue(stage, id);
    const [row] = await untilStatuses(stage, id, ['delivered']);
    expect(row).toMatchObject({ attempts: 2, status_code: 200, answer: 'thanks', failure: null });
    const [first, second] = endpoint.received;
    expect(second?.body).toBe(first?.body);
    for (const { body, headers } of endpoint.received) new Webhook(secret).verify(body, headers);
  });

  it.each([
    ['301', status(301, { location: 'http://127.0.0.1:1/' }), { status_code: 301, failure: 'redirect' }],
    ['404', status(404), { status_code: 404, failure: 'status' }],
    ['a 200 after the limit', HANG, { status_code: null, failure: 'timeout' }],
  ])('answered with %s has failed', async (_name, answer, expected) => {
    const endpoint = await stage.endpoint(answer);
    const { id } = await stage.register(endpoint.url);
    stage.start();
    await say(stage, id);
    expect(await untilAttempts(stage, id, 1)).toMatchObject({ status: 'waiting', ...expected });
    expect(endpoint.received.length).toBe(1);
  });

  it('that nobody takes has failed', async () => {
    const { id } = await stage.register(`http://127.0.0.1:${await freePort()}/`);
    stage.start();
    await say(stage, id);
    expect(await untilAttempts(stage, id, 1)).toMatchObject({ status: 'waiting', failure: 'connection' });
  });

  it('waits as long as Retry-After says, and so does all behind it', async () => {
    const endpoint = await stage.endpoint(status(503, { 'retry-after': '3600' }));
    const { id } = await stage.register(endpoint.url);
    stage.start();
    await say(stage, id, 2);
    expect((await untilAttempts(stage, id, 1)).next_in_ms).toBeCloseTo(HOUR, -4);
    expect((await deliveriesOf(stage, id))[1]).toMatchObject({ status: 'waiting', attempts: 0 });
  });

  it('answered with 410 disables the endpoint, and nothing more goes there', async () => {
    const endpoint = await stage.endpoint(status(410));
    const { id } = await stage.register(endpoint.url);
    stage.start();
    await say(stage, id, 2);
    await untilStatuses(stage, id, ['failed', 'canceled']);
    await say(stage, id);
    const { rows } = await stage.database.query('select disabled_at from webhook_endpoints where id = $1', [id]);
    expect(rows).toEqual([{ disabled_at: expect.any(Date) }]);
    expect(endpoint.received.length).toBe(1);
    expect((await deliveriesOf(stage, id)).length).toBe(2);
  });

  it('is given up after the tenth attempt', async () => {
    const endpoint = await stage.endpoint(status(500));
    const { id } = await stage.register(endpoint.url);
    stage.start();
    await say(stage, id);
    await untilAttempts(stage, id, 1);
    await stage.database.query('update webhook_deliveries set attempts = 9 where endpoint_id = $1', [id]);
    await makeDue(stage, id);
    expect(await untilStatuses(stage, id, ['failed'])).toMatchObject([{ attempts: 10 }]);
  });

  it('keeps the first KiB of an answer, whatever is in it', async () => {
    const endpoint = await stage.endpoint((response) => response.end(`a\u0000b${'x'.repeat(1_000_000)}`));
    const { id } = await stage.register(endpoint.url);
    stage.start();
    await say(stage, id);
    const [row] = await untilStatuses(stage, id, ['delivered']);
    expect(row?.answer).toBe(`ab${'x'.repeat(1_021)}`);
  });

  it('is delivered when the status says so, though the answer never ends', async () => {
    const endpoint = await stage.endpoint((response) => response.writeHead(200).write('hello'));
    const { id } = await stage.register(endpoint.url);
    stage.start();
    await say(stage, id);
    expect(await untilStatuses(stage, id, ['delivered'])).toMatchObject([{ status_code: 200, answer: 'hello' }]);
  });

  it('bears both signatures while a secret is being rolled, then the new one alone', async () => {
    const endpoint = await stage.endpoint();
    const { id, secret } = await stage.register(endpoint.url);
    const fresh = newSigningSecret();
    await rollWebhookSecret(stage.database, id, stage.vault.seal(fresh, webhookSecretContext(id)), 3_600);
    stage.start();
    await say(stage, id);
    await untilStatuses(stage, id, ['delivered']);
    await stage.database.query('update webhook_endpoints set previous_secret_until = now() where id = $1', [id]);
    await say(stage, id);
    await untilStatuses(stage, id, ['delivered', 'delivered']);
    const [during, after] = endpoint.received;
    if (during === undefined || after === undefined) throw new Error('not received');
    new Webhook(secret).verify(during.body, during.headers);
    new Webhook(fresh).verify(during.body, during.headers);
    new Webhook(fresh).verify(after.body, after.headers);
    expect(() => new Webhook(secret).verify(after.body, after.headers)).toThrow('No matching signature');
  });

  it('goes out once more when asked for, the same to the byte', async () => {
    const endpoint = await stage.endpoint();
    const { id } = await stage.register(endpoint.url);
    stage.start();
    const [eventId] = await say(stage, id);
    await untilStatuses(stage, id, ['delivered']);
    if (eventId === undefined) throw new Error('no event');
    await resendEvents(stage.database, [eventId]);
    await expect.poll(() => endpoint.received.length, PATIENT).toBe(2);
    expect(endpoint.received[1]?.body).toBe(endpoint.received[0]?.body);
    expect(endpoint.received[1]?.id).toBe(eventId);
  });

  it('does not go to an endpoint that was disabled or deleted meanwhile', async () => {
    const [disabled, deleted] = [await stage.endpoint(status(500)), await stage.endpoint(status(500))];
    const [first, second] = [await stage.register(disabled.url), await stage.register(deleted.url)];
    stage.start();
    await say(stage, first.id);
    await say(stage, second.id);
    await Promise.all([untilAttempts(stage, first.id, 1), untilAttempts(stage, second.id, 1)]);
    await changeWebhookEndpoint(stage.database, first.id, { disabled: true });
    await deleteWebhookEndpoint(stage.database, second.id);
    await Promise.all([makeDue(stage, first.id), makeDue(stage, second.id)]);
    await untilStatuses(stage, first.id, ['canceled']);
    await untilStatuses(stage, second.id, ['canceled']);
    expect([disabled.received.length, deleted.received.length]).toEqual([1, 1]);
  });
});
