import { expect, test } from 'vitest';
import type { ChargeAtPage } from '../../db/pay-links/pay-page.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { canBePaid, type PageFacts, pageStateOf } from './state.ts';

const OPEN: PageFacts = {
  session: { status: 'open', verdict: 'required' },
  isOver: false,
  declines: 0,
  orderStatus: null,
  orderIsPart: false,
  charge: null,
  hasMerchant: true,
  canPay: true,
};

const CHARGE: ChargeAtPage = {
  id: 'ch_1' as ChargeId,
  status: 'pending',
  source: 'page',
  declineCode: null,
  paymentMethod: 'card',
  brand: 'VISA',
  lastFour: '4242',
  capturedCents: null,
  amountCents: 4_250,
  tipCents: 0,
  remainingCents: 0,
  settledAtMs: null,
  awaitsPayer: false,
  isLate: false,
  isUnknown: false,
  refundedCents: 0,
  refundPendingCents: 0,
};

const succeeded: ChargeAtPage = { ...CHARGE, status: 'succeeded', settledAtMs: 1 };
const failed: ChargeAtPage = { ...CHARGE, status: 'failed', settledAtMs: 1 };
const EXPIRED = { status: 'expired', verdict: 'required' } as const;
const COMPLETE = { status: 'complete', verdict: 'required' } as const;

test.each<[string, Partial<PageFacts>, object]>([
  ['an open session', {}, { kind: 'ready' }],
  ['an optional payment', { session: { status: 'open', verdict: 'optional' } }, { kind: 'ready' }],
  ['a charge under way', { charge: CHARGE }, { kind: 'working' }],
  ['a charge under way past the end', { charge: CHARGE, isOver: true }, { kind: 'working' }],
  ['a charge that the bank asks about', { charge: { ...CHARGE, awaitsPayer: true } }, { kind: 'action' }],
  [
    'a charge whose payer did not confirm in time',
    { charge: { ...CHARGE, isLate: true } },
    { kind: 'pending', of: 'session' },
  ],
  ['an unknown outcome', { charge: { ...CHARGE, isUnknown: true } }, { kind: 'pending', of: 'session' }],
  [
    'an unknown outcome past the end',
    { charge: { ...CHARGE, isUnknown: true }, isOver: true },
    { kind: 'pending', of: 'session' },
  ],
  ['an unknown outcome of the phone', { charge: { ...CHARGE, source: 'phone', isUnknown: true } }, { kind: 'pending' }],
  ['a charge of the phone', { charge: { ...CHARGE, source: 'phone' } }, { kind: 'on_phone' }],
  ['a charge of the agent', { charge: { ...CHARGE, source: 'saved_card' } }, { kind: 'on_phone' }],
  ['paid here', { charge: succeeded, session: COMPLETE }, { kind: 'paid', charge: succeeded }],
  ['paid here, past the end', { charge: succeeded, session: COMPLETE, isOver: true }, { kind: 'paid' }],
  ['paid by phone', { charge: { ...succeeded, source: 'phone' }, session: COMPLETE }, { kind: 'already_paid' }],
  ['paid, and the merchant is gone', { charge: succeeded, session: COMPLETE, hasMerchant: false }, { kind: 'paid' }],
  ['paid, with charges that are deleted', { session: COMPLETE }, { kind: 'already_paid', charge: null }],
  ['an order held elsewhere', { orderStatus: 'authorized' }, { kind: 'already_paid', charge: null, isHeld: true }],
  [
    'an order that was partly paid elsewhere',
    { orderStatus: 'succeeded', orderIsPart: true },
    { kind: 'already_paid', charge: null, isPart: true },
  ],
  ['an order paid elsewhere', { orderStatus: 'succeeded' }, { kind: 'already_paid', charge: null }],
  [
    'an order paid elsewhere, which left nothing to pay',
    { orderStatus: 'succeeded', session: { status: 'open', verdict: 'none' } },
    { kind: 'already_paid', charge: null },
  ],
  ['an order that is being paid elsewhere', { orderStatus: 'pending' }, { kind: 'pending', of: 'order' }],
  ['an expired session', { session: EXPIRED }, { kind: 'expired' }],
  ['a session past its end', { isOver: true }, { kind: 'expired' }],
  ['an expired session with a decline', { session: EXPIRED, charge: failed, declines: 1 }, { kind: 'expired' }],
  ['a merchant that is gone', { hasMerchant: false, canPay: false }, { kind: 'gone' }],
  ['a merchant that is not connected', { canPay: false }, { kind: 'gone' }],
  ['nothing to pay', { session: { status: 'open', verdict: 'none' } }, { kind: 'nothing_to_pay' }],
  [
    'a decline',
    { charge: { ...failed, declineCode: 'incorrect_cvc' }, declines: 1 },
    { kind: 'declined', code: 'incorrect_cvc' },
  ],
  [
    'a card that was declined on the phone',
    { charge: { ...failed, source: 'phone', declineCode: 'incorrect_cvc' }, declines: 1 },
    { kind: 'ready' },
  ],
  [
    'a saved card that was declined',
    { charge: { ...failed, source: 'saved_card', declineCode: 'do_not_honor' }, declines: 1 },
    { kind: 'ready' },
  ],
  ['a fault of the setup', { charge: failed }, { kind: 'declined', code: null }],
  ['five declines', { charge: { ...failed, declineCode: 'do_not_honor' }, declines: 5 }, { kind: 'no_more_attempts' }],
  ['a payment after declines', { charge: succeeded, session: COMPLETE, declines: 5 }, { kind: 'paid' }],
])('%s', (_name, facts, state) => {
  expect(pageStateOf({ ...OPEN, ...facts })).toMatchObject(state);
});

test('only a page that can be paid has the form', () => {
  expect(canBePaid({ kind: 'ready' })).toBe(true);
  expect(canBePaid({ kind: 'declined', code: null })).toBe(true);
  expect(canBePaid({ kind: 'no_more_attempts' })).toBe(false);
  expect(canBePaid({ kind: 'working' })).toBe(false);
});
