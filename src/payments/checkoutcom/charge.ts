/** Charges at Checkout.com: POST /payments, and their lookup by our reference. */
import { z } from 'zod';
import { isApproved, type NotFound, type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest, LookupRequest } from '../port/charges.ts';
import { type CardPlaces, cardPlaces } from '../vendor-api/card-request.ts';
import { chargeFailure, passes } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import type { CheckoutCom, OpenCheckoutCom } from './client.ts';
import { faultOf, LOCKS } from './errors.ts';
import {
  answerOf,
  CAPTURE_KEY,
  isOf,
  ORDER_KEY,
  PAYMENT,
  type Payment,
  readActions,
  SESSION_KEY,
  savedCardOf,
} from './payments.ts';

export const CHECKOUT_COM_TOKEN = /^tok_[a-z2-7]{26}$/;
const METADATA_LENGTH = 500;

export async function chargeCheckoutCom(
  open: OpenCheckoutCom,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const { card, channel, chargeId, isHold = false } = request;
  try {
    // Only if `can.pageKeypad` was ignored: the payer of a MOTO payment is on the phone.
    if (card.kind === 'keyed' && channel !== 'phone') return refused('keypad_unsupported');
    const api = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const places = cardPlaces();
    const body = paymentOf(request, api, places);
    const keyed = card.kind === 'keyed' ? { card: card.card, places } : undefined;
    const payment = await askAgain(
      signal,
      () => api.ask('POST', '/payments', PAYMENT, { body, idempotencyKey: chargeId, keyed }),
      (error) => passes(faultOf(error), LOCKS),
    );
    return isOf(payment, chargeId)
      ? withCard(request, payment, answerOf(payment, isHold))
      : unknown('answer_to_another');
  } catch (error) {
    return chargeFailure(faultOf(error));
  } finally {
    if (card.kind === 'keyed') card.card.securityCode.wipe();
  }
}

/** The instrument that `store_for_future_use` made. That of a payment is read once it is taken (wallet.ts). */
function withCard(
  { keepsCard, card, isHold }: ChargeRequest,
  { source }: Payment,
  answer: ProcessorAnswer,
): ProcessorAnswer {
  const savedCard = isHold && keepsCard && card.kind !== 'saved' ? savedCardOf(source) : null;
  return savedCard !== null && isApproved(answer) ? { ...answer, savedCard } : answer;
}

function paymentOf(request: ChargeRequest, { settings }: CheckoutCom, places: CardPlaces): object {
  const { amount, chargeId, sessionId, orderId, channel, isHold = false, isVerification = false } = request;
  const { processing_channel_id: channelId } = settings;
  return {
    source: sourceOf(request, places),
    amount: amount.amountCents,
    currency: amount.currency,
    // The payer is on the phone, also if an agent charges the saved card.
    payment_type: channel === 'page' ? 'Regular' : 'MOTO',
    reference: chargeId,
    // "To verify a card … set the amount field to 0" (checkout.com/docs/risk-management/card-verification).
    ...(!isVerification && { capture: !isHold }),
    ...(channelId !== undefined && { processing_channel_id: channelId }),
    metadata: {
      [CAPTURE_KEY]: isHold ? 'manual' : 'automatic',
      [SESSION_KEY]: sessionId,
      ...(orderId !== null && { [ORDER_KEY]: orderId.slice(0, METADATA_LENGTH) }),
    },
  };
}

function sourceOf({ card, keepsCard }: ChargeRequest, places: CardPlaces): object {
  switch (card.kind) {
    case 'keyed': {
      const { number, month, year, securityCode: cvv } = places;
      const { postalCode } = card.card;
      return {
        type: 'card',
        number,
        // Placeholders for numbers, see client.ts.
        expiry_month: month,
        expiry_year: year,
        cvv,
        store_for_future_use: keepsCard,
        ...(postalCode !== null && { billing_address: { zip: places.postalCode } }),
      };
    }
    case 'token':
      return { type: 'token', token: card.token, store_for_future_use: keepsCard };
    case 'saved':
      return { type: 'id', id: card.handle };
  }
}

const LIST = z.object({ total_count: z.number(), data: z.array(PAYMENT).nullish() });

/** "A list of your business' payments that match the specified reference". A declined payment's code is in its actions. */
export function lookUpCheckoutCom(
  open: OpenCheckoutCom,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  const { chargeId } = request;
  return lookUpListed(
    request,
    async (onAnswer) => {
      const api = await open(request, signal);
      const path = `/payments?${new URLSearchParams({ reference: chargeId, limit: '10' })}`;
      const { data } = await api.ask('GET', path, LIST, { onAnswer });
      const ours = (data ?? []).filter(({ reference }) => reference === chargeId);
      // A repeated request can only have made a second payment if the first was declined.
      const found = ours.find(({ status }) => status !== 'Declined') ?? ours[0];
      return found === undefined ? null : withCode(api, found);
    },
    (payment) => answerOf(payment, null),
    faultOf,
  );
}

async function withCode(api: CheckoutCom, payment: Payment): Promise<Payment> {
  if (payment.status !== 'Declined' || payment.response_code != null) return payment;
  const actions = await readActions(api, payment.id);
  const declined = actions.find(({ type, approved }) => type === 'Authorization' && approved === false);
  return { ...payment, response_code: declined?.response_code ?? null };
}
