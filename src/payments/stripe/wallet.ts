/** Saved cards at Stripe: one customer and one payment method for each. */
import type Stripe from 'stripe';
import type { ProcessorCard } from '../port/answers.ts';
import type { ChargeRequest } from '../port/charges.ts';
import type { CardWallet, ForgetCardRequest, SaveCardRequest, SavedCardAnswer } from '../port/saved-cards.ts';
import { saveFailure } from '../vendor-api/faults.ts';
import type { OpenStripe } from './client.ts';
import { faultOf } from './errors.ts';
import { CHARGE_KEY, partsOf, processorCard, savedCardOf } from './map.ts';

const INSTRUMENT_KEY = 'ringkey_instrument';

export function stripeWallet(open: OpenStripe): CardWallet {
  const refusedOrAway = (error: unknown) => saveFailure(faultOf(error));
  return {
    save: (request, signal) =>
      open(request, signal)
        .then((stripe) => save(stripe, request))
        .catch(refusedOrAway),
    saveCharged: (request, signal) =>
      open(request, signal)
        .then((stripe) => stripe.paymentIntents.retrieve(request.processorPaymentId, { expand: ['payment_method'] }))
        .then((intent) => savedOr(savedCardOf(intent)))
        .catch(refusedOrAway),
    forget: (request, signal) => forget(open, request, signal),
  };
}

/** A SetupIntent instead of an attach: the bank checks the card for later payments without its owner. */
async function save(stripe: Stripe, { instrumentId, token }: SaveCardRequest): Promise<SavedCardAnswer> {
  const key = (step: string) => ({ idempotencyKey: `${instrumentId}-${step}` });
  const method = token.startsWith('pm_')
    ? token
    : (await stripe.paymentMethods.create({ type: 'card', card: { token } }, key('method'))).id;
  const metadata = { [INSTRUMENT_KEY]: instrumentId };
  const customer = await stripe.customers.create({ metadata }, key('customer'));
  const setup = await stripe.setupIntents.create(
    {
      customer: customer.id,
      payment_method: method,
      allowed_payment_method_types: ['card'],
      confirm: true,
      usage: 'off_session',
      metadata,
      expand: ['payment_method'],
    },
    key('setup'),
  );
  const saved = setup.payment_method;
  if (setup.status !== 'succeeded' || saved === null || typeof saved === 'string') return { status: 'refused' };
  return savedOr(processorCard(customer.id, saved));
}

function savedOr(card: ProcessorCard | null): SavedCardAnswer {
  return card === null ? { status: 'refused' } : { status: 'saved', ...card };
}

/** Much shorter than a charge's limit, because the charge needs most of the time. */
const CUSTOMER_LIMIT_MS = 5_000;

/**
 * The customer who will own a charge's card. Without one, the card cannot be saved after the charge.
 * @returns null if none could be created soon: the payment matters more than saving the card
 */
export async function newCustomer(
  open: OpenStripe,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const stripe = await open(request, AbortSignal.any([signal, AbortSignal.timeout(CUSTOMER_LIMIT_MS)]));
    const params = { metadata: { [CHARGE_KEY]: request.chargeId } };
    const { id } = await stripe.customers.create(params, { idempotencyKey: `${request.chargeId}-customer` });
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

async function forget(
  open: OpenStripe,
  request: ForgetCardRequest,
  signal: AbortSignal,
): Promise<{ status: 'gone' | 'unavailable' }> {
  try {
    const stripe = await open(request, signal);
    const { payment_method: method } = partsOf(request.handle);
    await stripe.paymentMethods.detach(method).catch((error: unknown) => unlessGone(stripe, method, error));
    return { status: 'gone' };
  } catch (error) {
    const fault = faultOf(error);
    return { status: 'code' in fault && fault.code === 'resource_missing' ? 'gone' : 'unavailable' };
  }
}

/**
 * A card without a customer can neither be detached nor charged, so it is gone. @throws `error` if the card has a
 * customer
 */
async function unlessGone(stripe: Stripe, method: string, error: unknown): Promise<void> {
  if (faultOf(error).kind === 'unknown') throw error;
  const { customer } = await stripe.paymentMethods.retrieve(method);
  if (customer !== null) throw error;
}
