/** Maps a charge to a Square payment request, and Square's payments and cards to the processor's answers. */
import type { Square } from 'square';
import { type CardFacts, type ProcessorAnswer, unknown } from '../port/answers.ts';
import type { ChargeRequest, PayableCard } from '../port/charges.ts';
import type { SavedCardAnswer } from '../port/saved-cards.ts';
import { failureOf } from './errors.ts';

type Payable = Exclude<PayableCard, { kind: 'keyed' }>;

/** We find the payment by `reference_id`: at most 40 characters, and our IDs have 29. */
export function paymentRequest(
  request: Omit<ChargeRequest, 'card'>,
  card: Payable,
  locationId: string,
): Square.CreatePaymentRequest {
  const { chargeId, sessionId, orderId, amount, channel } = request;
  return {
    ...sourceOf(card),
    // As for the token's script: the payer types the card, not the seller.
    ...(channel === 'page' && { customerDetails: { customerInitiated: true, sellerKeyedIn: false } }),
    ...(channel === 'merchant' && { customerDetails: { customerInitiated: false, sellerKeyedIn: false } }),
    idempotencyKey: chargeId,
    amountMoney: { amount: BigInt(amount.amountCents), currency: amount.currency },
    autocomplete: request.isHold !== true,
    locationId,
    referenceId: chargeId,
    note: [sessionId, orderId]
      .filter((part) => part !== null)
      .join(' ')
      .slice(0, NOTE_LENGTH),
  };
}

const NOTE_LENGTH = 500;

/** A token from its web SDK. Never the name of a card on file (`ccof:`), which belongs to another payer. */
export const SQUARE_TOKEN = /^(?!ccof)[a-z]{2,10}:[A-Za-z0-9_-]{1,250}$/;

function sourceOf(card: Payable): Pick<Square.CreatePaymentRequest, 'sourceId' | 'customerId'> {
  if (card.kind === 'token') return { sourceId: card.token };
  const { customerId, cardId } = partsOf(card.handle);
  return { sourceId: cardId, customerId };
}

/** A saved card's handle: the card on file and its customer. */
export function partsOf(handle: string): { customerId: string; cardId: string } {
  const [customerId = '', cardId = ''] = handle.split('/', 2);
  return { customerId, cardId };
}

export function answerOf(payment: Square.Payment | undefined): ProcessorAnswer {
  const { id, status } = payment ?? {};
  if (payment === undefined || id === undefined) return unknown('answer');
  switch (status) {
    case 'COMPLETED': {
      const taken = moneyOf(payment);
      return { status: 'succeeded', processorPaymentId: id, ...(taken !== null && { taken }), ...cardOf(payment) };
    }
    case 'APPROVED': {
      const [held, captureBefore] = [moneyOf(payment), captureBeforeOf(payment)];
      const amount = held !== null && { held };
      return { status: 'authorized', processorPaymentId: id, captureBefore, ...amount, ...cardOf(payment) };
    }
    case 'FAILED':
    case 'CANCELED':
      return failureOf(payment.cardDetails?.errors?.map(({ code }) => code) ?? [], id);
    default:
      return unknown(status?.toLowerCase() ?? 'answer');
  }
}

export function moneyOf({ amountMoney }: Square.Payment): { amountCents: number; currency: string } | null {
  const { amount, currency } = amountMoney ?? {};
  return amount == null || currency === undefined ? null : { amountCents: Number(amount), currency };
}

/** When Square applies the default `delay_action`, which cancels an approved payment. */
export function captureBeforeOf({ delayedUntil }: Square.Payment): Date | null {
  return delayedUntil === undefined ? null : new Date(delayedUntil);
}

function cardOf(payment: Square.Payment): { card?: CardFacts } {
  const card = factsOf(payment.cardDetails?.card);
  return card === null ? {} : { card };
}

/** Square's brand names that differ from ours (`CardBrand.label`). */
const BRANDS: Readonly<Record<string, string>> = { DISCOVER_DINERS: 'DINERS_CLUB', CHINA_UNIONPAY: 'UNIONPAY' };

function factsOf(card: Square.Card | undefined): CardFacts | null {
  if (card?.cardBrand === undefined || card.last4 === undefined) return null;
  return { brand: BRANDS[card.cardBrand] ?? card.cardBrand, lastFour: card.last4 };
}

export function savedOf(card: Square.Card | undefined): SavedCardAnswer {
  const facts = factsOf(card);
  if (card?.id === undefined || facts === null) return { status: 'unavailable' };
  const { customerId, expMonth, expYear, fingerprint } = card;
  if (customerId == null || expMonth == null || expYear == null) return { status: 'unavailable' };
  const handle = `${customerId}/${card.id}`;
  const [expiryMonth, expiryYear] = [Number(expMonth), Number(expYear)];
  return { status: 'saved', handle, fingerprint: fingerprint ?? null, ...facts, expiryMonth, expiryYear };
}
