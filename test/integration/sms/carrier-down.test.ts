/** The SMS carrier is down: what `send_link` and the line say, and which texts are sent when it is back. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SendLinkDeps, type SentLink, sendLink, textLinkToCaller } from '../../../src/checkout/send-link.ts';
import { findFailedLinkText } from '../../../src/db/pay-links/link-texts.ts';
import { queueCodeText } from '../../../src/db/pay-links/page-codes.ts';
import { type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { createTextNotify } from '../../../src/notifications/outbox/notify.ts';
import type { SmsCarrier } from '../../../src/notifications/sms/ports.ts';
import { sealBody } from '../../../src/notifications/sms/sealed-body.ts';
import { createTwilio } from '../../../src/notifications/sms/twilio/carrier.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { NO_TEXT_LIMITS } from '../../support/fixtures.ts';
import { createTestSession, type SessionOptions } from '../../support/test-merchants.ts';
import { POLL, useNotificationHarness } from '../outbox/notification-harness.ts';
import { createTestPayments, keyedCard } from '../payments/test-payments.ts';
import { type FakeCarrier, startFakeTwilio, TWILIO } from './fake-carriers.ts';

const harness = useNotificationHarness();
let down: FakeCarrier;
let up: FakeCarrier;
let at: FakeCarrier;
beforeEach(async () => {
  [down, up] = await Promise.all([startFakeTwilio(), startFakeTwilio()]);
  await down.close();
  at = down;
});
afterEach(async () => {
  await harness.stop();
  await up.close();
});

/** Longer than a test takes, so that texts are retried only when the test makes them due. */
const NEVER_MS = 3_600_000;

/** Twilio at an address that accepts no connections until it is back. */
const carrierAt = ({ baseUrl }: FakeCarrier) => createTwilio({ ...TWILIO, baseUrl });
const carrier: SmsCarrier = {
  name: 'twilio',
  async send(text, signal) {
    const answer = await carrierAt(at).send(text, signal);
    return answer.status === 'not_taken' ? { ...answer, retryAfterMs: NEVER_MS } : answer;
  },
  find: (text, signal) => carrierAt(at).find(text, signal),
};

const linkDeps = (): SendLinkDeps => ({
  database: harness.database,
  vault: harness.vault,
  processors: [createSandbox(harness.database)],
  hasSmsCarrier: true,
  textLimits: NO_TEXT_LIMITS,
  linkBase: () => 'https://pay.example.com',
  onTextQueued: createTextNotify(harness.database, harness.log),
});

interface QueuedLink {
  id: CheckoutSessionId;
  first: SentLink;
}

/** Sends a link while the carrier is down, and waits for the first attempt. */
async function sendWhileDown(options: SessionOptions = {}): Promise<QueuedLink> {
  harness.start({ testCarrier: carrier });
  const id = await createTestSession(harness.database, harness.merchant, options);
  const first = await sendLink(linkDeps(), harness.merchant, id);
  await triedTimes(id, 1);
  return { id, first };
}

const rowsOf = async (id: CheckoutSessionId) =>
  (
    await harness.database.query<{ status: string; attempts: number; error_code: string | null }>(
      `select status, attempts, error_code from texts where session_id = $1 and kind <> 'receipt' order by created_at`,
      [id],
    )
  ).rows;
const triedTimes = (id: CheckoutSessionId, attempts: number) =>
  expect.poll(async () => (await rowsOf(id)).at(-1), POLL).toMatchObject({ status: 'waiting', attempts });
const resultsOf = async (id: CheckoutSessionId) =>
  (await rowsOf(id)).map(({ status, error_code: code }) => (code === null ? status : `${status}: ${code}`));

/** Makes the session's texts due now. */
const makeTextsDue = (id: CheckoutSessionId) =>
  harness.database.query("update texts set next_attempt_at = now() where session_id = $1 and status = 'waiting'", [id]);
/** Makes earlier texts a minute older, so that another one is allowed. */
const passMinute = async (id: CheckoutSessionId) => {
  for (const statement of [
    `update pay_links set texted_at = (select array_agg(t - interval '61 seconds' order by t desc) from unnest(texted_at) t)
      where session_id = $1`,
    `update texts set created_at = created_at - interval '61 seconds' where session_id = $1`,
  ])
    await harness.database.query(statement, [id]);
};

test('returns the link and says that a text is queued, which is sent when the carrier is back', async () => {
  const { id, first } = await sendWhileDown();
  expect(first).toMatchObject({ isSent: true, shortUrl: expect.stringMatching(/^https:\/\/pay\.example\.com\/p\//) });
  expect(await sendLink(linkDeps(), harness.merchant, id)).toMatchObject({ isSent: false, shortUrl: first.shortUrl });
  at = up;
  await makeTextsDue(id);
  await expect.poll(() => resultsOf(id), POLL).toEqual(['sent']);
  expect(up.texts).toMatchObject([{ to: '+15550101234', body: expect.stringContaining(first.shortUrl) }]);
});

test('sends only the last of several requested texts when the carrier is back', async () => {
  const { id, first } = await sendWhileDown();
  for (let more = 0; more < 2; more += 1) {
    await passMinute(id);
    expect(await sendLink(linkDeps(), harness.merchant, id)).toMatchObject({ isSent: true });
    await triedTimes(id, 1);
  }
  at = up;
  await makeTextsDue(id);
  await expect.poll(() => resultsOf(id), POLL).toEqual(['failed: replaced', 'failed: replaced', 'sent']);
  expect(up.texts).toMatchObject([{ body: expect.stringContaining(first.shortUrl) }]);
});

test('does not send a waiting text whose session was paid in the meantime', async () => {
  const { id } = await sendWhileDown();
  await createTestPayments(harness.database).pay(harness.merchant, id, keyedCard('visa'));
  at = up;
  await makeTextsDue(id);
  await expect.poll(() => resultsOf(id), POLL).toEqual(['failed: session_closed']);
  expect(up.texts.filter(({ body }) => body.includes('/p/'))).toEqual([]);
});

test('does not send a waiting text whose order was paid by another session', async () => {
  const order = { orderId: 'order_paid_by_another', allowRepeat: false };
  const { id } = await sendWhileDown(order);
  const other = await createTestSession(harness.database, harness.merchant, order);
  await createTestPayments(harness.database).pay(harness.merchant, other, keyedCard('visa'));
  at = up;
  await makeTextsDue(id);
  await expect.poll(() => resultsOf(id), POLL).toEqual(['failed: order_paid']);
  expect(up.texts.filter(({ body }) => body.includes('/p/'))).toEqual([]);
});

test('tells the call after two attempts that the text was not sent, and promises no other', async () => {
  const { id } = await sendWhileDown();
  const scope = { id, ...harness.merchant, mode: 'test' as const };
  expect(await findFailedLinkText(harness.database, id)).toBeNull();
  expect(await textLinkToCaller(linkDeps(), scope)).toMatchObject({ result: 'sent' });
  await makeTextsDue(id);
  await triedTimes(id, 2);
  expect(await findFailedLinkText(harness.database, id)).toMatch(/^txt_/);
  expect(await textLinkToCaller(linkDeps(), scope)).toEqual({ result: 'not_sent', reason: 'unavailable' });
});

test('does not text a code that was replaced by a newer one', async () => {
  const { id } = await sendWhileDown();
  const queueCode = (digits: string) => {
    const textId = newId('Event').replace('evt_', 'txt_');
    const sealedBody = sealBody(harness.vault, textId, `${digits} is your code`);
    const text = { id: textId, recipient: '+15550101234', sealedBody, segments: 1 };
    return queueCodeText(harness.database, { sessionId: id, codeHash: Buffer.from(digits) }, text);
  };
  expect(await queueCode('111111')).toBe('queued');
  await triedTimes(id, 1);
  await harness.database.query(
    `update page_codes set texted_at = array[now() - interval '21 seconds'] where session_id = $1`,
    [id],
  );
  expect(await queueCode('222222')).toBe('queued');
  await triedTimes(id, 1);
  at = up;
  await makeTextsDue(id);
  await expect.poll(() => resultsOf(id), POLL).toEqual(['sent', 'failed: replaced', 'sent']);
  expect(up.texts.filter(({ body }) => body.includes('code'))).toMatchObject([{ body: '222222 is your code' }]);
});
