/** An event whose body or text cannot be rendered is quarantined, and delays no other event. */
import { describe, expect, it } from 'vitest';
import { resendEvents } from '../../../src/db/events/outbox.ts';
import type { CheckoutSessionId, EventId } from '../../../src/domain/ids.ts';
import { createMetrics } from '../../../src/lib/observability/metrics.ts';
import { relayBatch } from '../../../src/notifications/outbox/relay.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { createTestPayments, keyedCard, listSessionEvents } from '../payments/test-payments.ts';
import {
  listDeliveries,
  listTexts,
  POLL,
  type TestEndpoint,
  useNotificationHarness,
  waitForStatuses,
} from './notification-harness.ts';

const harness = useNotificationHarness();

async function pay(merchant: TestMerchant): Promise<CheckoutSessionId> {
  const sessionId = await createTestSession(harness.database, merchant);
  await createTestPayments(harness.database).pay(merchant, sessionId, keyedCard('visa'));
  return sessionId;
}

/** Adds a refund with an invalid date, so that rendering throws. */
const corrupt = (id: CheckoutSessionId) =>
  harness.database.query(
    `update events set facts = facts || '{"refund": {"created_at": "no day"}}' where session_id = $1`,
    [id],
  );
const repair = (id: CheckoutSessionId) =>
  harness.database.query(`update events set facts = facts - 'refund' where session_id = $1`, [id]);
/** `Intl` rejects `en-!!`, so rendering a text throws. */
const setLanguage = (merchant: TestMerchant, language: string) =>
  harness.database.query('update merchants set language = $2 where id = $1', [merchant.merchantId, language]);
const makeRelayDue = (ids: readonly EventId[]) =>
  harness.database.query('update events set relay_after = now() where id = any($1)', [ids]);

const idsOf = async (id: CheckoutSessionId) => (await listSessionEvents(harness.database, id)).map((event) => event.id);
const relay = () => relayBatch({ database: harness.database, docsUrl: '' });

async function waitsMs(id: EventId): Promise<number | null> {
  const { rows } = await harness.database.query<{ ms: number; relayed: boolean }>(
    `select (extract(epoch from relay_after) - extract(epoch from now()))::double precision * 1000 as ms, relayed_at is not null as relayed
       from events where id = $1`,
    [id],
  );
  return rows[0] === undefined || rows[0].relayed ? null : rows[0].ms;
}

const receivedIds = ({ received }: TestEndpoint, from = 0) =>
  received
    .slice(from)
    .map((event) => event.id)
    .sort();

/** A log that keeps errors with their fields. */
function errorLog() {
  const errors: Record<string, unknown>[] = [];
  const quiet = () => undefined;
  return { errors, log: { info: quiet, warn: quiet, error: (fields: object) => errors.push({ ...fields }) } };
}

describe('an event whose body cannot be rendered', () => {
  it('delays no other event, is logged as an error, and is delivered once it can be rendered', async () => {
    const [merchant, other] = [await createTestMerchant(harness.database), await createTestMerchant(harness.database)];
    const [endpoint, others] = [await harness.endpoint(), await harness.endpoint()];
    const { id } = await harness.register(endpoint.url, undefined, merchant);
    const { id: otherId } = await harness.register(others.url, undefined, other);
    const corrupted = await pay(merchant);
    await corrupt(corrupted);
    const fine = [await pay(merchant), await pay(other), await pay(merchant)] as const;
    const [{ errors, log }, metrics] = [errorLog(), createMetrics()];
    harness.start({ log, metrics });
    await waitForStatuses(harness, id, Array(4).fill('delivered'));
    await waitForStatuses(harness, otherId, Array(2).fill('delivered'));
    expect(receivedIds(endpoint)).toEqual([...(await idsOf(fine[0])), ...(await idsOf(fine[2]))].sort());
    for (const sessionId of [corrupted, ...fine]) {
      await expect.poll(async () => (await listTexts(harness, sessionId))[0]?.status, POLL).toBe('sent');
    }
    const ids = await idsOf(corrupted);
    await expect.poll(() => errors.length, POLL).toBeGreaterThanOrEqual(2);
    // A slow machine may already have made the second attempt.
    const expected = ids.map((eventId) => ({ eventId, part: 'body', attempt: 1, err: expect.any(Error) }));
    expect(errors.slice(0, 2)).toMatchObject(expected);
    expect((await metrics.read()).text).toMatch(
      /^ringkey_events_set_aside_total\{part="body",result="waiting"\} [1-9]/m,
    );
    await repair(corrupted);
    await makeRelayDue(ids);
    await waitForStatuses(harness, id, Array(6).fill('delivered'));
    expect(receivedIds(endpoint, 4)).toEqual([...ids].sort());
    expect((await listTexts(harness, corrupted)).length).toBe(1);
  });

  it('is retried with growing delays, then only on request', async () => {
    const merchant = await createTestMerchant(harness.database);
    const { id } = await harness.register((await harness.endpoint()).url, undefined, merchant);
    const corrupted = await pay(merchant);
    await corrupt(corrupted);
    const ids = await idsOf(corrupted);
    const [first] = ids as [EventId];
    const delays = [5_000, 25_000, 125_000, 625_000, 3_125_000, 15_625_000, null];
    for (const [index, retryInMs] of delays.entries()) {
      await makeRelayDue(ids);
      const { quarantined } = await relay();
      expect(quarantined).toMatchObject(ids.map((eventId) => ({ eventId, attempt: index + 1, retryInMs })));
      // Not before its delay, which is long enough for slow machines.
      if (index > 0) expect((await relay()).quarantined).toEqual([]);
      const wait = await waitsMs(first);
      if (retryInMs === null) expect(wait).toBe(Number.POSITIVE_INFINITY);
      else expect(retryInMs - (wait ?? 0)).toBeLessThan(60_000);
    }
    await repair(corrupted);
    expect(await listDeliveries(harness, id)).toEqual([]);
    await resendEvents(harness.database, ids);
    expect((await relay()).quarantined).toEqual([]);
    expect((await listDeliveries(harness, id)).map((row) => row.event_id)).toEqual(ids);
  });
});

describe('an event whose text cannot be rendered', () => {
  it('is delivered to endpoints at once, and texted once it can be rendered', async () => {
    const [merchant, other] = [await createTestMerchant(harness.database), await createTestMerchant(harness.database)];
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url, undefined, merchant);
    await setLanguage(merchant, 'en-!!');
    const [corrupted, fine] = [await pay(merchant), await pay(other)];
    const { errors, log } = errorLog();
    harness.start({ log });
    await waitForStatuses(harness, id, Array(2).fill('delivered'));
    await expect.poll(async () => (await listTexts(harness, fine))[0]?.status, POLL).toBe('sent');
    expect(await listTexts(harness, corrupted)).toEqual([]);
    const ids = await idsOf(corrupted);
    const [first] = ids as [EventId];
    await expect.poll(() => errors[0], POLL).toMatchObject({ eventId: first, part: 'text', attempt: 1 });
    await setLanguage(merchant, 'en-US');
    await makeRelayDue([first]);
    await expect.poll(async () => (await listTexts(harness, corrupted))[0]?.status, POLL).toBe('sent');
    expect(await waitsMs(first)).toBe(null);
    expect(await listDeliveries(harness, id)).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
    expect(receivedIds(endpoint)).toEqual([...ids].sort());
  });

  it('is given up without a text in the end', async () => {
    const merchant = await createTestMerchant(harness.database);
    await setLanguage(merchant, 'en-!!');
    const corrupted = await pay(merchant);
    const [first] = (await idsOf(corrupted)) as [EventId];
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await makeRelayDue([first]);
      expect((await relay()).quarantined).toMatchObject([{ eventId: first, part: 'text', attempt }]);
    }
    expect(await waitsMs(first)).toBe(null);
    expect(await listTexts(harness, corrupted)).toEqual([]);
  });
});
