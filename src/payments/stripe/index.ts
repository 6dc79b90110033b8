/**
 * Payments at Stripe. A card keyed on the phone is a MOTO PaymentIntent; saved cards are customers' payment methods.
 */
import type Stripe from 'stripe';
import { type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest } from '../port/charges.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { ConnectionCheck, Processor, Restriction } from '../port/processor.ts';
import { cardPlaces } from '../vendor-api/card-request.ts';
import { chargeFailure, passes } from '../vendor-api/faults.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import { stripeActions } from './actions.ts';
import { type OpenStripe, STRIPE_ADDRESS, type StripeAddress, stripeAt } from './client.ts';
import { stripeCredentials, stripeTokenization } from './credentials.ts';
import { stripeDisputes } from './disputes.ts';
import { faultOf, isStripeError, LOCK_TIMEOUT } from './errors.ts';
import { stripeHolds } from './holds.ts';
import { lookUpStripePayment } from './look-up.ts';
import { answerOf, CHARGE_KEY, intentParams, STRIPE_TOKEN } from './map.ts';
import { stripeNotifications } from './notifications.ts';
import { registerStripeDomain, stripePage } from './page.ts';
import { stripePayouts } from './payouts.ts';
import { findRestrictions } from './probe.ts';
import { stripeRecords } from './records.ts';
import { stripeRefunds } from './refunds.ts';
import { STRIPE_TEST_DATA } from './test-data.ts';
import { verifyStripeCard } from './verify.ts';
import { newCustomer, stripeWallet } from './wallet.ts';

/** Payments are looked up in a list that includes the latest writes. This is a margin for the clocks. */
const LOOK_UP_LAG_MS = 60_000;

interface StripeOptions {
  address?: StripeAddress;
}

export function createStripe({ address = STRIPE_ADDRESS }: StripeOptions = {}): Processor {
  const open = stripeAt(address);
  return {
    name: 'stripe',
    can: {
      keypad: true,
      savedCards: true,
      merchantInitiated: true,
      verifiesCards: true,
      verifiesTokens: true,
      pageTokens: true,
      wallets: true,
      namesWallets: true,
      pageKeypad: false,
    },
    modes: ['test', 'live'],
    lookUpLagMs: LOOK_UP_LAG_MS,
    credentialsSchema: stripeCredentials,
    needsCredentials: true,
    testData: STRIPE_TEST_DATA,
    wallet: stripeWallet(open),
    refunds: stripeRefunds(open),
    holds: stripeHolds(open),
    records: stripeRecords(open),
    notifications: stripeNotifications(open),
    disputes: stripeDisputes(open),
    payouts: stripePayouts(open),
    actions: stripeActions(open),
    tokenForm: STRIPE_TOKEN,
    tokenization: stripeTokenization,
    page: stripePage,
    registerPageDomain: (request, signal) => registerStripeDomain(open, request, signal),
    prepare: async () => void (await import('stripe')),
    checkConnection: (mode, credentials, signal) => checkConnection(open, { mode, credentials }, signal),
    charge: (request, signal) => (request.isVerification ? verifyStripeCard : chargeStripe)(open, request, signal),
    lookUp: (request, signal) => lookUpStripePayment(open, request, signal),
  };
}

async function chargeStripe(open: OpenStripe, request: ChargeRequest, signal: AbortSignal): Promise<ProcessorAnswer> {
  try {
    const { card } = request;
    // Only if `can.pageKeypad` was ignored: in a MOTO payment the payer is on the phone.
    if (card.kind === 'keyed' && request.channel !== 'phone') return refused('keypad_unsupported');
    const places = cardPlaces();
    const keyed = card.kind === 'keyed' ? { card: card.card, places } : undefined;
    const stripe = await open(request, signal, { keyed });
    const needsCustomer = request.keepsCard && card.kind !== 'saved' && !signal.aborted;
    const customer = needsCustomer ? await newCustomer(open, request, signal) : null;
    // Nothing was sent yet.
    if (signal.aborted) return unknown('timeout');
    const params = intentParams(request, customer, places);
    const create = () => stripe.paymentIntents.create(params, { idempotencyKey: request.chargeId });
    const intent = await askAgain(signal, create, (error) => passes(faultOf(error), [LOCK_TIMEOUT]));
    if (isOtherCharge(intent, request)) return unknown('answer_to_another');
    return answerOf(intent) ?? unknown('answer');
  } catch (error) {
    const intent = isStripeError(error) ? error.payment_intent : undefined;
    return isOtherCharge(intent, request) ? unknown('answer_to_another') : chargeFailure(faultOf(error));
  } finally {
    if (request.card.kind === 'keyed') request.card.card.securityCode.wipe();
  }
}

/** If a server or proxy responds twice, the next request on the connection gets the surplus response. */
function isOtherCharge(intent: Stripe.PaymentIntent | undefined, { chargeId }: ChargeRequest): boolean {
  return (intent?.metadata?.[CHARGE_KEY] ?? chargeId) !== chargeId;
}

async function checkConnection(
  open: OpenStripe,
  access: ProcessorAccess,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    const stripe = await open(access, signal);
    const account = await stripe.accounts.retrieveCurrent().catch((error: unknown) => {
      if (isStripeError(error) && error.type === 'StripePermissionError') return null;
      throw error;
    });
    if (account === null) return await checkRestricted(stripe, access);
    if (account.charges_enabled === true) {
      return { status: 'ok', account: account.id, ...(await restrictionsOf(stripe, account.default_currency)) };
    }
    return { status: account.charges_enabled === false ? 'not_provisioned' : 'unavailable' };
  } catch (error) {
    return { status: faultOf(error).kind === 'credentials' ? 'invalid' : 'unavailable' };
  }
}

/**
 * A restricted key can never read its account (stripe-node issue 2246), so reading payments tests it. Without the
 * account's name, cards saved with it belong to its merchant alone.
 */
async function checkRestricted(stripe: Stripe, { credentials }: ProcessorAccess): Promise<ConnectionCheck> {
  await stripe.paymentIntents.list({ limit: 1 });
  const account = credentials.account_id?.reveal(String);
  return { status: 'ok', ...(account !== undefined && { account }), ...(await restrictionsOf(stripe)) };
}

async function restrictionsOf(stripe: Stripe, currency = 'usd'): Promise<{ restrictions?: Restriction[] }> {
  const restrictions = await findRestrictions(stripe, currency);
  return restrictions.length === 0 ? {} : { restrictions };
}
