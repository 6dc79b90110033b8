/** What a vendor sends back is checked before it is stored, logged or answered: words must be tokens, amounts what was asked. */
import type { Charge } from '../domain/charge.ts';
import type { RefundSettlement } from '../db/refunds/refunds.ts';
import type { Log } from './deps.ts';
import {
  type NotFound,
  type NotOrdered,
  type ProcessorAnswer,
  type RefundAnswer,
  type Succeeded,
  unknown,
} from './ports.ts';

type RefundFailed = Extract<RefundSettlement, { status: 'failed' }>;

/** An id of a vendor, and a code. Nothing that could break a log line, a header or a page. */
const ID = /^[\w.:-]{1,255}$/;
const CODE = /^[\w.:-]{1,100}$/;

const idOrNull = (id: string | null) => (id !== null && ID.test(id) ? id : null);
const codeOrNull = (code: string | null) => (code !== null && CODE.test(code) ? code : null);

/** The answer without what is no token. A success that does not fit the charge is `unknown`, loudly: a person must look. */
export function checkedAnswer<Answer extends ProcessorAnswer | NotFound | NotOrdered>(
  log: Pick<Log, 'error'>,
  charge: Pick<Charge, 'id' | 'processor' | 'amount'>,
  answer: Answer,
): Answer | ProcessorAnswer {
  switch (answer.status) {
    case 'succeeded': {
      const fault = whyNotOurs(charge, answer);
      if (fault === null) return answer;
      log.error({ chargeId: charge.id, processor: charge.processor, fault }, 'processor answered with another payment');
      return unknown(fault);
    }
    case 'declined':
      return {
        ...answer,
        processorCode: codeOrNull(answer.processorCode),
        processorPaymentId: idOrNull(answer.processorPaymentId),
      };
    case 'refused':
      return { ...answer, processorCode: codeOrNull(answer.processorCode) };
    case 'action_required':
      return ID.test(answer.processorPaymentId) ? answer : unknown('payment_id');
    case 'unknown':
    case 'not_found':
    case 'not_ordered':
      return answer;
  }
}

function whyNotOurs({ amount }: Pick<Charge, 'amount'>, { processorPaymentId, taken }: Succeeded): string | null {
  if (!ID.test(processorPaymentId)) return 'payment_id';
  if (taken === undefined) return null;
  return taken.amountCents === amount.amountCents && taken.currency === amount.currency ? null : 'another_amount';
}

/** As {@link checkedAnswer}. */
export function checkedRefundAnswer(answer: RefundAnswer | RefundFailed): RefundAnswer | RefundFailed {
  switch (answer.status) {
    case 'succeeded':
    case 'pending':
      return ID.test(answer.processorRefundId) ? answer : unknown('refund_id');
    case 'failed':
      return { ...answer, processorCode: codeOrNull(answer.processorCode) };
    case 'unknown':
      return answer;
  }
}
