/** Payments at Stripe: a card keyed on the phone is a MOTO PaymentIntent; saved cards are customers' payment methods. */
import type Stripe from 'stripe';
import type { Mode } from '../../domain/session.ts';
import type {
  CardWallet,
  ChargeRequest,
  ConnectionCheck,
  Credentials,
  LookUpRequest,
  Processor,
  ProcessorAnswer,
  Refunds,
} from '../ports.ts';
import { VendorClock } from '../vendor-clock.ts';
import type { StripeAddress } from './address.ts';
import { openStripe } from './client.ts';
import { causeOf, chargeFailure, intentOf, isForbidden, rejectsCredentials } from './errors.ts';
import { answerOf, CHARGE_KEY, intentParams } from './map.ts';
import { stripeRefunds } from './refunds.ts';
import { newCustomer, stripeWallet } from './wallet.ts';

/** Opens a client for one call. @throws UnusableCredentials */
export type OpenStripe = (
  mode: Mode,
  credentials: Credentials,
  signal: AbortSignal,
  onAnswer?: (answer: Response) => void,
) => Stripe;

/** The part of the processor that talks to Stripe. */
export interface StripeAdapter extends Pick<Processor, 'checkConnection' | 'charge' | 'lookUp'> {
  wallet: CardWallet;
  refunds: Refunds;
}

export function createStripeAdapter(address: StripeAddress): StripeAdapter {
  const open: OpenStripe = (...means) => openStripe(address, ...means);
  return {
    wallet: stripeWallet(open),
    refunds: stripeRefunds(open),
    checkConnection: (mode, credentials, signal) => checkConnection(open, mode, credentials, signal),
    charge: (request, signal) => chargeStripe(open, request, signal),
    lookUp: (request, signal) => lookUpStripePayment(open, request, signal),
  };
}

async function chargeStripe(open: OpenStripe, request: ChargeRequest, signal: AbortSignal): Promise<ProcessorAnswer> {
  if (signal.aborted) return { status: 'unknown', cause: 'timeout' };
  try {
    const stripe = open(request.mode, request.credentials, signal);
    const customer =
      request.keepsCard && request.card.kind !== 'saved' ? await newCustomer(open, request, signal) : null;
    // Nothing was sent yet.
    if (signal.aborted) return { status: 'unknown', cause: 'timeout' };
    const answering = stripe.paymentIntents.create(intentParams(request, customer), {
      idempotencyKey: request.chargeId,
    });
    const intent = await answering;
    if (isOtherCharge(intent, request)) return ANOTHERS;
    return answerOf(intent) ?? { status: 'unknown', cause: 'answer' };
  } catch (error) {
    return isOtherCharge(intentOf(error), request) ? ANOTHERS : chargeFailure(error);
  } finally {
    if (request.card.kind === 'keyed') request.card.card.securityCode.wipe();
  }
}

/** A server or a proxy that answers twice has an answer too many on the connection: the next request gets it. */
function isOtherCharge(intent: Stripe.PaymentIntent | undefined, { chargeId }: ChargeRequest): boolean {
  return (intent?.metadata?.[CHARGE_KEY] ?? chargeId) !== chargeId;
}

const ANOTHERS: ProcessorAnswer = { status: 'unknown', cause: 'answer_to_another' };

const CLOCK_MARGIN_SECONDS = 300;
/** From the row of a charge to the latest moment its request may reach Stripe. */
const WINDOW_SECONDS = 600;
const PAGE = 100;
const MAX_PAGES = 30;

/**
 * Not by sending the request again under its key: the card is gone by then, other parameters are an error, and a key is
 * forgotten after a day, when the repeat would charge anew (docs.stripe.com/api/idempotent_requests). Not by searching
 * the metadata: "don't use search for read-after-write flows", use the lists (docs.stripe.com/search#data-freshness).
 */
async function lookUpStripePayment(
  open: OpenStripe,
  request: LookUpRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | { status: 'not_found' }> {
  try {
    const clock = new VendorClock();
    const stripe = open(request.mode, request.credentials, signal, clock.observe);
    const intent = await findIntent(stripe, request);
    if (intent === 'too_many') return { status: 'unknown', cause: 'too_many_payments' };
    if (intent === null && !clock.agreesWith(request.askedAt)) return { status: 'unknown', cause: 'clocks_differ' };
    // One that was never confirmed has moved no money, and will not: only we could confirm it.
    return (intent === null ? null : answerOf(intent)) ?? { status: 'not_found' };
  } catch (error) {
    return { status: 'unknown', cause: causeOf(error) ?? (rejectsCredentials(error) ? 'credentials' : 'answer') };
  }
}

async function findIntent(
  stripe: Stripe,
  { chargeId, begunAt }: LookUpRequest,
): Promise<Stripe.PaymentIntent | null | 'too_many'> {
  const begun = Math.floor(begunAt.getTime() / 1_000);
  const created = { gte: begun - CLOCK_MARGIN_SECONDS, lte: begun + WINDOW_SECONDS + CLOCK_MARGIN_SECONDS };
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const list = await stripe.paymentIntents.list({
      ...{ created, limit: PAGE, expand: ['data.payment_method'] },
      ...(after !== undefined && { starting_after: after }),
    });
    const found = list.data.find(({ metadata }) => metadata[CHARGE_KEY] === chargeId);
    if (found !== undefined) return found;
    after = list.data.at(-1)?.id;
    if (!list.has_more || after === undefined) return null;
  }
  return 'too_many';
}

async function checkConnection(
  open: OpenStripe,
  mode: Mode,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    const account = await open(mode, credentials, signal).accounts.retrieveCurrent();
    if (account.charges_enabled === true) return { status: 'ok', account: account.id };
    return { status: account.charges_enabled === false ? 'not_provisioned' : 'unavailable' };
  } catch (error) {
    if (isForbidden(error)) return checkRestricted(open, mode, credentials, signal);
    return { status: rejectsCredentials(error) ? 'invalid' : 'unavailable' };
  }
}

/**
 * A restricted key is never let read its account, whatever it may do else (stripe-node issue 2246): whether it may read
 * payments tells whether it is good. Without an account's name, cards saved with it are its merchant's own.
 */
async function checkRestricted(
  open: OpenStripe,
  mode: Mode,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  const account = credentials.account_id?.reveal(String);
  try {
    await open(mode, credentials, signal).paymentIntents.list({ limit: 1 });
    return { status: 'ok', ...(account !== undefined && { account }) };
  } catch (error) {
    return { status: rejectsCredentials(error) ? 'invalid' : 'unavailable' };
  }
}
