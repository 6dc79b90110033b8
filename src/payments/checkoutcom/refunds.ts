/**
 * Refunds at Checkout.com: POST /payments/{id}/refunds is accepted (202) and processed later. The payment's actions have the
 * outcome, with our reference.
 */
import { z } from 'zod';
import { type NotFound, type Unknown, unknown } from '../port/answers.ts';
import type { RefundAnswer, RefundLookupRequest, RefundRequest, Refunds } from '../port/refunds.ts';
import { type RefundFailures, refundFailure } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import type { CheckoutCom, OpenCheckoutCom } from './client.ts';
import { faultOf } from './errors.ts';
import { type Action, isCaptured, readActions, readPayment } from './payments.ts';

const ACCEPTED = z.object({ action_id: z.string() });

export function checkoutComRefunds(open: OpenCheckoutCom): Refunds {
  return {
    async refund(request, signal) {
      try {
        const api = await open(request, signal);
        return signal.aborted ? unknown('timeout') : await refundPayment(api, request);
      } catch (error) {
        return refundFailure(faultOf(error), FAILURES);
      }
    },
    lookUp: (request, signal) => lookUpRefund(open, request, signal),
  };
}

async function refundPayment(api: CheckoutCom, request: RefundRequest): Promise<RefundAnswer> {
  const { refundId, processorPaymentId: id, amount } = request;
  try {
    const { action_id: actionId } = await api.ask('POST', `/payments/${encodeURIComponent(id)}/refunds`, ACCEPTED, {
      body: { amount: amount.amountCents, reference: refundId },
      idempotencyKey: refundId,
    });
    const made = await readActions(api, id).then(
      (actions) => actions.find((action) => action.id === actionId),
      () => undefined,
    );
    return made === undefined ? { status: 'pending', processorRefundId: actionId } : outcomeOf(made);
  } catch (error) {
    const fault = faultOf(error);
    // "Action not allowed": the payment's state says why.
    return fault.kind === 'refused' && fault.code === 'http_403' ? whyNotAllowed(api, request) : Promise.reject(error);
  }
}

async function whyNotAllowed(api: CheckoutCom, request: RefundRequest): Promise<RefundAnswer> {
  const { amount, processorPaymentId } = request;
  const payment = await readPayment(api, processorPaymentId);
  const failed = (reason: 'amount_too_large' | 'not_refundable' | 'refused'): RefundAnswer => ({
    status: 'failed',
    reason,
    processorCode: 'http_403',
  });
  if (!isCaptured(payment)) {
    // Checkout.com captures it a moment after it was approved.
    const isOnItsWay = payment.status === 'Authorized' && payment.metadata?.ringkey_capture === 'automatic';
    return isOnItsWay ? unknown('capture_pending') : failed('not_refundable');
  }
  const left = payment.balances?.available_to_refund ?? 0;
  return failed(left < amount.amountCents ? 'amount_too_large' : 'refused');
}

function lookUpRefund(
  open: OpenCheckoutCom,
  request: RefundLookupRequest,
  signal: AbortSignal,
): Promise<RefundAnswer | NotFound | Unknown> {
  const { refundId, processorRefundId, processorPaymentId } = request;
  return lookUpListed<Action | 'accepted', RefundAnswer>(
    request,
    async (onAnswer) => {
      const api = await open(request, signal);
      const actions = await readActions(api, processorPaymentId, onAnswer);
      const found = actions.find(
        ({ type, id, reference }) => type === 'Refund' && (id === processorRefundId || reference === refundId),
      );
      return found ?? (processorRefundId === null ? null : 'accepted');
    },
    (found) => (found === 'accepted' ? unknown(found) : outcomeOf(found)),
    faultOf,
  );
}

function outcomeOf({ id, approved, response_code: code }: Action): RefundAnswer {
  if (approved === true) return { status: 'succeeded', processorRefundId: id };
  if (approved === false) return { status: 'failed', reason: 'refused', processorCode: code ?? null };
  return { status: 'pending', processorRefundId: id };
}

const FAILURES: RefundFailures = {
  http_404: 'not_refundable',
  amount_exceeds_balance: 'amount_too_large',
  amount_invalid: 'amount_too_large',
};
