/**
 * Charges at Access Worldpay: POST /api/payments, and their lookup by our reference
 * (docs.worldpay.com/access/products/payments/openapi). There is no idempotency key, but a reference that was used before is
 * rejected ("The transactionReference is a duplicate", events of the Payment Queries API).
 */
import { z } from 'zod';
import {
  type Authorized,
  type NotFound,
  type ProcessorAnswer,
  type ProcessorCard,
  refused,
  type Succeeded,
  unknown,
} from '../port/answers.ts';
import type { ChargeRequest, LookupRequest } from '../port/charges.ts';
import { type CardPlaces, cardPlaces } from '../vendor-api/card-request.ts';
import { chargeFailure, passes } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import type { OpenWorldpay, Worldpay } from './client.ts';
import { declineOf, faultOf, isDuplicate } from './errors.ts';
import { answerOf, factsOf, findPayments, isApprovedPayment, notTaken, type Payment } from './payments.ts';
import { savedCardOf, TOKEN, tokenHref } from './wallet.ts';

const MADE = z.object({
  outcome: z.string(),
  paymentId: z.string().nullish(),
  transactionReference: z.string().nullish(),
  refusalCode: z.string().nullish(),
  paymentInstrument: z.object({ cardBrand: z.string().nullish(), lastFour: z.string().nullish() }).nullish(),
  token: TOKEN.nullish(),
});
type Made = z.infer<typeof MADE>;

/**
 * The address of a session of the Access Checkout SDK, which has the card ("the session structure may change", so its last
 * part is not checked). Worldpay reads it, not we.
 */
export const WORLDPAY_SESSION = /^https:\/\/(?:try\.)?access\.worldpay\.com\/sessions\/[\x21-\x7e]{1,2000}$/;

export async function chargeWorldpay(
  open: OpenWorldpay,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const { card, channel, chargeId } = request;
  try {
    // Only if `can.pageKeypad` was ignored.
    if (card.kind === 'keyed' && channel !== 'phone') return refused('keypad_unsupported');
    const api = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const places = cardPlaces();
    const body = paymentOf(request, api, places);
    const keyed = card.kind === 'keyed' ? { card: card.card, places } : undefined;
    const made = await askAgain(
      signal,
      () => api.ask('payments', 'POST', '/api/payments', MADE, { body, keyed }),
      (error) => passes(faultOf(error)),
    ).catch((error: unknown) => (isDuplicate(error) ? null : Promise.reject(error)));
    if (made === null) return await earlierAnswer(api, request);
    return (made.transactionReference ?? chargeId) === chargeId
      ? answerOfMade(made, request)
      : unknown('answer_to_another');
  } catch (error) {
    return chargeFailure(faultOf(error));
  } finally {
    if (card.kind === 'keyed') card.card.securityCode.wipe();
  }
}

/**
 * A code that does not match is left to the issuer, which has approved the payment. ("We recommend disabling cancel on
 * avsNotMatched/cvcNotMatched", /enable-features/auto-settlement.)
 */
const TAKE_AT_ONCE = { auto: true, cancelOn: { cvcNotMatched: 'disabled', avsNotMatched: 'disabled' } };

/**
 * "MOTO transactions are only available for Customer Initiated Transactions (CITs)" (/enable-features/moto). The payer is on
 * the phone, also if an agent charges the saved card. Postal codes are left out, because Worldpay takes them only with an address.
 */
function paymentOf(request: ChargeRequest, { settings, base }: Worldpay, places: CardPlaces): object {
  const { amount, chargeId, channel, isHold = false, card, keepsCard } = request;
  const isKept = keepsCard && card.kind !== 'saved';
  return {
    transactionReference: chargeId,
    merchant: { entity: settings.entity },
    ...((channel === 'phone' || channel === 'agent') && { channel: 'moto' }),
    instruction: {
      method: 'card',
      paymentInstrument: instrumentOf(request, base, places),
      ...(isKept && { tokenCreation: { type: 'worldpay' } }),
      ...agreementOf(request),
      narrative: { line1: settings.narrative },
      value: { currency: amount.currency, amount: amount.amountCents },
      settlement: isHold ? { auto: false } : TAKE_AT_ONCE,
    },
  };
}

function instrumentOf({ card, keepsCard }: ChargeRequest, base: URL, places: CardPlaces): object {
  if (card.kind === 'saved') return { type: 'token', href: tokenHref(base, card.handle) };
  // "Required if instruction.tokenCreation is present". Callers do not key their names, and the page does not ask for them.
  const name = keepsCard ? { cardHolderName: 'Cardholder' } : {};
  if (card.kind === 'token') return { type: 'checkout', sessionHref: card.token, ...name };
  const { number: cardNumber, month, year, securityCode: cvc } = places;
  // Placeholders for numbers, see client.ts.
  return { type: 'plain', cardNumber, ...name, expiryDate: { month, year }, cvc };
}

/** The token has the network's reference of the payment with which it was created (/openapi, `schemeReference`). */
function agreementOf({ card, channel, keepsCard }: ChargeRequest): object {
  if (channel === 'merchant') return { customerAgreement: { type: 'unscheduled' } };
  if (card.kind === 'saved') return { customerAgreement: { type: 'cardOnFile', storedCardUsage: 'subsequent' } };
  return keepsCard ? { customerAgreement: { type: 'cardOnFile', storedCardUsage: 'first' } } : {};
}

function answerOfMade(made: Made, { amount, isHold = false, keepsCard }: ChargeRequest): ProcessorAnswer {
  const { outcome, paymentId = null, refusalCode = null, paymentInstrument, token } = made;
  if (outcome === 'refused') return declineOf(refusalCode, paymentId);
  // Without it, the payment is looked up.
  if (paymentId === null) return unknown('payment_id');
  if (outcome === 'sentForCancellation') return notTaken(paymentId);
  const card = factsOf(paymentInstrument?.cardBrand, paymentInstrument?.lastFour);
  const savedCard = keepsCard && token != null && card !== null ? savedCardOf(token, card) : null;
  const facts = { processorPaymentId: paymentId, ...(card !== null && { card }), ...savedIn(savedCard) };
  // The response has no amount. Partial approvals must be asked for.
  const taken: Succeeded = { status: 'succeeded', ...facts, taken: amount };
  const held: Authorized = { status: 'authorized', ...facts, held: amount, captureBefore: null };
  if (outcome === 'sentForSettlement') return taken;
  return outcome === 'authorized' && isHold ? held : unknown(outcome);
}

const savedIn = (savedCard: ProcessorCard | null) => (savedCard === null ? {} : { savedCard });

/** The reference was used before, by an earlier attempt. */
async function earlierAnswer(api: Worldpay, { chargeId }: ChargeRequest): Promise<ProcessorAnswer> {
  const found = bestOf(await findPayments(api, chargeId));
  return found === null ? unknown('duplicate') : answerOf(found);
}

const bestOf = (payments: readonly Payment[]) => payments.find(isApprovedPayment) ?? payments[0] ?? null;

export function lookUpWorldpay(
  open: OpenWorldpay,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  return lookUpListed(
    request,
    async (onAnswer) => bestOf(await findPayments(await open(request, signal), request.chargeId, onAnswer)),
    answerOf,
    faultOf,
  );
}
