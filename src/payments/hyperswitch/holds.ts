/**
 * Holds at Hyperswitch: payments with `capture_method: manual`, then POST /payments/{id}/capture or /cancel. A payment is
 * captured once. Hyperswitch does not say when the connector releases a hold.
 */
import { type Unknown, unknown } from '../port/answers.ts';
import type { CaptureRequest, HoldAnswer, HoldChangeRequest, HoldRequest, HoldState, Holds } from '../port/holds.ts';
import { changeHold, type HoldFailures, readHold } from '../vendor-api/holds.ts';
import type { OpenHyperswitch } from './client.ts';
import { faultOf } from './errors.ts';
import { capturedOf, isCaptured, PAYMENT, type Payment, paymentIdOf, readPayment } from './payments.ts';

export function hyperswitchHolds(open: OpenHyperswitch): Holds {
  const read = (request: HoldRequest, signal: AbortSignal) =>
    readHold(
      async () => stateOf(request, await readPayment(await open(request, signal), request.processorPaymentId)),
      faultOf,
    );
  const change = (request: HoldChangeRequest, signal: AbortSignal, what: 'capture' | 'cancel', body: object) =>
    changeHold({
      change: async () => {
        const api = await open(request, signal);
        if (signal.aborted) return unknown('timeout');
        const path = `/payments/${encodeURIComponent(request.processorPaymentId)}/${what}`;
        return stateOf(request, await api.ask('POST', path, PAYMENT, { body }));
      },
      read: () => read(request, signal),
      faultOf,
      failures: FAILURES,
    });
  return {
    partial: true,
    read,
    capture: (request, signal) =>
      request.amount.amountCents > request.held.amountCents
        ? tooMuch(read, request, signal)
        : change(request, signal, 'capture', { amount_to_capture: request.amount.amountCents }),
    void: (request, signal) => change(request, signal, 'cancel', {}),
  };
}

/** Not sent: the code of this error is also that of others (IR_05). */
async function tooMuch(read: Holds['read'], request: CaptureRequest, signal: AbortSignal): Promise<HoldAnswer> {
  const state = await read(request, signal);
  if (state.status !== 'held') return state;
  return { status: 'refused', reason: 'amount_too_large', processorCode: null };
}

function stateOf({ chargeId }: HoldRequest, payment: Payment): HoldState | Unknown {
  if (payment.payment_id !== paymentIdOf(chargeId)) return unknown('answer_to_another');
  if (isCaptured(payment)) {
    const amountCents = capturedOf(payment);
    if (amountCents === null) return unknown('amount_received');
    return { status: 'captured', captured: { amountCents, currency: payment.currency } };
  }
  switch (payment.status) {
    case 'requires_capture':
      return { status: 'held', captureBefore: null };
    case 'cancelled':
      return { status: 'voided' };
    case 'expired':
      return { status: 'expired' };
    default:
      return unknown(payment.status);
  }
}

const FAILURES: HoldFailures = { HE_02: 'not_capturable', HE_04: 'not_capturable' };
