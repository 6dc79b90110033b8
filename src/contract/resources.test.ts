import { expect, test } from 'vitest';
import { parseId } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import { cardEntries } from './cards.ts';
import { type ChargeFacts, chargeResource } from './charge-resource.ts';
import { statusOf } from './session-resource.ts';

const UNNAMED = { processorCode: null, processorPaymentId: null } as const;

function chargeId() {
  const id = parseId('Charge', 'ch_1');
  if (id === null) throw new Error('no charge id');
  return id;
}

test.each([
  ['open', null, false, 'open'],
  ['open', null, true, 'expired'],
  ['open', 'failed', true, 'expired'],
  ['open', 'pending', true, 'open'],
  ['complete', 'succeeded', true, 'complete'],
  ['expired', null, false, 'expired'],
] as const)(
  'shows a session stored as %s, with the charge %s and past its expiry: %s, as %s',
  (status, charge, isOver, expected) => {
    expect(statusOf({ session: { status }, isOver, charge: charge === null ? null : { status: charge } })).toBe(
      expected,
    );
  },
);

test('shows the expiry month of a card with two digits, and a default card only if it is in the list', () => {
  const id = parseId('Instrument', 'card_1');
  if (id === null) throw new Error('no card id');
  const card: SavedCard = { id, brand: 'VISA', lastFour: '4242', expiryMonth: 3, expiryYear: 2031, isDefault: false };
  expect(cardEntries([card])).toEqual({
    cards: [{ instrument_id: 'card_1', brand: 'VISA', last_four: '4242', expiry: '03/2031' }],
    default_card_id: null,
  });
  expect(cardEntries([{ ...card, isDefault: true }]).default_card_id).toBe('card_1');
});

const FAILED: ChargeFacts = {
  id: chargeId(),
  status: 'failed',
  amountCents: 100,
  source: 'phone',
  wallet: null,
  wasLate: false,
  duplicateOf: null,
  capture: 'automatic',
  captureBeforeMs: null,
  capturedCents: null,
  tipCents: 0,
  remainingCents: 0,
  paymentMethod: 'card',
  debitedAtMs: null,
  returnedAtMs: null,
  captureFailedAtMs: null,
  declineCode: 'generic_decline',
  processorCode: 'card_declined',
  processorPaymentId: 'p_1',
};

test.each([
  ['the issuer declined', {}, /^The issuer declined the card/],
  ['the processor never received', { ...UNNAMED, declineCode: 'processing_error' }, /^The processor never received/],
  ['the processor could not process', { declineCode: 'processing_error' }, /^The card could not be processed/],
  [
    'was not sent',
    { declineCode: 'try_again_later', processorPaymentId: null },
    /^The processor or the issuer was unavailable/,
  ],
] as const)('names the cause of a charge that %s', (_, facts, message) => {
  const { failure } = chargeResource({ ...FAILED, ...facts }, { requestId: 'req_1', docsUrl: '' });
  expect(failure).toMatchObject({ code: 'card_declined', message: expect.stringMatching(message) });
  const isIssuers = failure?.decline_code === 'generic_decline';
  expect(/issuer declined/.test(failure?.message ?? '')).toBe(isIssuers);
  expect(/declined/.test(failure?.agent_message ?? '')).toBe(isIssuers);
});

test('shows the wallet of a charge, and omits it for card charges', () => {
  const facts: ChargeFacts = {
    id: chargeId(),
    status: 'succeeded',
    amountCents: 100,
    processorPaymentId: 'p_1',
    declineCode: null,
    processorCode: null,
    source: 'page',
    wallet: 'apple_pay',
    wasLate: false,
    duplicateOf: null,
    capture: 'automatic',
    captureBeforeMs: null,
    capturedCents: null,
    tipCents: 0,
    remainingCents: 0,
    paymentMethod: 'card',
    debitedAtMs: null,
    returnedAtMs: null,
    captureFailedAtMs: null,
  };
  const context = { requestId: 'req_1', docsUrl: 'https://docs.example.com' };
  expect(chargeResource(facts, context)).toMatchObject({ charge_id: 'ch_1', wallet: 'apple_pay' });
  expect(chargeResource({ ...facts, wallet: null }, context)).not.toHaveProperty('wallet');
});
