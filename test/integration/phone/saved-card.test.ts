/**
 * Saved cards by keypad, over SIP and RTP: who is offered them, what is charged, and what happens with a card that
 * cannot be charged.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertConsumer, insertInstrument } from '../../../src/db/cards/consumers.ts';
import { deleteInstrument } from '../../../src/db/cards/removals.ts';
import { saveAttestation } from '../../../src/db/screening/screen-facts.ts';
import { type CheckoutSessionId, type InstrumentId, newId, parseId } from '../../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';
import { handleOf, testCard } from '../../../src/payments/sandbox/cards.ts';
import type { Caller } from './caller-and-agent.ts';
import { PhoneHarness } from './phone-harness.ts';
import { stepsOf, timelineTexts } from './phone-records.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start();
});
afterAll(() => harness.close());
beforeEach(() => {
  harness.takesSavedCards = true;
});

const SCOPE = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
/** Asks for a confirmation, so that no test depends on how much of a sentence was spoken. */
const BOOKS = merchant('mer_demo_books');

function merchant(text: string) {
  const id = parseId('Merchant', text);
  if (id === null) throw new Error('no id of a merchant');
  return id;
}

let callers = 0;

/** A caller with saved cards, oldest first. @returns the number, and the cards' IDs in the same order */
async function callerWith(
  cards: readonly { behaves?: string; expiryYear?: number }[],
): Promise<{ phone: string; ids: InstrumentId[] }> {
  callers += 1;
  const phone = `+1555010${8_000 + callers}`;
  const consumerId = newId('Consumer');
  const name = { firstName: null, lastName: null, email: null };
  await insertConsumer(harness.db.database, SCOPE, { id: consumerId, phone, ...name });
  const ids: InstrumentId[] = [];
  for (const [place, { behaves = 'visa', expiryYear = 2049 }] of cards.entries()) {
    const id = newId('Instrument');
    await insertInstrument(harness.db.database, SCOPE, {
      id,
      consumerId,
      merchantId: BOOKS,
      processor: 'sandbox',
      processorHandle: handleOf(testCard(behaves)),
      handleSealed: false,
      fingerprint: null,
      brand: 'VISA',
      lastFour: `188${place}`,
      isDefault: false,
      expiryMonth: 12,
      expiryYear,
    });
    ids.push(id);
  }
  return { phone, ids };
}

/** A call during its greeting. */
async function greeted(callerPhone: string, merchantId = BOOKS) {
  const from = harness.said.entries.length;
  const { caller, id } = await harness.answered({ merchantId, callerPhone });
  const said = () => harness.said.entries.slice(from);
  const asked = (line: string) => harness.said.waitFor(() => said().includes(line));
  await asked('greeting');
  return { caller, id, said, asked };
}

/** A call that is asked to confirm its only saved card. */
async function choosing(callerPhone: string) {
  const call = await greeted(callerPhone);
  await call.caller.press('1');
  await call.asked('ask confirmation');
  return call;
}

/** Keys a card for the merchant that also asks for the postal code and a confirmation. */
async function payByKeypad(caller: Caller): Promise<void> {
  await caller.press('4242424242424242');
  await caller.press('0431');
  await caller.press('123');
  await caller.press('94105');
  await caller.press('1');
  expect(await caller.ended()).toBe('remote');
}

async function chargesOf(id: CheckoutSessionId) {
  const { rows } = await harness.db.database.query(
    'select status, source, instrument_id as card from charges where session_id = $1 order by created_at',
    [id],
  );
  return rows;
}

describe('a saved card', () => {
  it('is charged by keypad as a phone payment, and none of its digits are stored', async () => {
    const { phone, ids } = await callerWith([{}]);
    const { caller, id } = await choosing(phone);
    await caller.press('1');
    expect(await caller.ended()).toBe('remote');
    const call = await harness.endedCall(id);
    expect(call).toMatchObject({ outcome: 'succeeded' });
    expect(await chargesOf(id)).toEqual([{ status: 'succeeded', source: 'phone', card: ids[0] }]);
    expect(timelineTexts(call)).not.toMatch(/1880/);
  });

  it('is chosen from a list, newest first', async () => {
    const { phone, ids } = await callerWith([{}, {}, {}]);
    const { caller, id, asked } = await greeted(phone);
    await caller.press('1');
    await asked('ask saved_card');
    await caller.press('3');
    await asked('ask confirmation');
    await caller.press('1');
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
    expect(await chargesOf(id)).toEqual([{ status: 'succeeded', source: 'phone', card: ids[0] }]);
  });

  it('is charged once if 1 is pressed twice quickly, without a confirmation', async () => {
    const { caller, id } = await greeted('+15550101234', merchant('mer_demo_diner'));
    await caller.press('11');
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
    expect(await chargesOf(id)).toHaveLength(1);
  });

  it('does not affect a card that is typed ahead', async () => {
    const { phone } = await callerWith([{}]);
    const { caller, id } = await greeted(phone);
    await payByKeypad(caller);
    await harness.endedCall(id);
    expect(await chargesOf(id)).toEqual([{ status: 'succeeded', source: 'phone', card: null }]);
  });

  it('is charged even if the caller hangs up meanwhile', async () => {
    const { phone, ids } = await callerWith([{}]);
    const { caller, id } = await choosing(phone);
    const before = harness.payments.entries.length;
    const release = harness.holdPayments();
    await caller.press('1');
    await harness.payments.waitFor(() => harness.payments.entries.length > before);
    await caller.hangUp();
    // The row is closed at once, so that the session can be called again.
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'pending', charge_id: null });
    release();
    harness.beforePayment = () => Promise.resolve();
    await expect.poll(() => harness.call(id)).toMatchObject({ outcome: 'succeeded' });
    expect(await chargesOf(id)).toEqual([{ status: 'succeeded', source: 'phone', card: ids[0] }]);
  });
});

describe('a saved card that cannot be charged', () => {
  it.each<[string, (card: InstrumentId, session: CheckoutSessionId) => Promise<unknown>]>([
    ['was deleted after the menu', (card) => harness.db.database.transaction((sql) => deleteInstrument(sql, card))],
    [
      'has expired since the menu',
      (card) => harness.db.database.query('update instruments set expiry_year = 2020 where id = $1', [card]),
    ],
    [
      'is of a caller who was stepped up after the menu',
      (_card, session) => saveAttestation(harness.db.database, session, 'sandbox', { attestation: 'C' }),
    ],
  ])('because it %s is announced, and the line asks for a card', async (_why, happens) => {
    const { phone, ids } = await callerWith([{}]);
    const { caller, id, asked } = await choosing(phone);
    await happens(ids[0] as InstrumentId, id);
    await caller.press('1');
    await asked('saved_card_unusable');
    await payByKeypad(caller);
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
    expect(await chargesOf(id)).toEqual([{ status: 'succeeded', source: 'phone', card: null }]);
  });

  it('because the bank declines it is announced and counted, and the line asks for a card', async () => {
    const { phone, ids } = await callerWith([{ behaves: 'generic_decline' }]);
    const { caller, id, asked } = await choosing(phone);
    await caller.press('1');
    await asked('declined');
    await payByKeypad(caller);
    const call = await harness.endedCall(id);
    expect(call).toMatchObject({ outcome: 'succeeded' });
    expect(stepsOf(call)).toContain('declined generic_decline');
    expect(await chargesOf(id)).toEqual([
      { status: 'failed', source: 'phone', card: ids[0] },
      { status: 'succeeded', source: 'phone', card: null },
    ]);
  });
});

describe('no saved card is offered to', () => {
  it.each<[string, () => Promise<string>, (() => void)?]>([
    ['to a caller without any', async () => (await callerWith([])).phone],
    ['where it has expired', async () => (await callerWith([{ expiryYear: 2020 }])).phone],
    [
      'where saved cards are switched off',
      async () => (await callerWith([{}])).phone,
      () => {
        harness.takesSavedCards = false;
      },
    ],
    [
      'to a caller whose number was ported',
      async () => {
        const { phone } = await callerWith([{}]);
        await harness.db.database.query(
          `insert into number_lookups (account_id, mode, phone, adapter, is_answered, port_check, line_type, notes, checked_at)
           values ($1, 'test', $2, 'sandbox', true, 'ported', 'mobile', '{}', now())`,
          [DEMO_ACCOUNT, phone],
        );
        return phone;
      },
    ],
  ])('%s', async (_who, phoneOf, change) => {
    const phone = await phoneOf();
    change?.();
    const { caller, id, said, asked } = await greeted(phone);
    // If a saved card were on offer, 1 would lead to the confirmation. Otherwise it starts a number, which star
    // restarts.
    await caller.press('1*');
    await asked('ask card_number');
    await caller.hangUp();
    await harness.endedCall(id);
    expect(said()).not.toContain('ask confirmation');
    expect(await chargesOf(id)).toEqual([]);
  });
});
