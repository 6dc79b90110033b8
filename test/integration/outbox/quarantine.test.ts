/** An event whose body or text cannot be rendered: it waits by itself, and everybody else's go on. */
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

/** A refund of a day that is none: what prints it throws. */
const spoil = (id: CheckoutSessionId) =>
  harness.database.query(
    `update events set facts = facts || '{"refund": {"created_at": "no day"}}' where session_id = $1`,
    [id],
  );
const mend = (id: CheckoutSessionId) =>
  harness.database.query(`update events set facts = facts - 'refund' where session_id = $1`, [id]);
/** `en-!!` is no language tag to Intl. */
const speak = (merchant: TestMerchant, language: string) =>
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

/** Remembers errors with their fields. */
function errorBook() {
  const errors: Record<string, unknown>[] = [];
  const quiet = () => undefined;
  return { errors, log: { info: quiet, warn: quiet, error: (fields: object) => errors.push({ ...fields }) } };
}

describe('an event whose body cannot be rendered', () => {
  it('holds up nobody, is told to the operator, and goes out when it can be', async () => {
    const [merchant, other] = [await createTestMerchant(harness.database), await createTestMerchant(harness.database)];
    const [endpoint, others] = [await harness.endpoint(), await harness.endpoint()];
    const { id } = await harness.register(endpoint.url, undefined, merchant);
    const { id: otherId } = await harness.register(others.url, undefined, other);
    const spoilt = await pay(merchant);
    await spoil(spoilt);
    const fine = [await pay(merchant), await pay(other), await pay(merchant)] as const;
    const [{ errors, log }, metrics] = [errorBook(), createMetrics()];
    harness.start({ log, metrics });
    await waitForStatuses(harness, id, Array(4).fill('delivered'));
    await waitForStatuses(harness, otherId, Array(2).fill('delivered'));
    expect(receivedIds(endpoint)).toEqual([...(await idsOf(fine[0])), ...(await idsOf(fine[2]))].sort());
    for (const sessionId of [spoilt, ...fine]) {
      await expect.poll(async () => (await listTexts(harness, sessionId))[0]?.status, POLL).toBe('sent');
    }
    const ids = await idsOf(spoilt);
    await expect.poll(() => errors.length, POLL).toBeGreaterThanOrEqual(2);
    // A slow machine may have come to the second attempt.
    const told = ids.map((eventId) => ({ eventId, part: 'body', attempt: 1, err: expect.any(Error) }));
    expect(errors.slice(0, 2)).toMatchObject(told);
    expect((await metrics.read()).text).toMatch(
      /^ringkey_events_set_aside_total\{part="body",result="waiting"\} [1-9]/m,
    );
    await mend(spoilt);
    await makeRelayDue(ids);
    await waitForStatuses(harness, id, Array(6).fill('delivered'));
    expect(receivedIds(endpoint, 4)).toEqual([...ids].sort());
    expect((await listTexts(harness, spoilt)).length).toBe(1);
  });

  it('is tried again later and later, then not until somebody asks', async () => {
    const merchant = await createTestMerchant(harness.database);
    const { id } = await harness.register((await harness.endpoint()).url, undefined, merchant);
    const spoilt = await pay(merchant);
    await spoil(spoilt);
    const ids = await idsOf(spoilt);
    const [first] = ids as [EventId];
    const delays = [5_000, 25_000, 125_000, 625_000, 3_125_000, 15_625_000, null];
    for (const [index, retryInMs] of delays.entries()) {
      await makeRelayDue(ids);
      const { quarantined } = await relay();
      expect(quarantined).toMatchObject(ids.map((eventId) => ({ eventId, attempt: index + 1, retryInMs })));
      // Not before its time, which a slow machine must not have passed.
      if (index > 0) expect((await relay()).quarantined).toEqual([]);
      const wait = await waitsMs(first);
      if (retryInMs === null) expect(wait).toBe(Number.POSITIVE_INFINITY);
      else expect(retryInMs - (wait ?? 0)).toBeLessThan(60_000);
    }
    await mend(spoilt);
    expect(await listDeliveries(harness, id)).toEqual([]);
    await resendEvents(harness.database, ids);
    expect((await relay()).quarantined).toEqual([]);
    expect((await listDeliveries(harness, id)).map((row) => row.event_id)).toEqual(ids);
  });
});

describe('an event whose text cannot be rendered', () => {
  it('goes to endpoints at once, and its text when it can be, with no webhook twice', async () => {
    const [merchant, other] = [await createTestMerchant(harness.database), await createTestMerchant(harness.database)];
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url, undefined, merchant);
    await speak(merchant, 'en-!!');
    const [spoilt, fine] = [await pay(merchant), await pay(other)];
    const { errors, log } = errorBook();
    harness.start({ log });
    await waitForStatuses(harness, id, Array(2).fill('delivered'));
    await expect.poll(async () => (await listTexts(harness, fine))[0]?.status, POLL).toBe('sent');
    expect(await listTexts(harness, spoilt)).toEqual([]);
    const ids = await idsOf(spoilt);
    const [first] = ids as [EventId];
    await expect.poll(() => errors[0], POLL).toMatchObject({ eventId: first, part: 'text', attempt: 1 });
    await speak(merchant, 'en-US');
    await makeRelayDue([first]);
    await expect.poll(async () => (await listTexts(harness, spoilt))[0]?.status, POLL).toBe('sent');
    expect(await waitsMs(first)).toBe(null);
    expect(await listDeliveries(harness, id)).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
    expect(receivedIds(endpoint)).toEqual([...ids].sort());
  });

  it('is done without it in the end', async () => {
    const merchant = await createTestMerchant(harness.database);
    await speak(merchant, 'en-!!');
    const spoilt = await pay(merchant);
    const [first] = (await idsOf(spoilt)) as [EventId];
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await makeRelayDue([first]);
      expect((await relay()).quarantined).toMatchObject([{ eventId: first, part: 'text', attempt }]);
    }
    expect(await waitsMs(first)).toBe(null);
    expect(await listTexts(harness, spoilt)).toEqual([]);
  });
});
