/**
 * Charges at Adyen: POST /payments. A repeated request would need the card, which is no longer there, so a lost answer is
 * unknown until its notification arrives. Keyed cards need an account that is allowed to send raw card data.
 */
import { z } from 'zod';
import { isApproved, type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest } from '../port/charges.ts';
import { returnUrlOf } from '../port/return-url.ts';
import { type CardPlaces, cardPlaces } from '../vendor-api/card-request.ts';
import { chargeFailure, passes } from '../vendor-api/faults.ts';
import { jsonOrNull } from '../vendor-api/json-request.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import type { Adyen, OpenAdyen } from './client.ts';
import { faultOf } from './errors.ts';
import { referenceOf } from './outcomes.ts';
import { answerOfPayment, challengeUrl, PAYMENT } from './payment.ts';
import { partsOf, readSavedCard } from './wallet.ts';

/**
 * A card of the pay page: number, month, year and security code as Adyen Web has encrypted them, joined by `~`. Adyen alone
 * can decrypt them. The last part, if there is one, is the browser in {@link BROWSER}, as JSON in base64url.
 */
export const ADYEN_CARD = /^(?:[\w.$+/=-]{1,2000}~){3}[\w.$+/=-]{1,2000}(?:~[\w-]{1,1400})?$/;

/** What the bank wants to know of the payer's browser, as Adyen Web collects it (utils/browserInfo). */
const BROWSER = z.strictObject({
  acceptHeader: z.literal('*/*'),
  colorDepth: z.int().min(0).max(64),
  javaEnabled: z.boolean(),
  language: z.string().regex(/^[A-Za-z0-9-]{1,35}$/),
  screenHeight: z.int().min(0).max(100_000),
  screenWidth: z.int().min(0).max(100_000),
  timeZoneOffset: z.int().min(-1_500).max(1_500),
  userAgent: z.string().min(1).max(700),
});

export async function chargeAdyen(
  open: OpenAdyen,
  request: ChargeRequest,
  signal: AbortSignal,
  { asks }: { asks: boolean } = { asks: false },
): Promise<ProcessorAnswer> {
  const { card, channel, chargeId, keepsCard } = request;
  try {
    // Only if `can.pageKeypad` was ignored.
    if (card.kind === 'keyed' && channel !== 'phone') return refused('keypad_unsupported');
    const api = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const places = cardPlaces();
    const authentication = authenticationOf(request, asks);
    const body = { ...paymentOf(request, api, places), ...authentication };
    const keyed = card.kind === 'keyed' ? { card: card.card, places } : undefined;
    const payment = await askAgain(
      signal,
      () => api.ask('POST', '/payments', PAYMENT, { body, idempotencyKey: chargeId, keyed }),
      (error) => passes(faultOf(error)),
    );
    if ((payment.merchantReference ?? body.reference) !== body.reference) return unknown('answer_to_another');
    const url = authentication !== null && 'browserInfo' in authentication ? challengeUrl(api, payment) : null;
    if (url !== null) {
      const processorPaymentId = payment.pspReference ?? chargeId;
      return { status: 'action_required', processorPaymentId, action: { kind: 'redirect', url } };
    }
    const answer = answerOfPayment(payment, { amount: request.amount, isHold: request.isHold ?? false });
    if (!keepsCard || card.kind === 'saved' || !isApproved(answer)) return answer;
    const savedCard = await readSavedCard(api, chargeId).catch(() => null);
    return savedCard === null ? answer : { ...answer, savedCard };
  } catch (error) {
    return chargeFailure(faultOf(error));
  } finally {
    if (card.kind === 'keyed') card.card.securityCode.wipe();
  }
}

/** Required, and not used unless the payer can be redirected (RFC 2606, 3). */
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
    ...captureOf(request),
    metadata: {
      ringkey_session: sessionId,
      ...(orderId !== null && { ringkey_order: orderId.slice(0, ORDER_LENGTH) }),
    },
  };
}

/**
 * If the payer cannot be redirected: "never: Don't perform 3D Secure authentication. If PSD2 SCA or other national regulations
 * require authentication, the transaction gets declined." (CheckoutService-v71, AuthenticationData)
 */
const WITHOUT_AUTHENTICATION = { channel: 'Web', authenticationData: { attemptAuthentication: 'never' } };

/**
 * 3-D Secure if regulations, the bank or the merchant's own rules at Adyen require it. Without `nativeThreeDS`, Adyen redirects
 * the payer. @param asks whether the challenge can be continued
 */
function authenticationOf({ card, chargeId, payer }: ChargeRequest, asks: boolean) {
  if (card.kind !== 'token') return null;
  const browserInfo = asks ? browserIn(card.token) : null;
  if (browserInfo === null || payer === undefined) return WITHOUT_AUTHENTICATION;
  const { pageUrl, ip: shopperIP } = payer;
  const returnUrl = returnUrlOf(pageUrl, chargeId);
  return { channel: 'Web', returnUrl, origin: new URL(pageUrl).origin, shopperIP, browserInfo };
}

function browserIn(token: string): z.infer<typeof BROWSER> | null {
  const encoded = token.split('~')[4];
  if (encoded === undefined) return null;
  return BROWSER.safeParse(jsonOrNull(Buffer.from(encoded, 'base64url').toString('utf8'))).data ?? null;
}

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
