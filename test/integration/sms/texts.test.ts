import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resendEvents } from '../../../src/db/events/outbox.ts';
import { setChosenLanguage } from '../../../src/db/sessions/languages.ts';
import { claimText, dueTexts } from '../../../src/db/texts/texts.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { relayBatch } from '../../../src/notifications/outbox/relay.ts';
import { takeReply } from '../../../src/notifications/sms/incoming.ts';
import type { SmsCarrier } from '../../../src/notifications/sms/ports.ts';
import { createTelnyx } from '../../../src/notifications/sms/telnyx/carrier.ts';
import { createTwilio } from '../../../src/notifications/sms/twilio/carrier.ts';
import { recordLateSuccess } from '../../../src/payments/charges/late-success.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { listTexts, POLL, useNotificationHarness } from '../outbox/notification-harness.ts';
import {
  agePendingCharges,
  createTestPayments,
  keyedCard,
  listSessionEvents,
  readPaymentState,
} from '../payments/test-payments.ts';
import {
  type CarrierFault,
  type FakeCarrier,
  startFakeTelnyx,
  startFakeTwilio,
  TELNYX,
  TWILIO,
} from './fake-carriers.ts';

const harness = useNotificationHarness();
afterEach(async () => {
  await harness.stop();
  await harness.database.query('delete from text_opt_outs');
  await harness.database.query("update texts set status = 'failed' where status in ('waiting', 'sending')");
});

async function pay(card = 'visa'): Promise<CheckoutSessionId> {
  const sessionId = await createTestSession(harness.database, harness.merchant);
  await createTestPayments(harness.database).pay(harness.merchant, sessionId, keyedCard(card));
  return sessionId;
}

const statuses = async (id: CheckoutSessionId) => (await listTexts(harness, id)).map(({ status }) => status);

/** Makes all texts due that wait for a retry or a lookup. */
const makeTextsDue = () =>
  harness.database.query("update texts set next_attempt_at = now() where status in ('waiting', 'sending')");

describe('a payment', () => {
  it('gets one receipt, also if its events are resent', async () => {
    harness.start();
    const sessionId = await pay();
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['sent']);
    const [text] = await listTexts(harness, sessionId);
    expect(text).toMatchObject({ kind: 'receipt', recipient: '+15550101234', attempts: 1 });
    expect(text?.body).toMatch(
      /^Test merchant: you paid \$42\.50 with Visa ending 4242\. Order order_1\. .* UTC\. Reply STOP/,
    );
    const events = await listSessionEvents(harness.database, sessionId);
    await resendEvents(
      harness.database,
      events.map(({ id }) => id),
    );
    await expect
      .poll(async () => (await harness.database.query('select 1 from events where relayed_at is null')).rowCount, POLL)
      .toBe(0);
    expect(await statuses(sessionId)).toEqual(['sent']);
  });

  it("gets a receipt in the caller's language", async () => {
    harness.start();
    const sessionId = await createTestSession(harness.database, harness.merchant);
    await setChosenLanguage(harness.database, sessionId, 'es');
    await createTestPayments(harness.database).pay(harness.merchant, sessionId, keyedCard('visa'));
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['sent']);
    const [text] = await listTexts(harness, sessionId);
    expect(text?.body).toMatch(/^Test merchant: pago de .* con Visa terminada en 4242\./);
  });

  it('gets no text after a decline', async () => {
    const sessionId = await pay('insufficient_funds');
    while ((await relayBatch({ database: harness.database, docsUrl: '' })).more);
    expect(await listTexts(harness, sessionId)).toEqual([]);
  });

  it.each([
    ['hangs_taken', 'receipt', /^Test merchant: you paid/],
    ['hangs_not_taken', 'not_charged', /did not go through\. You were not charged/],
  ])('gets a text once its unknown outcome is settled (%s)', async (card, kind, words) => {
    harness.start();
    const sessionId = await pay(card);
    expect(await listTexts(harness, sessionId)).toEqual([]);
    await agePendingCharges(harness.database, sessionId, 3_600);
    await resolveDueCharges(createTestPayments(harness.database), new AbortController().signal);
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['sent']);
    expect(await listTexts(harness, sessionId)).toMatchObject([{ kind, body: expect.stringMatching(words) }]);
  });

  it('gets a receipt beyond the limits of texts, but not at a premium number or in another country', async () => {
    harness.start();
    const payOf = async (callerPhone: string) => {
      const sessionId = await createTestSession(harness.database, harness.merchant, { callerPhone });
      await createTestPayments(harness.database).pay(harness.merchant, sessionId, keyedCard('visa'));
      return sessionId;
    };
    const refused = [await payOf('+19005551234'), await payOf('+881612345678'), await payOf('+525511112222')];
    const paid: CheckoutSessionId[] = [];
    for (let text = 0; text < 7; text += 1) paid.push(await payOf('+15550108000'));
    for (const id of paid) await expect.poll(() => statuses(id), POLL).toEqual(['sent']);
    // Their events were relayed earlier.
    for (const id of refused) expect(await listTexts(harness, id)).toEqual([]);
  });

  it('gets one late receipt, which corrects the first text, if it turns out to be paid', async () => {
    harness.start();
    const sessionId = await pay('hangs_not_taken');
    await agePendingCharges(harness.database, sessionId, 3_600);
    await resolveDueCharges(createTestPayments(harness.database), new AbortController().signal);
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['sent']);
    const { rows } = await readPaymentState(harness.database, sessionId);
    const found = { status: 'succeeded', processorPaymentId: `late_${sessionId}` } as const;
    const [charge] = rows;
    if (charge === undefined) throw new Error('no charge');
    const deps = createTestPayments(harness.database);
    for (let look = 0; look < 2; look += 1) await recordLateSuccess(deps, charge, found);
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['sent', 'sent']);
    const [, late] = await listTexts(harness, sessionId);
    expect(late?.kind).toBe('late_receipt');
    expect(late?.body).toMatch(
      /^Test merchant: your payment of \$42\.50 for order order_1 \(.*\) was taken after all from .* Please do not pay again\./,
    );
  });

  it('gets no not-charged notice if it turns out to be paid before that is sent', async () => {
    const sessionId = await pay('hangs_not_taken');
    await agePendingCharges(harness.database, sessionId, 3_600);
    await resolveDueCharges(createTestPayments(harness.database), new AbortController().signal);
    while ((await relayBatch({ database: harness.database, docsUrl: '' })).more);
    const [text] = await listTexts(harness, sessionId);
    expect(text).toMatchObject({ kind: 'not_charged', status: 'waiting' });
    const { rows } = await readPaymentState(harness.database, sessionId);
    const found = { status: 'succeeded', processorPaymentId: `late_${sessionId}` } as const;
    for (const charge of rows) await recordLateSuccess(createTestPayments(harness.database), charge, found);
    const { rows: texts } = await harness.database.query<{ id: string }>('select id from texts where session_id = $1', [
      sessionId,
    ]);
    expect(await claimText(harness.database, texts[0]?.id ?? '', 60_000)).toMatchObject({ tooLate: 'replaced' });
  });

  it('gets no text to a number that replied STOP, until START', async () => {
    harness.start();
    await takeReply(harness.database, { from: '+15550101234', body: ' Stop. ' });
    const first = await pay();
    await expect.poll(() => statuses(first), POLL).toEqual(['opted_out']);
    await takeReply(harness.database, { from: '+15550101234', body: 'start' });
    const second = await pay();
    await expect.poll(() => statuses(second), POLL).toEqual(['sent']);
    expect(await takeReply(harness.database, { from: '+15550101234', body: 'stop by at noon?' })).toBe('other');
  });
});

const statusUrl = (textId: string) => `https://pay.example.com/reports?text=${textId}`;

describe.each([
  ['twilio', startFakeTwilio, (baseUrl: string): SmsCarrier => createTwilio({ ...TWILIO, statusUrl, baseUrl })],
  ['telnyx', startFakeTelnyx, (baseUrl: string): SmsCarrier => createTelnyx({ ...TELNYX, statusUrl, baseUrl })],
] as const)('%s', (name, open, carrierAt) => {
  let fakeCarrier: FakeCarrier;
  let carrier: SmsCarrier;
  beforeEach(async () => {
    fakeCarrier = await open();
    carrier = carrierAt(fakeCarrier.baseUrl);
  });
  afterEach(() => fakeCarrier.close());

  it('gets the URL for delivery reports', async () => {
    const sessionId = await sendThrough(null);
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['sent']);
    const [row] = (await harness.database.query('select id from texts where session_id = $1', [sessionId])).rows;
    expect(fakeCarrier.texts[0]?.reportTo).toBe(statusUrl(String(row?.id)));
  });

  async function sendThrough(fault: CarrierFault | null): Promise<CheckoutSessionId> {
    fakeCarrier.next = fault;
    harness.start({ testCarrier: carrier });
    const sessionId = await pay();
    await expect.poll(() => fakeCarrier.requests.length, POLL).toBe(1);
    return sessionId;
  }

  it('accepts a text', async () => {
    const sessionId = await sendThrough(null);
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['sent']);
    expect(fakeCarrier.texts).toMatchObject([{ to: '+15550101234', body: expect.stringContaining('$42.50') }]);
  });

  it.each([
    [429, { code: 20429, errors: [{ code: '10011' }] }],
    [401, { code: 20003, errors: [{ code: '10009' }] }],
  ])('gets the text again after a %i', async (status, json) => {
    const sessionId = await sendThrough({ type: 'answer', status, json });
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['waiting']);
    await makeTextsDue();
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['sent']);
    expect(fakeCarrier.texts.length).toBe(1);
  });

  it('does not get a text again that it refused', async () => {
    const json = { code: 21211, errors: [{ code: '40310' }] };
    const sessionId = await sendThrough({ type: 'answer', status: 400, json });
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['failed']);
  });

  it('reports a STOP, which Ringkey then remembers', async () => {
    const json = { code: 21610, errors: [{ code: '40300' }] };
    const sessionId = await sendThrough({ type: 'answer', status: 400, json });
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['opted_out']);
    const { rows } = await harness.database.query('select phone from text_opt_outs');
    expect(rows).toEqual([{ phone: '+15550101234' }]);
  });

  it.each(['take_and_reset', 'take_and_garble'] as const)(
    'does not get a text twice if its response is lost (%s)',
    async (type) => {
      const sessionId = await sendThrough({ type });
      await expect.poll(() => statuses(sessionId), POLL).toEqual(['sending']);
      await expect
        .poll(async () => {
          await makeTextsDue();
          return statuses(sessionId);
        }, POLL)
        .toEqual([name === 'twilio' ? 'sent' : 'unknown']);
      expect(fakeCarrier.texts.length).toBe(1);
    },
  );

  it('is asked about a text whose sender died, and gets it if it does not have it', async () => {
    const sessionId = await createTestSession(harness.database, harness.merchant);
    await createTestPayments(harness.database).pay(harness.merchant, sessionId, keyedCard('visa'));
    while ((await relayBatch({ database: harness.database, docsUrl: '' })).more);
    // The dead sender had claimed the text, but not sent it.
    const ids = await dueTexts(harness.database, 100);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) expect(await claimText(harness.database, id, 0)).not.toBeNull();
    await makeTextsDue();
    harness.start({ testCarrier: carrier });
    await expect.poll(() => statuses(sessionId), POLL).toEqual([name === 'twilio' ? 'sent' : 'unknown']);
    expect(fakeCarrier.texts.length).toBe(name === 'twilio' ? 1 : 0);
  });

  it('gets the text later if it is not reachable', async () => {
    await fakeCarrier.close();
    harness.start({ testCarrier: carrier });
    const sessionId = await pay();
    await expect.poll(async () => (await listTexts(harness, sessionId))[0]?.status, POLL).toBe('waiting');
  });
});

it('retries a text whose sender was suspended, instead of sending it', async () => {
  const sessionId = await pay();
  while ((await relayBatch({ database: harness.database, docsUrl: '' })).more);
  for (const id of await dueTexts(harness.database, 100)) await claimText(harness.database, id, 0);
  let [looks, sent] = [0, 0];
  const carrier: SmsCarrier = {
    name: 'slow',
    async find() {
      looks += 1;
      // As if the machine had slept for a minute.
      vi.setSystemTime(Date.now() + 60_000);
      return { status: 'not_found' };
    },
    async send() {
      sent += 1;
      return { status: 'accepted', carrierMessageId: null };
    },
  };
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    harness.start({ testCarrier: carrier });
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['waiting']);
    expect([looks, sent]).toEqual([1, 0]);
    await makeTextsDue();
    await expect.poll(() => statuses(sessionId), POLL).toEqual(['sent']);
    expect([looks, sent]).toEqual([1, 1]);
  } finally {
    vi.useRealTimers();
  }
});
