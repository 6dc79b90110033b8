/** Cards that Stripe verifies and saves without a payment, from tokens of the page. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ActionRequest, ChargeRequest, PayableCard } from '../../../src/payments/port/charges.ts';
import { type FakeStripe, startFakeStripe } from '../../support/fake-stripe.ts';
import { ASKS, ASKS_THEN_DECLINES, INSUFFICIENT } from '../../support/fake-stripe-cards.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { stripeProcessorAt } from '../../support/vendor-processors.ts';
import { GOOD, keyed, requestFor } from './vendor-charges.ts';

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startFakeStripe();
});
afterAll(() => stripe.close());
afterEach(() => expect(stripe.violations).toEqual([]));

const VERIFICATION = { amount: { amountCents: 0, currency: 'USD' }, keepsCard: true, isVerification: true } as const;

const request = (card: PayableCard, overrides: Partial<ChargeRequest> = {}) =>
  requestFor(card, { ...VERIFICATION, orderId: null, ...overrides });
const token = (number: string, kind: 'tok' | 'pm' | 'ctoken' = 'ctoken'): PayableCard => ({
  kind: 'token',
  token: stripe.token(kind, number),
});
const verify = (of: ChargeRequest) => stripeProcessorAt(stripe).charge(of, requestTimeout());
const lookUp = (of: ChargeRequest) =>
  stripeProcessorAt(stripe).lookUp({ ...of, createdAt: new Date() }, requestTimeout());

async function waiting(number: string): Promise<{ of: ChargeRequest; action: ActionRequest }> {
  const of = request(token(number));
  const answer = await verify(of);
  if (answer.status !== 'action_required') throw new Error(answer.status);
  const { chargeId, mode, credentials } = of;
  return { of, action: { chargeId, mode, credentials, processorPaymentId: answer.processorPaymentId } };
}

function actions() {
  const found = stripeProcessorAt(stripe).actions;
  if (found === null) throw new Error('it asks payers');
  return found;
}

it.each(['tok', 'pm', 'ctoken'] as const)('saves the card of a %s_ token, and finds it again', async (kind) => {
  const of = request(token(GOOD, kind));
  const answer = await verify(of);
  expect(answer).toMatchObject({
    status: 'succeeded',
    processorPaymentId: expect.stringMatching(/^seti_/),
    savedCard: { handle: expect.stringMatching(/^cus_\w+\/pm_/), brand: 'VISA', lastFour: '4242' },
  });
  expect(await lookUp(of)).toEqual(answer);
});

it('says why the bank declined the card of a token', async () => {
  const of = request(token(INSUFFICIENT));
  expect(await verify(of)).toMatchObject({ status: 'declined', declineCode: 'insufficient_funds' });
  expect(await lookUp(of)).toMatchObject({ status: 'declined', declineCode: 'insufficient_funds' });
});

it.each([
  ['a keyed card on the page', () => request(keyed(GOOD), { channel: 'page' })],
  ['a token on the phone', () => request(token(GOOD), { channel: 'phone' })],
  ['a saved card', () => request({ kind: 'saved', handle: stripe.savedCard(GOOD) }, { channel: 'agent' })],
] as const)('does not verify %s', async (_name, make) => {
  const of = make();
  expect(await verify(of)).toMatchObject({ status: 'refused' });
  expect(stripe.countPayments(of.chargeId)).toBe(0);
});

it('waits for the payer, and is saved once the payer has confirmed', async () => {
  const { of, action } = await waiting(ASKS);
  expect(await actions().confirm(action, requestTimeout())).toMatchObject({ status: 'action_required' });
  stripe.endDialog(of.chargeId, 'done');
  const saved = { status: 'succeeded', savedCard: { lastFour: ASKS.slice(-4) } };
  expect(await actions().confirm(action, requestTimeout())).toMatchObject(saved);
  // It cannot be canceled any more.
  expect(await actions().cancel(action, requestTimeout())).toMatchObject(saved);
  expect(await lookUp(of)).toMatchObject(saved);
});

it.each([
  [ASKS, 'refused', 'authentication_required'],
  [ASKS_THEN_DECLINES, 'done', 'generic_decline'],
] as const)('of the card %s is declined after the dialog returned %s', async (number, result, declineCode) => {
  const { of, action } = await waiting(number);
  stripe.endDialog(of.chargeId, result);
  expect(await actions().read(action, requestTimeout())).toMatchObject({ status: 'declined', declineCode });
});

it('is canceled if the payer does not confirm', async () => {
  const { of, action } = await waiting(ASKS);
  const canceled = { status: 'declined', declineCode: 'authentication_required' };
  expect(await actions().cancel(action, requestTimeout())).toMatchObject(canceled);
  expect(await actions().cancel(action, requestTimeout())).toMatchObject(canceled);
  expect(await lookUp(of)).toMatchObject(canceled);
});

it('is unknown if Stripe cannot be asked', async () => {
  const { action } = await waiting(ASKS);
  for (const order of ['read', 'confirm', 'cancel'] as const) {
    stripe.failNext('html_500');
    expect(await actions()[order](action, requestTimeout())).toMatchObject({ status: 'unknown' });
  }
});
