/**
 * Charges at Adyen: POST /payments. A repeated request would need the card, which is no longer there, so a lost answer is
 * unknown until its notification arrives. Keyed cards need an account that is allowed to send raw card data.
 */
import { z } from 'zod';
import { declinedUnpaid, isApproved, type NotFound, type ProcessorAnswer, refused, unknown } from '../answers.ts';
import { type CardPlaces, cardPlaces } from '../card-request.ts';
import { askAgain } from '../no-retry.ts';
import type { ChargeRequest, LookupRequest } from '../ports.ts';
import { causeOf, chargeFailure, passes } from '../vendor-faults.ts';
import type { Adyen, OpenAdyen } from './client.ts';
import { declineOf, faultOf } from './errors.ts';
import { answerOf, authorisationOf, inAccount, type NotifiedOutcomes, referenceOf } from './outcomes.ts';
import { partsOf, readSavedCard } from './wallet.ts';

const PAYMENT = z.object({
  resultCode: z.string(),
  pspReference: z.string().nullish(),
  merchantReference: z.string().nullish(),
  refusalReasonCode: z.string().nullish(),
  amount: z.object({ currency: z.string(), value: z.number() }).nullish(),
});
type Payment = z.infer<typeof PAYMENT>;

/**
 * A card of the pay page: number, month, year and security code as Adyen Web has encrypted them, joined by `~`. Adyen alone
 * can decrypt them.
 */
export const ADYEN_CARD = /^(?:[\w.$+/=-]{1,2000}~){3}[\w.$+/=-]{1,2000}$/;

export async function chargeAdyen(
  open: OpenAdyen,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const { card, channel, chargeId, keepsCard } = request;
  try {
    // Only if `can.pageKeypad` was ignored.
    if (card.kind === 'keyed' && channel !== 'phone') return refused('keypad_unsupported');
    const api = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const places = cardPlaces();
    const body = paymentOf(request, api, places);
    const keyed = card.kind === 'keyed' ? { card: card.card, places } : undefined;
    const payment = await askAgain(
      signal,
      () => api.ask('POST', '/payments', PAYMENT, { body, idempotencyKey: chargeId, keyed }),
      (error) => passes(faultOf(error)),
    );
    if ((payment.merchantReference ?? body.reference) !== body.reference) return unknown('answer_to_another');
    const answer = answerOfPayment(payment, request);
    if (!keepsCard || card.kind === 'saved' || !isApproved(answer)) return answer;
    const savedCard = await readSavedCard(api, chargeId).catch(() => null);
    return savedCard === null ? answer : { ...answer, savedCard };
  } catch (error) {
    return chargeFailure(faultOf(error));
  } finally {
    if (card.kind === 'keyed') card.card.securityCode.wipe();
  }
}

/** Required, and never used: nobody is redirected (RFC 2606, 3). */
const RETURN_URL = 'https://example.com/';
const ORDER_LENGTH = 80;

function paymentOf(request: ChargeRequest, { settings }: Adyen, places: CardPlaces) {
  const { amount, chargeId, sessionId, orderId } = request;
  return {
    merchantAccount: settings.merchant_account,
    amount: { currency: amount.currency, value: amount.amountCents },
    reference: referenceOf(chargeId, request.isHold ?? false),
    returnUrl: RETURN_URL,
    paymentMethod: methodOf(request, places),
    ...agreementOf(request),
    ...(request.card.kind === 'token' && WITHOUT_AUTHENTICATION),
    ...captureOf(request),
    metadata: {
      ringkey_session: sessionId,
      ...(orderId !== null && { ringkey_order: orderId.slice(0, ORDER_LENGTH) }),
    },
  };
}

/**
 * The page shows no 3-D Secure. "never: Don't perform 3D Secure authentication. If PSD2 SCA or other national regulations
 * require authentication, the transaction gets declined." (CheckoutService-v71, AuthenticationData)
 */
const WITHOUT_AUTHENTICATION = { channel: 'Web', authenticationData: { attemptAuthentication: 'never' } };

/**
 * An amount of 0 verifies the card ("zero-value auth",
 * docs.adyen.com/payment-methods/cards/bin-data-and-card-verification). There is nothing to capture.
 */
function captureOf({ isHold = false, isVerification = false }: ChargeRequest): object {
  if (isVerification) return {};
  return isHold ? { additionalData: { manualCapture: 'true' } } : { captureDelayHours: 0 };
}

function methodOf({ card }: ChargeRequest, places: CardPlaces): object {
  if (card.kind === 'keyed') {
    const { number, month: expiryMonth, year, securityCode: cvc } = places;
    return { type: 'scheme', number, expiryMonth, expiryYear: `20${year}`, cvc };
  }
  if (card.kind === 'saved') {
    return { type: 'scheme', storedPaymentMethodId: partsOf(card.handle).storedPaymentMethodId };
  }
  const [encryptedCardNumber, encryptedExpiryMonth, encryptedExpiryYear, encryptedSecurityCode] = card.token.split('~');
  return { type: 'scheme', encryptedCardNumber, encryptedExpiryMonth, encryptedExpiryYear, encryptedSecurityCode };
}

/**
 * `Moto`: "the shopper is in contact with the merchant via email or telephone". `ContAuth`: an earlier agreement, also if
 * the shopper is present. `Ecommerce`: "online transactions where the cardholder is present".
 */
function interactionOf({ card, channel }: ChargeRequest): string {
  if (channel === 'merchant' || (channel === 'page' && card.kind === 'saved')) return 'ContAuth';
  return channel === 'page' ? 'Ecommerce' : 'Moto';
}

function agreementOf(request: ChargeRequest): object {
  const { card, channel, chargeId, keepsCard } = request;
  const shopperInteraction = interactionOf(request);
  if (card.kind === 'saved') {
    const { shopperReference } = partsOf(card.handle);
    const recurringProcessingModel = channel === 'merchant' ? 'UnscheduledCardOnFile' : 'CardOnFile';
    return { shopperInteraction, shopperReference, recurringProcessingModel };
  }
  if (!keepsCard) return { shopperInteraction };
  const model = { storePaymentMethod: true, recurringProcessingModel: 'CardOnFile' };
  return { shopperInteraction, shopperReference: chargeId, ...model };
}

function answerOfPayment(payment: Payment, { amount, isHold = false }: ChargeRequest): ProcessorAnswer {
  const { resultCode, pspReference = null, refusalReasonCode = null } = payment;
  switch (resultCode) {
    case 'Authorised': {
      if (pspReference === null) return unknown('payment_id');
      const told = payment.amount;
      const money = told == null ? amount : { amountCents: told.value, currency: told.currency };
      return isHold
        ? { status: 'authorized', processorPaymentId: pspReference, held: money, captureBefore: null }
        : { status: 'succeeded', processorPaymentId: pspReference, taken: money };
    }
    case 'Refused':
    case 'Cancelled':
    case 'Error':
      return declineOf(refusalReasonCode, pspReference);
    // The account demands what the page does not show. Without it, nothing is taken.
    case 'RedirectShopper':
    case 'IdentifyShopper':
    case 'ChallengeShopper':
      return declinedUnpaid(resultCode, 'authentication_required');
    default:
      return unknown(resultCode);
  }
}

/** A missing notification says nothing: it may still come. @param outcomes null if none are taken */
export async function lookUpAdyen(
  open: OpenAdyen,
  outcomes: NotifiedOutcomes | null,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  try {
    const api = await open(request, signal);
    const all = inAccount((await outcomes?.of(request.chargeId, null)) ?? [], api.settings.merchant_account);
    const authorisation = authorisationOf(all, request.chargeId);
    if (authorisation === null) return unknown('not_notified');
    const answer = answerOf(authorisation, all);
    if (!request.isVerification || !isApproved(answer)) return answer;
    const savedCard = await readSavedCard(api, request.chargeId);
    return savedCard === null ? unknown('no_card') : { ...answer, savedCard };
  } catch (error) {
    return unknown(causeOf(faultOf(error)));
  }
}
