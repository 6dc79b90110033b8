/** The question whether to save the card, over SIP and RTP: when it is asked, and what a yes stores. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewSession } from '../../../src/db/sessions/sessions.ts';
import { type CheckoutSessionId, parseId } from '../../../src/domain/ids.ts';
import { PhoneHarness } from './phone-harness.ts';
import { timelineTexts } from './phone-records.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start();
});
afterAll(() => harness.close());

const MARKET = parseId('Merchant', 'mer_demo_market');

/** A call whose caller has keyed the card, to the merchant that asks; `asked` waits for that question. */
async function keyed(callerPhone: string | null, overrides: Partial<NewSession> = {}) {
  const from = harness.said.entries.length;
  const { caller, id } = await harness.answered({ merchantId: MARKET, callerPhone, ...overrides });
  await harness.keyCard(caller);
  const said = () => harness.said.entries.slice(from);
  const asked = () => harness.said.waitFor(() => said().includes('ask keep_card'));
  return { id, caller, said, asked };
}

async function savedCards(id: CheckoutSessionId) {
  const { rows } = await harness.db.database.query(
    `select k.*, i.brand, i.last_four, i.expiry_month, i.expiry_year, c.phone
       from charges ch
       join card_consents k on k.charge_id = ch.id
       left join instruments i on i.id = k.instrument_id
       left join consumers c on c.id = k.consumer_id
      where ch.session_id = $1`,
    [id],
  );
  return rows;
}

it('a yes saves the card for the caller, with the call and the words of the question', async () => {
  const { id, caller, asked } = await keyed('+15550102001');
  await asked();
  await caller.press('1');
  expect(await caller.ended()).toBe('remote');
  const call = await harness.endedCall(id);
  expect(call).toMatchObject({ outcome: 'succeeded' });
  const { rows } = await harness.db.database.query('select id from calls where session_id = $1', [id]);
  expect(await savedCards(id)).toMatchObject([
    {
      status: 'kept',
      channel: 'phone',
      call_id: rows[0]?.id,
      phone: '+15550102001',
      wording_id: 'keep_card.1',
      language: 'en-US',
      wording: 'ask keep_card 1',
      brand: 'VISA',
      last_four: '4242',
      expiry_month: 4,
      expiry_year: 2031,
    },
  ]);
  expect(timelineTexts(call)).not.toMatch(/4242|0431/);
});

const SAVING = { saveTerms: 'merchant_initiated', sentence: 'May we?', maxAmountCents: 10_000 } as const;

/** Presses 1 until the question about saving the card is over: a yes counts only after its last word. */
async function agree({ caller, asked, said }: Awaited<ReturnType<typeof keyed>>): Promise<void> {
  await asked();
  while (!said().includes('one_moment')) await caller.press('1');
}

it('a yes to the merchant’s own words stores its terms, whatever the merchant’s setting', async () => {
  const diner = parseId('Merchant', 'mer_demo_diner');
  const call = await keyed('+15550102011', { merchantId: diner, saving: SAVING });
  await agree(call);
  expect(await call.caller.ended()).toBe('remote');
  expect(await harness.endedCall(call.id)).toMatchObject({ outcome: 'succeeded' });
  const terms = { save_terms: 'merchant_initiated', max_amount_cents: 10_000 };
  expect(await savedCards(call.id)).toMatchObject([{ status: 'kept', wording_id: 'keep_card.own', ...terms }]);
});

it('asks the standard question if the merchant’s words cannot be rendered, and stores no more than that', async () => {
  harness.rendersWords = false;
  const call = await keyed('+15550102012', { saving: SAVING });
  await agree(call).finally(() => {
    harness.rendersWords = true;
  });
  expect(await call.caller.ended()).toBe('remote');
  await harness.endedCall(call.id);
  const terms = { save_terms: 'returning', max_amount_cents: null };
  expect(await savedCards(call.id)).toMatchObject([{ status: 'kept', wording_id: 'keep_card.1', ...terms }]);
});

it('a no pays without saving the card', async () => {
  const { id, caller, asked } = await keyed('+15550102002');
  await asked();
  await caller.press('2');
  await caller.ended();
  expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  expect(await savedCards(id)).toEqual([]);
});

it.each([
  ['a session without a caller', { callerPhone: null }],
  [
    'a merchant who does not want it',
    { callerPhone: '+15550102003', merchantId: parseId('Merchant', 'mer_demo_diner') },
  ],
])('%s is not asked', async (_, overrides) => {
  const { id, caller, said } = await keyed(overrides.callerPhone, overrides);
  await caller.ended();
  expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  expect(said()).not.toContain('ask keep_card');
  expect(await savedCards(id)).toEqual([]);
});

it('the line does not ask if the processor saves no keyed cards', async () => {
  harness.keepsCards = false;
  const { id, caller, said } = await keyed('+15550102004').finally(() => {
    harness.keepsCards = true;
  });
  await caller.ended();
  expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  expect(said()).not.toContain('ask keep_card');
});

it('the line asks for nothing if the processor accepts no keyed cards, and returns the caller with the reason', async () => {
  harness.takesKeypad = false;
  const { id, caller, said } = await keyed('+15550102005').finally(() => {
    harness.takesKeypad = true;
  });
  await caller.ended();
  expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'keypad_unavailable' });
  // The greeting is rendered before the answer, but not said.
  expect(said().filter((line) => line !== 'greeting')).toEqual(['keypad_unavailable']);
});
