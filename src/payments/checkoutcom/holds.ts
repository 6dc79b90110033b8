/**
 * Holds at Checkout.com: payments with `capture: false`. Captures and voids are accepted (202) and processed a moment later,
 * so the payment is read after each. `capture_type: Final` releases the rest.
 */
import { z } from 'zod';
import { type Unknown, unknown } from '../port/answers.ts';
import type { HoldChangeRequest, HoldRequest, HoldState, Holds } from '../port/holds.ts';
import { changeHold, type HoldFailures, readHold } from '../vendor-api/holds.ts';
import type { OpenCheckoutCom } from './client.ts';
import { faultOf } from './errors.ts';
import { captureBeforeOf, isCaptured, isOf, type Payment, readPayment } from './payments.ts';

const ACCEPTED = z.object({ action_id: z.string() });

export function checkoutComHolds(open: OpenCheckoutCom): Holds {
  const read = (request: HoldRequest, signal: AbortSignal) =>
    readHold(
      async () => stateOf(request, await readPayment(await open(request, signal), request.processorPaymentId)),
      faultOf,
    );
  const change = (request: HoldChangeRequest, signal: AbortSignal, what: 'captures' | 'voids', body: object) =>
    changeHold({
      change: async () => {
        const api = await open(request, signal);
        if (signal.aborted) return unknown('timeout');
        const { changeId, processorPaymentId: id } = request;
        const path = `/payments/${encodeURIComponent(id)}/${what}`;
        await api.ask('POST', path, ACCEPTED, { body: { ...body, reference: changeId }, idempotencyKey: changeId });
        return stateOf(request, await readPayment(api, id));
      },
      read: () => read(request, signal),
      faultOf,
      failures: FAILURES,
    });
  return {
    partial: true,
    read,
    capture: (request, signal) =>
      change(request, signal, 'captures', { amount: request.amount.amountCents, capture_type: 'Final' }),
    void: (request, signal) => change(request, signal, 'voids', {}),
  };
}

function stateOf({ chargeId }: HoldRequest, payment: Payment): HoldState | Unknown {
  if (!isOf(payment, chargeId)) return unknown('answer_to_another');
  if (isCaptured(payment)) {
    const { balances, currency } = payment;
    if (balances == null) return unknown('answer');
    return { status: 'captured', captured: { amountCents: balances.total_captured, currency } };
  }
  switch (payment.status) {
    case 'Authorized':
      return { status: 'held', captureBefore: captureBeforeOf(payment) };
    case 'Voided':
      return { status: 'voided' };
    case 'Expired':
      return { status: 'expired' };
    default:
      return unknown(payment.status.toLowerCase().replaceAll(' ', '_'));
  }
}

const FAILURES: HoldFailures = {
  http_404: 'not_capturable',
  capture_value_greater_than_authorized: 'amount_too_large',
  amount_exceeds_balance: 'amount_too_large',
};
