/**
 * Verifies a card at Stripe and saves it, without a payment: a SetupIntent, for a keyed card one for telephone orders
 * (docs.stripe.com/api/setup_intents/create, `payment_method_options.card.moto`). For a token of the page, Stripe.js shows
 * the bank's challenge (setup-actions.ts). The idempotency key is the charge ID.
 * The customer and the payment method before it are harmless if the rest fails: the card belongs to no customer.
 */
import type Stripe from 'stripe';
import { notAuthenticated, type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest } from '../port/charges.ts';
import { cardPlaces } from '../vendor-api/card-request.ts';
import { chargeFailure, passes } from '../vendor-api/faults.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import type { OpenStripe } from './client.ts';
import { declineOf, faultOf, LOCK_TIMEOUT } from './errors.ts';
import { CHARGE_KEY, processorCard, SESSION_KEY } from './map.ts';

export async function verifyStripeCard(
  open: OpenStripe,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const { card, chargeId, sessionId, channel } = request;
  try {
    const place = card.kind === 'keyed' ? 'phone' : card.kind === 'token' ? 'page' : null;
    if (channel !== place) return refused('verification_unsupported');
    const stripe = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const metadata = { [CHARGE_KEY]: chargeId, [SESSION_KEY]: sessionId };
    const { id: customer } = await stripe.customers.create({ metadata }, { idempotencyKey: `${chargeId}-customer` });
    const method = await methodParams(open, request, signal);
    // Nothing was verified yet.
    if (signal.aborted) return unknown('timeout');
    const create = () =>
      stripe.setupIntents.create(
        {
          customer,
          ...method,
          allowed_payment_method_types: ['card'],
          ...(channel === 'phone' ? BY_PHONE : { use_stripe_sdk: true }),
          confirm: true,
          usage: 'off_session',
          metadata,
          expand: ['payment_method'],
        },
        { idempotencyKey: chargeId },
      );
    const setup = await askAgain(signal, create, (error) => passes(faultOf(error), [LOCK_TIMEOUT]));
    if (setup.metadata?.[CHARGE_KEY] !== chargeId) return unknown('answer_to_another');
    return setupAnswerOf(setup) ?? unknown('answer');
  } catch (error) {
    return chargeFailure(faultOf(error));
  } finally {
    if (card.kind === 'keyed') card.card.securityCode.wipe();
  }
}

const BY_PHONE = { payment_method_options: { card: { moto: true } } } as const;

/** A SetupIntent takes no card numbers, and no `tok_`, only a payment method or a confirmation token. */
async function methodParams(
  open: OpenStripe,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<Pick<Stripe.SetupIntentCreateParams, 'payment_method' | 'confirmation_token'>> {
  if (request.card.kind !== 'token') return { payment_method: await createMethod(open, request, signal) };
  const { token } = request.card;
  if (token.startsWith('ctoken_')) return { confirmation_token: token };
  if (token.startsWith('pm_')) return { payment_method: token };
  const stripe = await open(request, signal);
  const params = { type: 'card', card: { token } } as const;
  return { payment_method: (await stripe.paymentMethods.create(params, methodKey(request))).id };
}

const methodKey = ({ chargeId }: ChargeRequest) => ({ idempotencyKey: `${chargeId}-method` });

/** The one request with the card. */
async function createMethod(open: OpenStripe, request: ChargeRequest, signal: AbortSignal): Promise<string> {
  if (request.card.kind !== 'keyed') throw new Error('a card that was not keyed');
  const { card } = request.card;
  const places = cardPlaces();
  const stripe = await open(request, signal, { keyed: { card, places } });
  const { number, month, year, securityCode: cvc } = places;
  // The package's types require numbers for the date. It writes both as text.
  const digits = { number, exp_month: month, exp_year: year, cvc } as unknown as Stripe.PaymentMethodCreateParams.Card;
  const address = card.postalCode === null ? {} : { billing_details: { address: { postal_code: places.postalCode } } };
  return (await stripe.paymentMethods.create({ type: 'card', card: digits, ...address }, methodKey(request))).id;
}

/** The answer of a SetupIntent. Null if it was not confirmed: only we could confirm it. */
export function setupAnswerOf(setup: Stripe.SetupIntent): ProcessorAnswer | null {
  const { id, status, customer, payment_method: method, last_setup_error: error } = setup;
  switch (status) {
    case 'succeeded': {
      const isExpanded = method !== null && typeof method !== 'string';
      const savedCard = typeof customer === 'string' && isExpanded ? processorCard(customer, method) : null;
      if (savedCard === null) return unknown('no_card');
      const { brand, lastFour } = savedCard;
      return { status: 'succeeded', processorPaymentId: id, card: { brand, lastFour }, savedCard };
    }
    case 'requires_payment_method':
      return error == null ? null : declineOf(error, id);
    case 'requires_action':
      return actionOf(setup);
    case 'requires_confirmation':
      return null;
    case 'canceled':
      // By us, because the payer did not confirm in time.
      if (setup.cancellation_reason === 'abandoned') return notAuthenticated(status, id);
      return { status: 'declined', declineCode: 'generic_decline', processorCode: status, processorPaymentId: id };
    default:
      return unknown(status);
  }
}

/** Only a payer on the page can authenticate: `use_stripe_sdk` was sent for no other. */
function actionOf({ id, status, next_action: next, client_secret: clientSecret }: Stripe.SetupIntent): ProcessorAnswer {
  if (next?.type !== 'use_stripe_sdk' || clientSecret === null) return notAuthenticated(status, id);
  return { status: 'action_required', processorPaymentId: id, action: { kind: 'stripe', clientSecret } };
}
