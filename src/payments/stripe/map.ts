/** Maps a charge to the parameters of a Stripe PaymentIntent, and a PaymentIntent to the processor's answer. */
import type Stripe from 'stripe';
import { WALLETS, type Wallet } from '../../domain/charge.ts';
import {
  type ActionRequired,
  type CardFacts,
  notAuthenticated,
  type ProcessorAnswer,
  type ProcessorCard,
  type Succeeded,
  unknown,
} from '../port/answers.ts';
import type { Channel, ChargeRequest, PayableCard } from '../port/charges.ts';
import type { CardPlaces } from '../vendor-api/card-request.ts';
import { declineOf } from './errors.ts';

type IntentParams = Stripe.PaymentIntentCreateParams;

/** Names in `metadata`, for the merchant's search and for ours. */
export const CHARGE_KEY = 'ringkey_charge';
export const REFUND_KEY = 'ringkey_refund';
export const SESSION_KEY = 'ringkey_session';
const ORDER_KEY = 'ringkey_order';

/** The longest metadata value (docs.stripe.com/metadata). */
const METADATA_LENGTH = 500;

/**
 * One call creates and confirms. Only a payer on the page can authenticate (3-D Secure); for others that is a decline.
 * @param customer who owns the card if it is to be saved
 * @param places the placeholders for a keyed card
 */
export function intentParams(request: ChargeRequest, customer: string | null, places: CardPlaces): IntentParams {
  const { chargeId, sessionId, orderId, amount } = request;
  return {
    amount: amount.amountCents,
    currency: amount.currency.toLowerCase(),
    confirm: true,
    allowed_payment_method_types: ['card'],
    expand: request.isHold ? ['payment_method', 'latest_charge'] : ['payment_method'],
    ...(request.isHold && { capture_method: 'manual' as const }),
    metadata: {
      [CHARGE_KEY]: chargeId,
      [SESSION_KEY]: sessionId,
      ...(orderId !== null && { [ORDER_KEY]: orderId.slice(0, METADATA_LENGTH) }),
    },
    ...cardParams(request, places),
    ...(customer !== null && { customer, setup_future_usage: 'off_session' as const }),
  };
}

/**
 * The payer is on the page. Stripe.js shows the bank's challenge. The intent then requires our confirmation
 * (actions.ts): "If the confirmation_method is manual, all payment attempts must be initiated using a secret key"
 * (docs.stripe.com/api/payment_intents/confirm).
 */
const WITH_PAYER: Partial<IntentParams> = { confirmation_method: 'manual', use_stripe_sdk: true };

/**
 * The payer is on the phone, so banks do not ask for authentication (docs.stripe.com/payments/payment-intents/moto).
 */
const BY_PHONE: Partial<IntentParams> = {
  payment_method_options: { card: { moto: true } },
  error_on_requires_action: true,
};

/** For a saved card. An agent charges it, so for Stripe the payer is absent. */
const SAVED: Readonly<Record<Channel, Partial<IntentParams>>> = {
  phone: BY_PHONE,
  page: WITH_PAYER,
  agent: { off_session: true },
  // The card's network transaction is with its payment method (docs.stripe.com/payments/setup-intents).
  merchant: { off_session: true },
};

function cardParams({ card, channel }: ChargeRequest, places: CardPlaces): Partial<IntentParams> {
  switch (card.kind) {
    case 'keyed':
      return {
        payment_method_data: keyedCard(card.card, places),
        ...BY_PHONE,
      };
    case 'saved':
      return { ...partsOf(card.handle), ...SAVED[channel] };
    case 'token':
      return { ...tokenParams(card.token), ...(channel === 'page' ? WITH_PAYER : { error_on_requires_action: true }) };
  }
}

type CardData = Stripe.PaymentIntentCreateParams.PaymentMethodData & {
  card: Stripe.PaymentMethodCreateParams.Card | { token: string };
};

/**
 * Placeholders for the card, which is inserted when the request is sent (card-request.ts;
 * docs.stripe.com/payments/payment-intents/moto).
 */
function keyedCard({ postalCode }: KeyedCard, places: CardPlaces): CardData {
  const { number, month, year, securityCode: cvc } = places;
  // The package's types require numbers for the date. It writes both as text.
  const card = { number, exp_month: month, exp_year: year, cvc } as unknown as Stripe.PaymentMethodCreateParams.Card;
  return {
    type: 'card',
    card,
    ...(postalCode !== null && { billing_details: { address: { postal_code: places.postalCode } } }),
  };
}

type KeyedCard = Extract<PayableCard, { kind: 'keyed' }>['card'];

export const STRIPE_TOKEN = /^(?:ctoken|pm|tok)_[A-Za-z0-9_]{1,250}$/;

/** `ctoken_` and `pm_` come from the Payment Element, `tok_` from the older card field. */
function tokenParams(token: string): Partial<IntentParams> {
  if (token.startsWith('ctoken_')) return { confirmation_token: token };
  if (token.startsWith('pm_')) return { payment_method: token };
  const data: CardData = { type: 'card', card: { token } };
  return { payment_method_data: data };
}

/** A saved card's handle: the customer and the customer's payment method. */
export function partsOf(handle: string): { customer: string; payment_method: string } {
  const [customer = '', paymentMethod = ''] = handle.split('/', 2);
  return { customer, payment_method: paymentMethod };
}

/** The answer of a confirmed intent. Null if it was not confirmed: only we could confirm it. */
export function answerOf(intent: Stripe.PaymentIntent): ProcessorAnswer | null {
  const { id, status, last_payment_error: error } = intent;
  const isWithPayer = intent.confirmation_method === 'manual';
  switch (status) {
    case 'succeeded':
      return { status: 'succeeded', taken: moneyOf(intent, intent.amount_received), ...paidFacts(intent) };
    case 'requires_capture': {
      const held = moneyOf(intent, intent.amount_capturable);
      return { status: 'authorized', held, captureBefore: captureBeforeOf(intent), ...paidFacts(intent) };
    }
    case 'requires_payment_method':
      return error == null ? null : declineOf(error, id);
    case 'requires_action':
      return isWithPayer ? actionOf(intent) : notAuthenticated(status, id);
    case 'requires_confirmation':
      return isWithPayer ? actionOf(intent) : null;
    case 'canceled':
      // Canceled by us, because the payer did not confirm in time.
      if (isWithPayer) return notAuthenticated(status, id);
      return { status: 'declined', declineCode: 'generic_decline', processorCode: status, processorPaymentId: id };
    case 'processing':
      return unknown(status);
    default:
      return unknown('answer');
  }
}

const moneyOf = ({ currency }: Stripe.PaymentIntent, amountCents: number) => ({
  amountCents,
  currency: currency.toUpperCase(),
});

/** What an intent that is paid or held says of its card. */
function paidFacts(
  intent: Stripe.PaymentIntent,
): Pick<Succeeded, 'processorPaymentId' | 'card' | 'wallet' | 'savedCard'> {
  const card = typeof intent.payment_method === 'string' ? null : factsOf(intent.payment_method);
  const savedCard = savedCardOf(intent);
  return {
    processorPaymentId: intent.id,
    ...(card !== null && { card, wallet: walletOf(intent.payment_method) }),
    ...(savedCard !== null && { savedCard }),
  };
}

/**
 * When Stripe releases an intent's hold (`payment_method_details.card.capture_before` of its charge). Null if the
 * response does not contain the charge.
 */
export function captureBeforeOf({ latest_charge: charge }: Stripe.PaymentIntent): Date | null {
  if (charge == null || typeof charge === 'string') return null;
  const seconds = charge.payment_method_details?.card?.capture_before;
  return seconds == null ? null : new Date(seconds * 1_000);
}

/** In `requires_confirmation`, the payer has done the bank's challenge. */
function actionOf({ id, status, client_secret: clientSecret }: Stripe.PaymentIntent): ActionRequired {
  const hasChallenge = status === 'requires_action' && clientSecret !== null;
  return {
    status: 'action_required',
    processorPaymentId: id,
    action: hasChallenge ? { kind: 'stripe', clientSecret } : null,
  };
}

/** Stripe's brand names that differ from ours (`CardBrand.label`). */
const BRANDS: Readonly<Record<string, string>> = { amex: 'AMERICAN_EXPRESS', diners: 'DINERS_CLUB' };

/** For a card or a wallet's card; otherwise null. */
function factsOf(method: Stripe.PaymentMethod | null | undefined): CardFacts | null {
  const card = method?.card;
  if (card == null) return null;
  return { brand: BRANDS[card.brand] ?? card.brand.toUpperCase(), lastFour: card.last4 };
}

/** Null for a card, and for wallets that the page does not offer. */
function walletOf(method: Stripe.PaymentIntent['payment_method']): Wallet | null {
  const type = method === null || typeof method === 'string' ? undefined : method.card?.wallet?.type;
  return WALLETS.find((wallet) => wallet === type) ?? null;
}

/**
 * The card that an intent with `setup_future_usage` saved for its customer; null if there is none. A card that was
 * already saved has no such intent.
 */
export function savedCardOf(intent: Stripe.PaymentIntent): ProcessorCard | null {
  const { customer, payment_method: method, setup_future_usage: usage } = intent;
  if (usage == null || typeof customer !== 'string' || method === null || typeof method === 'string') return null;
  return method.customer === customer ? processorCard(customer, method) : null;
}

/** Null for Apple Pay and Google Pay, which are never saved. */
export function processorCard(customer: string, method: Stripe.PaymentMethod): ProcessorCard | null {
  const facts = factsOf(method);
  if (facts === null || method.card == null || method.card.wallet != null) return null;
  const { exp_month: expiryMonth, exp_year: expiryYear, fingerprint = null } = method.card;
  return { handle: `${customer}/${method.id}`, fingerprint, ...facts, expiryMonth, expiryYear };
}
