/** The SMS carrier is down: what `send_link` and the line may say, and what the caller gets when it is back. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SendLinkDeps, type SentLink, sendLink, textLinkToCaller } from '../../../src/checkout/send-link.ts';
import { findFailedLinkText } from '../../../src/db/pay-links/link-texts.ts';
import { queueCodeText } from '../../../src/db/pay-links/page-codes.ts';
import { type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { createTextNotify } from '../../../src/notifications/outbox/notify.ts';
import type { SmsCarrier } from '../../../src/notifications/sms/ports.ts';
import { sealBody } from '../../../src/notifications/sms/sealed-body.ts';
import { createTwilio } from '../../../src/notifications/sms/twilio/carrier.ts';
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

/** Longer than a test takes: a text is tried again when the test says so. */
const NEVER_MS = 3_600_000;

/** Twilio, where nobody listens until it is back. */
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
  hasSmsCarrier: true,
  textLimits: NO_TEXT_LIMITS,
  linkBase: () => 'https://pay.example.com',
  onTextQueued: createTextNotify(harness.database, harness.log),
});

interface Asked {
  id: CheckoutSessionId;
  first: SentLink;
}

/** A link was asked for, and the carrier was not there. */
async function askWhileDown(options: SessionOptions = {}): Promise<Asked> {
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
const fatesOf = async (id: CheckoutSessionId) =>
  (await rowsOf(id)).map(({ status, error_code: code }) => (code === null ? status : `${status}: ${code}`));

/** Lets time pass until the texts are tried again. */
const tryAgain = (id: CheckoutSessionId) =>
  harness.database.query("update texts set next_attempt_at = now() where session_id = $1 and status = 'waiting'", [id]);
/** Lets a minute pass for who asks for another text. */
const waitMinute = async (id: CheckoutSessionId) => {
  for (const statement of [
    `update pay_links set texted_at = (select array_agg(t - interval '61 seconds' order by t desc) from unnest(texted_at) t)
      where session_id = $1`,
    `update texts set created_at = created_at - interval '61 seconds' where session_id = $1`,
  ])
    await harness.database.query(statement, [id]);
};

test('the answer has the link and says that a text is queued, which leaves when the carrier is back', async () => {
  const { id, first } = await askWhileDown();
  expect(first).toMatchObject({ isSent: true, shortUrl: expect.stringMatching(/^https:\/\/pay\.example\.com\/p\//) });
  expect(await sendLink(linkDeps(), harness.merchant, id)).toMatchObject({ isSent: false, shortUrl: first.shortUrl });
  at = up;
  await tryAgain(id);
  await expect.poll(() => fatesOf(id), POLL).toEqual(['sent']);
  expect(up.texts).toMatchObject([{ to: '+15550101234', body: expect.stringContaining(first.shortUrl) }]);
});

test('who asks again each minute has one text when the carrier is back, the last', async () => {
  const { id, first } = await askWhileDown();
  for (let more = 0; more < 2; more += 1) {
    await waitMinute(id);
    expect(await sendLink(linkDeps(), harness.merchant, id)).toMatchObject({ isSent: true });
    await triedTimes(id, 1);
  }
  at = up;
  await tryAgain(id);
  await expect.poll(() => fatesOf(id), POLL).toEqual(['failed: replaced', 'failed: replaced', 'sent']);
  expect(up.texts).toMatchObject([{ body: expect.stringContaining(first.shortUrl) }]);
});

test('a text that waits is not sent any more when its session was paid meanwhile', async () => {
  const { id } = await askWhileDown();
  await createTestPayments(harness.database).pay(harness.merchant, id, keyedCard('visa'));
  at = up;
  await tryAgain(id);
  await expect.poll(() => fatesOf(id), POLL).toEqual(['failed: session_closed']);
  expect(up.texts.filter(({ body }) => body.includes('/p/'))).toEqual([]);
});

test('nor when another session has paid its order', async () => {
  const order = { orderId: 'order_paid_by_another', allowRepeat: false };
  const { id } = await askWhileDown(order);
  const other = await createTestSession(harness.database, harness.merchant, order);
  await createTestPayments(harness.database).pay(harness.merchant, other, keyedCard('visa'));
  at = up;
  await tryAgain(id);
  await expect.poll(() => fatesOf(id), POLL).toEqual(['failed: order_paid']);
  expect(up.texts.filter(({ body }) => body.includes('/p/'))).toEqual([]);
});

test('a call hears after two tries that the text has not gone out, and is not told again that it has', async () => {
  const { id } = await askWhileDown();
  const scope = { id, ...harness.merchant, mode: 'test' as const };
  expect(await findFailedLinkText(harness.database, id)).toBeNull();
  expect(await textLinkToCaller(linkDeps(), scope)).toMatchObject({ result: 'sent' });
  await tryAgain(id);
  await triedTimes(id, 2);
  expect(await findFailedLinkText(harness.database, id)).toMatch(/^txt_/);
  expect(await textLinkToCaller(linkDeps(), scope)).toEqual({ result: 'not_sent', reason: 'unavailable' });
});

test('a code that another one has replaced is not texted any more', async () => {
  const { id } = await askWhileDown();
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
  await tryAgain(id);
  await expect.poll(() => fatesOf(id), POLL).toEqual(['sent', 'failed: replaced', 'sent']);
  expect(up.texts.filter(({ body }) => body.includes('code'))).toMatchObject([{ body: '222222 is your code' }]);
});
