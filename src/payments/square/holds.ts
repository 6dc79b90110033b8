/**
 * Holds at Square: payments with `autocomplete: false`
 * (developer.squareup.com/docs/payments-api/take-payments/card-payments/delayed-capture). CompletePayment and
 * CancelPayment have no idempotency key; a payment is completed or canceled once. CompletePayment takes the whole
 * approved amount.
 */
import type { Square } from 'square';
import { type Unknown, unknown } from '../port/answers.ts';
import type { HoldChangeRequest, HoldRequest, HoldState, Holds } from '../port/holds.ts';
import { changeHold, type HoldFailures, readHold } from '../vendor-api/holds.ts';
import type { OpenSquare } from './client.ts';
import { faultOf } from './errors.ts';
import { captureBeforeOf, moneyOf } from './map.ts';

export function squareHolds(open: OpenSquare): Holds {
  const read = (request: HoldRequest, signal: AbortSignal) =>
    readHold(async () => {
      const { square } = await open(request, signal);
      const { payment } = await square.payments.get({ paymentId: request.processorPaymentId });
      return stateOf(request, payment);
    }, faultOf);
  const change = (request: HoldChangeRequest, signal: AbortSignal, call: 'complete' | 'cancel') =>
    changeHold({
      change: async () => {
        const { square } = await open(request, signal);
        if (signal.aborted) return unknown('timeout');
        const { payment } = await square.payments[call]({ paymentId: request.processorPaymentId });
        return stateOf(request, payment);
      },
      read: () => read(request, signal),
      faultOf,
      failures: FAILURES,
    });
  return {
    partial: false,
    read,
    capture: async (request, signal) => {
      const { amount, held } = request;
      if (amount.amountCents === held.amountCents) return change(request, signal, 'complete');
      return { status: 'refused', reason: 'partial_unsupported', processorCode: null };
    },
    void: (request, signal) => change(request, signal, 'cancel'),
  };
}

function stateOf({ chargeId, processorPaymentId }: HoldRequest, payment?: Square.Payment): HoldState | Unknown {
  if (payment === undefined) return unknown('answer');
  // If a server or proxy responds twice, the next request on the connection gets the surplus response.
  const isOurs = payment.id === processorPaymentId && (payment.referenceId ?? chargeId) === chargeId;
  if (!isOurs) return unknown('answer_to_another');
  switch (payment.status) {
    case 'APPROVED':
      return { status: 'held', captureBefore: captureBeforeOf(payment) };
    case 'COMPLETED': {
      const captured = moneyOf(payment);
      return captured === null ? unknown('answer') : { status: 'captured', captured };
    }
    case 'CANCELED':
      return { status: isExpired(payment) ? 'expired' : 'voided' };
    default:
      return unknown(payment.status?.toLowerCase() ?? 'answer');
  }
}

/** Square applies `delay_action: CANCEL` at `delayed_until`. A payment canceled before then was voided. */
function isExpired({ delayedUntil, updatedAt }: Square.Payment): boolean {
  return delayedUntil !== undefined && updatedAt !== undefined && Date.parse(updatedAt) >= Date.parse(delayedUntil);
}

const FAILURES: HoldFailures = { NOT_FOUND: 'not_capturable' };
