/**
 * Charges at Hyperswitch: POST /payments, confirmed at once. The payment's ID is ours, so a repeated request is rejected
 * as a duplicate (HE_01), and the payment is read instead. Its `twilio_generic_pay` is not used: it makes an ID of its own,
 * so a repeated request charges twice.
 */
import { type NotFound, type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest, LookupRequest } from '../port/charges.ts';
import { type CardPlaces, cardPlaces } from '../vendor-api/card-request.ts';
import { chargeFailure, passes } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import type { Hyperswitch, OpenHyperswitch } from './client.ts';
import { DUPLICATE, faultOf, isError, LOCKS, MISSING } from './errors.ts';
import { answerOf, PAYMENT, type Payment, paymentIdOf, readPayment } from './payments.ts';

const REFERENCE_LENGTH = 255;

export async function chargeHyperswitch(
  open: OpenHyperswitch,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const { card, channel, chargeId } = request;
  // Only if the capabilities were ignored.
  if (card.kind !== 'keyed' || channel !== 'phone') {
    if (card.kind === 'keyed') card.card.securityCode.wipe();
    return refused('keypad_only');
  }
  try {
    const api = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const places = cardPlaces();
    const body = paymentOf(request, api, places, card.card.postalCode !== null);
    const payment = await askAgain(
      signal,
      () => createPayment(api, chargeId, { body, keyed: { card: card.card, places } }),
      (error) => passes(faultOf(error), LOCKS),
    );
    return payment.payment_id === paymentIdOf(chargeId) ? answerOf(payment) : unknown('answer_to_another');
  } catch (error) {
    return chargeFailure(faultOf(error));
  } finally {
    card.card.securityCode.wipe();
  }
}

async function createPayment(
  api: Hyperswitch,
  chargeId: ChargeRequest['chargeId'],
  asked: NonNullable<Parameters<Hyperswitch['ask']>[3]>,
): Promise<Payment> {
  try {
    return await api.ask('POST', '/payments', PAYMENT, asked);
  } catch (error) {
    if (!isError(error, [DUPLICATE])) throw error;
    return readPayment(api, paymentIdOf(chargeId));
  }
}

function paymentOf(
  request: ChargeRequest,
  { settings }: Hyperswitch,
  places: CardPlaces,
  hasPostalCode: boolean,
): object {
  const { amount, chargeId, sessionId, orderId, isHold = false } = request;
  const { number, month, year, securityCode, postalCode } = places;
  const billing = hasPostalCode && { billing: { address: { zip: postalCode } } };
  return {
    payment_id: paymentIdOf(chargeId),
    amount: amount.amountCents,
    currency: amount.currency,
    confirm: true,
    capture_method: isHold ? 'manual' : 'automatic',
    authentication_type: 'no_three_ds',
    payment_channel: 'telephone_order',
    connector: [settings.connector],
    ...(settings.profile_id !== undefined && { profile_id: settings.profile_id }),
    payment_method: 'card',
    payment_method_data: {
      card: { card_number: number, card_exp_month: month, card_exp_year: year, card_cvc: securityCode },
      ...billing,
    },
    ...billing,
    ...(orderId !== null && { merchant_order_reference_id: orderId.slice(0, REFERENCE_LENGTH) }),
    metadata: { ringkey_charge: chargeId, ringkey_session: sessionId },
  };
}

/** Reads the payment by our ID. */
export function lookUpHyperswitch(
  open: OpenHyperswitch,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  return lookUpListed(
    request,
    async (onAnswer) => {
      const api = await open(request, signal);
      return readPayment(api, paymentIdOf(request.chargeId), onAnswer).catch((error: unknown) => {
        if (isError(error, MISSING)) return null;
        throw error;
      });
    },
    answerOf,
    faultOf,
  );
}
