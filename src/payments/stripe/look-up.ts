/**
 * Looks up a charge at Stripe. Sending the request again under its key is not possible: the card is gone by then. A
 * payment that was never confirmed is `not_found`: it has moved no money and never will, because only we could confirm
 * it.
 *
 * For a charge to be settled, its idempotency key is used up first (burn-key.ts). If that works, Stripe never executed
 * the charge and never will, so a busy account's list of thousands of payments need not be read. Only if the key was
 * used, the payment is searched, and then looked for in the list.
 */
import type Stripe from 'stripe';
import { type NotFound, type ProcessorAnswer, type Unknown, unknown } from '../port/answers.ts';
import type { LookupRequest } from '../port/charges.ts';
import { REPEATABLE_MS } from '../port/refunds.ts';
import { findListed, listWindow, lookUpListed, PAGE, TOO_MANY } from '../vendor-api/lookup.ts';
import { burnKey } from './burn-key.ts';
import type { OpenStripe } from './client.ts';
import { faultOf } from './errors.ts';
import { answerOf, CHARGE_KEY } from './map.ts';
import { setupAnswerOf } from './verify.ts';

/**
 * "Under normal operating conditions, data is searchable in under 1 minute" (docs.stripe.com/search#data-freshness).
 */
const SEARCHABLE_AFTER_MS = 60_000;

/** A hold's time limit is in its charge. */
export const EXPANDED = ['data.payment_method', 'data.latest_charge'];

const ageOf = ({ createdAt, askedAt = new Date() }: LookupRequest) => askedAt.getTime() - createdAt.getTime();

/** @param open a client for this account */
export async function lookUpStripePayment(
  open: OpenStripe,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  const { settles } = request;
  if (settles == null) return findPayment(open, request, signal);
  const burn = () => burnKey(open, { ...request, amount: settles }, signal);
  // Stripe forgets a key after a day. From then on, an unknown key says nothing about the charge.
  if (ageOf(request) < REPEATABLE_MS) {
    const key = await burn();
    if (key === 'burnt') return { status: 'not_found', never: true };
    // Whatever its age: a request that Stripe still processes may take the money.
    return key === 'in_progress' ? unknown('in_progress') : findPayment(open, request, signal);
  }
  const found = await findPayment(open, request, signal);
  if (found.status !== 'not_found') return found;
  const key = await burn();
  if (key === 'burnt') return { status: 'not_found', never: true };
  return key === 'in_progress' ? unknown('in_progress') : found;
}

async function findPayment(
  open: OpenStripe,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  // SetupIntents cannot be searched.
  if (request.isVerification) return listSetup(open, request, signal);
  const isSearched = ageOf(request) >= SEARCHABLE_AFTER_MS;
  const searched = isSearched ? await searchPayment(open, request, signal) : null;
  if (searched?.status === 'found') return answerOf(searched.intent) ?? { status: 'not_found' };
  const listed = await listPayment(open, request, signal);
  // For a mere lookup the search is enough: its answer decides nothing, and a busy account's list adds nothing.
  const isTooLong = listed.status === 'unknown' && listed.cause === TOO_MANY;
  return isTooLong && searched?.status === 'none' && request.settles == null ? { status: 'not_found' } : listed;
}

type Searched = { status: 'found'; intent: Stripe.PaymentIntent } | { status: 'none' | 'unavailable' };

/**
 * Only a hit counts, because the search lags behind. Not available to every account
 * (docs.stripe.com/api/payment_intents/search).
 */
async function searchPayment(open: OpenStripe, request: LookupRequest, signal: AbortSignal): Promise<Searched> {
  try {
    const stripe = await open(request, signal);
    const { data } = await stripe.paymentIntents.search({
      query: `metadata['${CHARGE_KEY}']:'${request.chargeId}'`,
      expand: EXPANDED,
    });
    const intent = data.find(({ metadata }) => metadata[CHARGE_KEY] === request.chargeId);
    return intent === undefined ? { status: 'none' } : { status: 'found', intent };
  } catch {
    return { status: 'unavailable' };
  }
}

function listPayment(
  open: OpenStripe,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound | Unknown> {
  const find = async (observe: (answer: Response) => void) => {
    const stripe = await open(request, signal, { onAnswer: observe });
    const { from, until } = listWindow(request.createdAt);
    const created = { gte: seconds(from), lte: seconds(until) };
    const intents = stripe.paymentIntents.list({ created, limit: PAGE, expand: EXPANDED });
    return findListed(intents, ({ metadata }) => metadata[CHARGE_KEY] === request.chargeId);
  };
  return lookUpListed(request, find, answerOf, faultOf);
}

function listSetup(
  open: OpenStripe,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound | Unknown> {
  const find = async (observe: (answer: Response) => void) => {
    const stripe = await open(request, signal, { onAnswer: observe });
    const { from, until } = listWindow(request.createdAt);
    const created = { gte: seconds(from), lte: seconds(until) };
    const setups = stripe.setupIntents.list({ created, limit: PAGE, expand: ['data.payment_method'] });
    return findListed(setups, ({ metadata }) => metadata?.[CHARGE_KEY] === request.chargeId);
  };
  return lookUpListed(request, find, setupAnswerOf, faultOf);
}

/** In seconds, as Stripe writes times. */
export const seconds = (time: Date) => Math.floor(time.getTime() / 1_000);
