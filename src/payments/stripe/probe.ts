/**
 * Checks whether an account may take keyed cards, without a payment: Stripe shows neither permission in the account. If
 * MOTO is off, Stripe rejects a draft with the MOTO parameter (stripe-dotnet issue 2898). If card numbers are off, it
 * rejects any number, even its published test number (support.stripe.com, "Enabling access to raw card data APIs").
 */
import type Stripe from 'stripe';
import type { Restriction } from '../port/processor.ts';
import { isStripeError } from './errors.ts';

/** At most one draft per day: Stripe repeats its response to a known key. */
const keyOfToday = (what: string) => ({
  idempotencyKey: `ringkey-probe-${what}-${new Date().toISOString().slice(0, 10)}`,
});
const MOTO = 'payment_method_options[card][moto]';
const PROBE_CENTS = 100;
/** docs.stripe.com/testing */
const TEST_CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2049, cvc: '123' };

/** Never throws. An inconclusive check reports no restriction. */
export async function findRestrictions(stripe: Stripe, currency: string): Promise<Restriction[]> {
  const found = await Promise.all([
    refusal(() => draftMoto(stripe, currency)).then((error) => (error?.param === MOTO ? 'moto_disabled' : null)),
    refusal(() => stripe.paymentMethods.create({ type: 'card', card: TEST_CARD }, keyOfToday('card'))).then((error) =>
      isAboutNumbers(error) ? 'card_numbers_disabled' : null,
    ),
  ]);
  return found.filter((restriction) => restriction !== null);
}

async function draftMoto(stripe: Stripe, currency: string): Promise<void> {
  const intent = await stripe.paymentIntents.create(
    {
      amount: PROBE_CENTS,
      currency,
      allowed_payment_method_types: ['card'],
      payment_method_options: { card: { moto: true } },
      metadata: { ringkey_probe: 'moto' },
    },
    keyOfToday('moto'),
  );
  await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' }, keyOfToday('moto-end'));
}

/** Stripe's rejection of the card number itself has neither a code nor a parameter. */
function isAboutNumbers(error: Stripe.errors.StripeError | null): boolean {
  return error?.rawType === 'invalid_request_error' && error.code === undefined && error.param === undefined;
}

async function refusal(ask: () => Promise<unknown>): Promise<Stripe.errors.StripeError | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    return isStripeError(error) && (error.statusCode === 400 || error.statusCode === 402) ? error : null;
  }
}
