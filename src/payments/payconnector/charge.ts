/**
 * A charge as the one JSON request that Twilio's Generic Pay Connector sends
 * (twilio.com/docs/voice/twiml/pay/generic-pay-connector, and the requests and responses in
 * twilio.com/docs/voice/tutorials/how-to-capture-payment-during-a-voice-call-generic-pay-connector). The
 * request of Telnyx's payment connectors is not in their published pages.
 */
import { z } from 'zod';
import { DECLINE_CODES, type DeclineCode } from '../../domain/charge.ts';
import { majorUnits } from '../../domain/money.ts';
import type { KeyedCard } from '../../flow/effects.ts';
import { type Declined, declinedUnpaid, type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest } from '../port/charges.ts';
import { type CardPlaces, cardPlaces } from '../vendor-api/card-request.ts';
import { chargeFailure, type Fault, faultOfNoAnswer, passes, UnusableCredentials } from '../vendor-api/faults.ts';
import { askAgain, NoAnswer } from '../vendor-api/no-retry.ts';
import { contentOf, LoginRejected, type OpenConnector, word } from './client.ts';
import { CONNECTOR_TEST_DATA } from './test-data.ts';

const MAX_DESCRIPTION_LENGTH = 200;

const ANSWER = z.object({ charge_id: word, error_code: word });

export async function chargeByConnector(
  open: OpenConnector,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const { card, channel } = request;
  // Only if the capabilities were ignored.
  if (card.kind !== 'keyed' || channel !== 'phone') {
    if (card.kind === 'keyed') card.card.securityCode.wipe();
    return refused('keypad_only');
  }
  if (request.isHold === true) return refused('holds_unsupported');
  try {
    const connector = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    if (request.mode === 'test' && !isTestCard(card.card)) return declinedUnpaid('no_test_card', 'card_not_supported');
    const places = cardPlaces();
    const answer = await askAgain(
      signal,
      () => connector.post(bodyOf(request, card.card, places), card.card, places),
      (error) => passes(faultOf(error)),
    );
    const { charge_id: id, error_code: code } = contentOf(ANSWER, answer);
    return outcomeOf(id, code);
  } catch (error) {
    return chargeFailure(faultOf(error));
  } finally {
    card.card.securityCode.wipe();
  }
}

const isTestCard = ({ number }: KeyedCard) =>
  CONNECTOR_TEST_DATA.cards.some((one) => number.bytes().equals(Buffer.from(one.number)));

function bodyOf(request: ChargeRequest, card: KeyedCard, places: CardPlaces): object {
  const { amount, chargeId, sessionId, orderId } = request;
  return {
    // Stable: a connector can recognize a repeated request by it.
    transaction_id: chargeId,
    method: 'charge',
    cardnumber: places.number,
    cvv: places.securityCode,
    expiry_month: places.month,
    expiry_year: places.year,
    ...(card.postalCode !== null && { postal_code: places.postalCode }),
    amount: majorUnits(amount),
    currency_code: amount.currency,
    description: (orderId ?? sessionId).slice(0, MAX_DESCRIPTION_LENGTH),
    // What `<Parameter>` adds: texts by name.
    parameters: { checkout_session_id: sessionId, ...(orderId !== null && { order_id: orderId }) },
  };
}

/** `error_code` says that the charge failed. A response with both or neither says nothing. */
export function outcomeOf(id: string | null, code: string | null): ProcessorAnswer {
  if (id !== null && code === null) return { status: 'succeeded', processorPaymentId: id };
  return id === null && code !== null ? declineOf(code) : unknown('answer');
}

/** Connectors have codes of their own. One that is the same as ours has its meaning. */
function declineOf(code: string): Declined {
  const known = DECLINE_CODES.find((ours): ours is DeclineCode => ours === code.toLowerCase());
  return declinedUnpaid(code, known ?? 'generic_decline');
}

export function faultOf(error: unknown): Fault {
  if (error instanceof UnusableCredentials || error instanceof LoginRejected) return { kind: 'credentials' };
  return error instanceof NoAnswer ? faultOfNoAnswer(error) : { kind: 'unknown', cause: 'answer' };
}
