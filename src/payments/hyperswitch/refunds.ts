/**
 * Refunds at Hyperswitch (api-reference.hyperswitch.io/v1/refunds). A refund's ID is ours, so a repeated request is rejected
 * as a duplicate (HE_01), and the refund is read instead.
 */
import { z } from 'zod';
import type { RefundId } from '../../domain/ids.ts';
import { type NotFound, type Unknown, unknown } from '../port/answers.ts';
import type { RefundAnswer, RefundLookupRequest, RefundRequest, Refunds } from '../port/refunds.ts';
import { type RefundFailures, refundFailure } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import type { Hyperswitch, OpenHyperswitch } from './client.ts';
import { DUPLICATE, faultOf, isError, MISSING } from './errors.ts';
import { hyperswitchRefundId } from './payments.ts';

const REFUND = z.object({
  refund_id: z.string(),
  status: z.string(),
  error_code: z.string().nullish(),
});
type Refund = z.infer<typeof REFUND>;

export function hyperswitchRefunds(open: OpenHyperswitch): Refunds {
  return {
    async refund(request, signal) {
      try {
        const api = await open(request, signal);
        return signal.aborted ? unknown('timeout') : answerOf(request, await createRefund(api, request));
      } catch (error) {
        return refundFailure(faultOf(error), FAILURES);
      }
    },
    lookUp: (request, signal) => lookUpRefund(open, request, signal),
  };
}

const readRefund = (api: Hyperswitch, id: string, onAnswer?: (answer: Pick<Response, 'headers'>) => void) =>
  api.ask('GET', `/refunds/${encodeURIComponent(id)}`, REFUND, { onAnswer });

async function createRefund(api: Hyperswitch, request: RefundRequest): Promise<Refund> {
  const { refundId, processorPaymentId, amount } = request;
  const id = hyperswitchRefundId(refundId);
  try {
    return await api.ask('POST', '/refunds', REFUND, {
      body: { refund_id: id, payment_id: processorPaymentId, amount: amount.amountCents },
    });
  } catch (error) {
    if (!isError(error, [DUPLICATE])) throw error;
    return readRefund(api, id);
  }
}

function lookUpRefund(
  open: OpenHyperswitch,
  request: RefundLookupRequest,
  signal: AbortSignal,
): Promise<RefundAnswer | NotFound | Unknown> {
  return lookUpListed<Refund, RefundAnswer>(
    request,
    async (onAnswer) => {
      const api = await open(request, signal);
      return readRefund(api, idOf(request), onAnswer).catch((error: unknown) => {
        if (isError(error, MISSING)) return null;
        throw error;
      });
    },
    (refund) => answerOf(request, refund),
    faultOf,
  );
}

/** One that was made in the Control Center has another ID. */
const idOf = ({ refundId, processorRefundId }: { refundId: RefundId; processorRefundId?: string | null }) =>
  processorRefundId ?? hyperswitchRefundId(refundId);

function answerOf(request: { refundId: RefundId; processorRefundId?: string | null }, refund: Refund): RefundAnswer {
  const { refund_id: processorRefundId, status, error_code: code } = refund;
  if (processorRefundId !== idOf(request)) return unknown('answer_to_another');
  switch (status) {
    case 'succeeded':
      return { status, processorRefundId };
    case 'pending':
    case 'review':
      return { status: 'pending', processorRefundId };
    case 'failed':
      return { status, reason: 'refused', processorCode: code ?? null };
    default:
      return unknown(status);
  }
}

/** IR_13: "Refund amount exceeds the payment amount". IR_14: the payment has not the status for it. */
const FAILURES: RefundFailures = {
  HE_02: 'not_refundable',
  HE_04: 'not_refundable',
  IR_13: 'amount_too_large',
  IR_14: 'not_refundable',
};
