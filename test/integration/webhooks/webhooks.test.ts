import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { resendEvents } from '../../../src/db/events/outbox.ts';
import { listAttemptsOfEvent } from '../../../src/db/webhooks/attempt-log.ts';
import { cancelDeliveries } from '../../../src/db/webhooks/deliveries.ts';
import { resendFailedDeliveries } from '../../../src/db/webhooks/resend-failed.ts';
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  rollWebhookSecret,
} from '../../../src/db/webhooks/webhook-endpoints.ts';
import type { EventId, WebhookEndpointId } from '../../../src/domain/ids.ts';
import { newSigningSecret } from '../../../src/lib/http-client/signature.ts';
import { relayBatch } from '../../../src/notifications/outbox/relay.ts';
import { webhookSecretContext } from '../../../src/notifications/webhooks/endpoints.ts';
import { freePort } from '../../support/ports.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import {
  HANG,
  insertTestEvents,
  listDeliveries,
  makeDue,
  OK,
  POLL,
  status,
  useNotificationHarness,
  waitForAttempts,
  waitForStatuses,
} from '../outbox/notification-harness.ts';
import { createTestPayments, keyedCard } from '../payments/test-payments.ts';

const harness = useNotificationHarness();

const HOUR = 3_600_000;
/** Headers of a failure that make sure that no retry happens during a test. */
const LATER = { 'retry-after': '3600' };

const lastHour = () => ({ since: new Date(Date.now() - HOUR), startingAfter: null, limit: 10 });

const resendSince = (id: WebhookEndpointId, failed: Partial<Parameters<typeof resendFailedDeliveries>[2]> = {}) =>
  harness.database.transaction((sql) => resendFailedDeliveries(sql, id, { ...lastHour(), ...failed }));

describe('a webhook', () => {
  it('reports a payment with the session, signed and with a sequence', async () => {
    const merchant = await createTestMerchant(harness.database);
    const endpoint = await harness.endpoint();
    const { id, secret } = await harness.register(endpoint.url, undefined, merchant);
    harness.start();
    const sessionId = await createTestSession(harness.database, merchant);
    await createTestPayments(harness.database).pay(merchant, sessionId, keyedCard('visa'));
    await waitForStatuses(harness, id, ['delivered', 'delivered']);
    const received = [...endpoint.received].sort((a, b) => a.sequence - b.sequence);
    const events = received.map(({ body, headers }) => new Webhook(secret).verify(body, headers));
    expect(events).toMatchObject([
      { type: 'checkout.succeeded', mode: 'test', data: { outcome: 'succeeded' } },
      { type: 'checkout.completed', data: { charge: { status: 'succeeded', amount_cents: 4_250 } } },
    ]);
    expect(events).toMatchObject([{ data: { checkout_session: { session_status: 'complete' } } }, {}]);
    const [first, second] = received;
    expect(first?.sequence).toBeLessThan(second?.sequence ?? 0);
    expect(first?.headers['webhook-id']).toBe(first?.id);
  });

  it('is sent only to endpoints that are subscribed to its type', async () => {
    const merchant = await createTestMerchant(harness.database);
    const [all, failures] = [await harness.endpoint(), await harness.endpoint()];
    const { id } = await harness.register(all.url, ['checkout.succeeded', 'checkout.completed'], merchant);
    await harness.register(failures.url, ['checkout.failed'], merchant);
    harness.start();
    await createTestPayments(harness.database).pay(
      merchant,
      await createTestSession(harness.database, merchant),
      keyedCard('visa'),
    );
    await waitForStatuses(harness, id, ['delivered', 'delivered']);
    expect(failures.received).toEqual([]);
  });

  it('is retried 5 s after a failure, with the same bytes and a new time', async () => {
    const endpoint = await harness.endpoint((response, request, count) =>
      (count === 1 ? status(500) : OK)(response, request, count),
    );
    const { id, secret } = await harness.register(endpoint.url);
    harness.start();
    await insertTestEvents(harness, id);
    const failed = await waitForAttempts(harness, id, 1);
    expect(failed).toMatchObject({ status: 'waiting', status_code: 500, answer: 'status 500', failure: 'status' });
    expect(failed.next_in_ms).toBeGreaterThanOrEqual(5_000);
    // Up to a tenth later, plus the time of the attempt.
    expect(failed.next_in_ms).toBeLessThan(5_500 + 5_000);
    await makeDue(harness, id);
    const [row] = await waitForStatuses(harness, id, ['delivered']);
    expect(row).toMatchObject({ attempts: 2, status_code: 200, answer: 'thanks', failure: null });
    const [first, second] = endpoint.received;
    expect(second?.body).toBe(first?.body);
    for (const { body, headers } of endpoint.received) new Webhook(secret).verify(body, headers);
  });

  it('is sent again after it has failed, if it failed since the given time', async () => {
    const endpoint = await harness.endpoint((response, request, count) =>
      (count === 1 ? status(500, LATER) : OK)(response, request, count),
    );
    const { id } = await harness.register(endpoint.url);
    harness.start();
    await insertTestEvents(harness, id);
    await waitForAttempts(harness, id, 1);
    await harness.database.query(`update webhook_deliveries set status = 'failed' where endpoint_id = $1`, [id]);
    const resend = (since: number) => resendSince(id, { since: new Date(since) });
    expect(await resend(Date.now() + HOUR)).toEqual({ resent: 0, hasMore: false, lastEventId: null });
    expect(await resend(Date.now() - HOUR)).toMatchObject({ resent: 1, hasMore: false });
    await waitForStatuses(harness, id, ['delivered']);
    expect(await resend(Date.now() - HOUR)).toMatchObject({ resent: 0 });
    expect(endpoint.received[1]?.body).toBe(endpoint.received[0]?.body);
  });

  it('is sent again once, although all fail again before the next ones are sent again', async () => {
    const endpoint = await harness.endpoint(status(500, LATER));
    const { id } = await harness.register(endpoint.url);
    const events = await insertTestEvents(harness, id, 5);
    await relayBatch({ database: harness.database, docsUrl: '' });
    const failAll = () =>
      harness.database.query(
        `update webhook_deliveries set status = 'failed', attempts = 1, attempted_at = now() where endpoint_id = $1`,
        [id],
      );
    const resentTo = async (startingAfter: string | null) => {
      await failAll();
      return resendSince(id, { startingAfter, limit: 2 });
    };
    const waiting = async () => {
      const rows = await harness.database.query<{ id: string }>(
        `select event_id as id from webhook_deliveries where endpoint_id = $1 and status = 'waiting' order by sequence`,
        [id],
      );
      return rows.rows.map((row) => row.id);
    };
    expect(await resentTo(null)).toEqual({ resent: 2, hasMore: true, lastEventId: events[1] });
    expect(await waiting()).toEqual(events.slice(0, 2));
    expect(await resentTo(events[1] ?? '')).toEqual({ resent: 2, hasMore: true, lastEventId: events[3] });
    expect(await waiting()).toEqual(events.slice(2, 4));
    expect(await resentTo(events[3] ?? '')).toEqual({ resent: 1, hasMore: false, lastEventId: events[4] });
    expect(await resentTo(events[4] ?? '')).toEqual({ resent: 0, hasMore: false, lastEventId: null });
    expect(await resendSince(id, { startingAfter: 'evt_of_another_endpoint' })).toBeNull();
  });

  it('is sent again at once on request while it waits for a retry', async () => {
    const endpoint = await harness.endpoint((response, request, count) =>
      (count === 1 ? status(500, LATER) : OK)(response, request, count),
    );
    const { id } = await harness.register(endpoint.url);
    harness.start();
    await insertTestEvents(harness, id);
    await waitForAttempts(harness, id, 1);
    await harness.database.query(
      `update webhook_endpoints set failures = 9, paused_until = now() + interval '1 day' where id = $1`,
      [id],
    );
    expect(await resendSince(id)).toMatchObject({ resent: 1 });
    expect(await waitForStatuses(harness, id, ['delivered'])).toMatchObject([{ attempts: 1 }]);
  });

  it('is canceled by disabling its endpoint, although it is sent again at the same time', async () => {
    const { database } = harness;
    const { id } = await harness.register((await harness.endpoint(status(500, LATER))).url);
    harness.start();
    await insertTestEvents(harness, id);
    await waitForAttempts(harness, id, 1);
    await harness.stop();
    const resend = () =>
      database.transaction(async (sql) => {
        await sql.query('set local lock_timeout = 0');
        return resendFailedDeliveries(sql, id, lastHour());
      });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const resent = await database.transaction(async (sql) => {
      await sql.query('set local idle_in_transaction_session_timeout = 0');
      await sql.query('update webhook_endpoints set disabled_at = now() where id = $1', [id]);
      const sent = resend();
      await expect.poll(async () => (await database.query(waiting)).rowCount, POLL).toBe(1);
      await cancelDeliveries(sql, id);
      return { sent };
    });
    expect(await resent.sent).toMatchObject({ resent: 0 });
    expect(await listDeliveries(harness, id)).toMatchObject([{ status: 'canceled' }]);
  });

  it('logs each attempt with its answer and the headers that signed it', async () => {
    const endpoint = await harness.endpoint((response, request, count) =>
      (count === 1 ? status(500) : OK)(response, request, count),
    );
    const { id } = await harness.register(endpoint.url);
    harness.start();
    const [eventId = 'none'] = await insertTestEvents(harness, id);
    await waitForAttempts(harness, id, 1);
    await makeDue(harness, id);
    await waitForStatuses(harness, id, ['delivered']);
    const attempts = await listAttemptsOfEvent(harness.database, eventId as EventId, 10);
    expect(attempts).toMatchObject([
      { endpointId: id, attempt: 2, statusCode: 200, answer: 'thanks', failure: null },
      { endpointId: id, attempt: 1, statusCode: 500, answer: 'status 500', failure: 'status' },
    ]);
    const received = endpoint.received.map(({ headers }) => headers['webhook-signature']);
    expect(attempts.map(({ signature }) => signature)).toEqual(received.toReversed());
  });

  it.each([
    ['301', status(301, { location: 'http://127.0.0.1:1/' }), { status_code: 301, failure: 'redirect' }],
    ['404', status(404), { status_code: 404, failure: 'status' }],
    ['a 200 after the limit', HANG, { status_code: null, failure: 'timeout' }],
  ])('counts as failed after the response %s', async (_name, answer, expected) => {
    const endpoint = await harness.endpoint(answer);
    const { id } = await harness.register(endpoint.url);
    harness.start(answer === HANG ? { answerLimitMs: 500 } : {});
    await insertTestEvents(harness, id);
    expect(await waitForAttempts(harness, id, 1)).toMatchObject({ status: 'waiting', ...expected });
    expect(endpoint.received.length).toBe(1);
  });

  it('counts as failed if the endpoint cannot be reached', async () => {
    const { id } = await harness.register(`http://127.0.0.1:${await freePort()}/`);
    harness.start();
    await insertTestEvents(harness, id);
    const expected = { failure: 'connection', failure_detail: 'connection_refused' };
    expect(await waitForAttempts(harness, id, 1)).toMatchObject({ status: 'waiting', ...expected });
  });

  it('records the cause if the endpoint speaks no TLS', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url.replace('http:', 'https:'));
    harness.start();
    const [eventId] = await insertTestEvents(harness, id);
    expect(await waitForAttempts(harness, id, 1)).toMatchObject({ failure: 'connection', failure_detail: 'tls_error' });
    const logged = await listAttemptsOfEvent(harness.database, eventId as EventId, 10);
    expect(logged).toMatchObject([{ failure: 'connection', failureDetail: 'tls_error' }]);
  });

  it('is retried after Retry-After', async () => {
    const endpoint = await harness.endpoint(status(503, { 'retry-after': '3600' }));
    const { id } = await harness.register(endpoint.url);
    harness.start();
    await insertTestEvents(harness, id);
    expect((await waitForAttempts(harness, id, 1)).next_in_ms).toBeCloseTo(HOUR, -4);
  });

  it('disables the endpoint after a 410, which then gets nothing more', async () => {
    const endpoint = await harness.endpoint((response, request, count) =>
      // The first event is not retried in the meantime.
      (count === 1 ? status(500, LATER) : status(410))(response, request, count),
    );
    const { id } = await harness.register(endpoint.url);
    harness.start();
    await insertTestEvents(harness, id);
    await waitForAttempts(harness, id, 1);
    await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, ['canceled', 'failed']);
    await insertTestEvents(harness, id);
    const { rows } = await harness.database.query('select disabled_at from webhook_endpoints where id = $1', [id]);
    expect(rows).toEqual([{ disabled_at: expect.any(Date) }]);
    const audited = 'select action, actor_kind, changes from audit_events where object_id = $1';
    await expect
      .poll(async () => (await harness.database.query(audited, [id])).rows, POLL)
      .toEqual([
        {
          action: 'webhook_endpoint.changed',
          actor_kind: 'system',
          changes: { disabled: { from: false, to: true }, answered: 410 },
        },
      ]);
    const unrelayed = 'select 1 from events where relayed_at is null';
    await expect.poll(async () => (await harness.database.query(unrelayed)).rowCount, POLL).toBe(0);
    expect((await listDeliveries(harness, id)).length).toBe(2);
    expect(endpoint.received.length).toBe(2);
  });

  it('is given up after the tenth attempt', async () => {
    const endpoint = await harness.endpoint(status(500));
    const { id } = await harness.register(endpoint.url);
    harness.start();
    await insertTestEvents(harness, id);
    await waitForAttempts(harness, id, 1);
    await harness.database.query('update webhook_deliveries set attempts = 9 where endpoint_id = $1', [id]);
    await makeDue(harness, id);
    expect(await waitForStatuses(harness, id, ['failed'])).toMatchObject([{ attempts: 10 }]);
  });

  it('keeps the first KiB of any response', async () => {
    const endpoint = await harness.endpoint((response) => response.end(`a\u0000b${'x'.repeat(1_000_000)}`));
    const { id } = await harness.register(endpoint.url);
    harness.start();
    await insertTestEvents(harness, id);
    const [row] = await waitForStatuses(harness, id, ['delivered']);
    expect(row?.answer).toBe(`ab${'x'.repeat(1_021)}`);
  });

  it('counts as delivered by the status, although the response never ends', async () => {
    const endpoint = await harness.endpoint((response) => response.writeHead(200).write('hello'));
    const { id } = await harness.register(endpoint.url);
    harness.start();
    await insertTestEvents(harness, id);
    expect(await waitForStatuses(harness, id, ['delivered'])).toMatchObject([{ status_code: 200, answer: 'hello' }]);
  });

  it('has both signatures while a rolled secret is valid, then only the new one', async () => {
    const endpoint = await harness.endpoint();
    const { id, secret } = await harness.register(endpoint.url);
    const fresh = newSigningSecret();
    await rollWebhookSecret(harness.database, id, harness.vault.seal(fresh, webhookSecretContext(id)), 3_600);
    harness.start();
    await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, ['delivered']);
    await harness.database.query('update webhook_endpoints set previous_secret_until = now() where id = $1', [id]);
    await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, ['delivered', 'delivered']);
    const [during, after] = endpoint.received;
    if (during === undefined || after === undefined) throw new Error('not received');
    new Webhook(secret).verify(during.body, during.headers);
    new Webhook(fresh).verify(during.body, during.headers);
    new Webhook(fresh).verify(after.body, after.headers);
    expect(() => new Webhook(secret).verify(after.body, after.headers)).toThrow('No matching signature');
  });

  it('is resent on request with the same bytes', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    harness.start();
    const [eventId] = await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, ['delivered']);
    if (eventId === undefined) throw new Error('no event');
    await resendEvents(harness.database, [eventId]);
    await expect.poll(() => endpoint.received.length, POLL).toBe(2);
    expect(endpoint.received[1]?.body).toBe(endpoint.received[0]?.body);
    expect(endpoint.received[1]?.id).toBe(eventId);
  });

  it('is not sent to an endpoint that was disabled or deleted in the meantime', async () => {
    const failing = status(500, LATER);
    const [disabled, deleted] = [await harness.endpoint(failing), await harness.endpoint(failing)];
    const [first, second] = [await harness.register(disabled.url), await harness.register(deleted.url)];
    harness.start();
    await insertTestEvents(harness, first.id);
    await insertTestEvents(harness, second.id);
    await Promise.all([waitForAttempts(harness, first.id, 1), waitForAttempts(harness, second.id, 1)]);
    await changeWebhookEndpoint(harness.database, first.id, { disabled: true });
    await deleteWebhookEndpoint(harness.database, second.id);
    await Promise.all([makeDue(harness, first.id), makeDue(harness, second.id)]);
    await waitForStatuses(harness, first.id, ['canceled']);
    await waitForStatuses(harness, second.id, ['canceled']);
    expect([disabled.received.length, deleted.received.length]).toEqual([1, 1]);
  });
});
