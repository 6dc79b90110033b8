/**
 * What a vendor sends back is checked before it is stored, logged or answered: words must be tokens, amounts what was
 * asked, and nothing may hold a card number. A code with one is dropped. An id with one is replaced (withheld-id.ts):
 * the payment was taken all the same. No processor that there is an adapter for makes ids of digits alone, so such an
 * id is an echo of a card; an adapter for one that does would have its payments refunded by our charge id.
 */

import type { RefundSettlement } from '../db/refunds/refunds.ts';
import { holdsCardNumber } from '../domain/card-data.ts';
import type { Charge } from '../domain/charge.ts';
import type { RefundId } from '../domain/ids.ts';
import type { Log } from './deps.ts';
import {
  type CardFacts,
  type KeptCard,
  type NotFound,
  type NotOrdered,
  type ProcessorAnswer,
  type RefundAnswer,
  type SavedCardAnswer,
  type Succeeded,
  unknown,
} from './ports.ts';
import { withheldId } from './withheld-id.ts';

type RefundFailed = Extract<RefundSettlement, { status: 'failed' }>;

/** An id of a vendor, and a code. Nothing that could break a log line, a header or a page. */
const ID = /^[\w.:-]{1,255}$/;
const CODE = /^[\w.:-]{1,100}$/;
/** Of a card that is kept: also the parts of a handle. */
const HANDLE = /^[\w.:/+=-]{1,512}$/;
const BRAND = /^[A-Z][A-Z0-9_ -]{0,39}$/i;
const LAST_FOUR = /^\d{4}$/;

const isSafe = (form: RegExp, text: string) => form.test(text) && !holdsCardNumber(text);
/** An id of a vendor that may be stored and shown; null for any other. */
export const idOrNull = (id: string | null) => (id !== null && isSafe(ID, id) ? id : null);
const codeOrNull = (code: string | null) => (code !== null && isSafe(CODE, code) ? code : null);
/** Words of an adapter for the log, with a vendor's code in them at times. */
const causeOf = (cause: string) => (cause.length <= 100 && !holdsCardNumber(cause) ? cause : 'unreadable');

type Checked = Pick<Charge, 'id' | 'processor' | 'amount'>;

/**
 * The answer without what is no token. A success that does not fit the charge is `unknown`, loudly: a person must look.
 */
export function checkedAnswer<Answer extends ProcessorAnswer | NotFound | NotOrdered>(
  log: Pick<Log, 'error'>,
  charge: Checked,
  answer: Answer,
): Answer | ProcessorAnswer {
  switch (answer.status) {
    case 'succeeded': {
      const fault = whyNotOurs(charge, answer);
      if (fault === null) return withoutCardNumbers(log, charge, answer);
      log.error({ chargeId: charge.id, processor: charge.processor, fault }, 'processor returned another payment');
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
      return isSafe(ID, answer.processorPaymentId) ? answer : unknown('payment_id');
    case 'unknown':
      return unknown(causeOf(answer.cause));
    case 'not_ordered':
    case 'not_found':
      return answer;
  }
}

function whyNotOurs({ amount }: Pick<Charge, 'amount'>, { processorPaymentId, taken }: Succeeded): string | null {
  if (!ID.test(processorPaymentId)) return 'payment_id';
  if (taken === undefined) return null;
  return taken.amountCents === amount.amountCents && taken.currency === amount.currency ? null : 'another_amount';
}

function withoutCardNumbers(log: Pick<Log, 'error'>, { id, processor }: Checked, answer: Succeeded): Succeeded {
  const { card, kept, processorPaymentId, ...rest } = answer;
  const isWithheld = holdsCardNumber(processorPaymentId);
  if (isWithheld) log.error({ chargeId: id, processor }, 'payment ID may be a card number: it is not stored');
  return {
    ...rest,
    processorPaymentId: isWithheld ? withheldId(id) : processorPaymentId,
    ...(card !== undefined && areFacts(card) && { card }),
    ...(kept !== undefined && isKeepable(kept) && { kept }),
  };
}

const areFacts = ({ brand, lastFour }: CardFacts) => isSafe(BRAND, brand) && LAST_FOUR.test(lastFour);

const isKeepable = ({ handle, fingerprint, ...facts }: KeptCard) =>
  areFacts(facts) && isSafe(HANDLE, handle) && (fingerprint === null || !holdsCardNumber(fingerprint));

/** A card with a number in its facts is not saved. */
export function checkedSavedCard(answer: SavedCardAnswer): SavedCardAnswer {
  return answer.status === 'saved' && !isKeepable(answer) ? { status: 'refused' } : answer;
}

/** As {@link checkedAnswer}. */
export function checkedRefundAnswer(id: RefundId, answer: RefundAnswer | RefundFailed): RefundAnswer | RefundFailed {
  switch (answer.status) {
    case 'succeeded':
      if (!ID.test(answer.processorRefundId)) return unknown('refund_id');
      return holdsCardNumber(answer.processorRefundId) ? { ...answer, processorRefundId: withheldId(id) } : answer;
    case 'pending':
      // Without its id it is looked up by ours.
      return isSafe(ID, answer.processorRefundId) ? answer : unknown('refund_id');
    case 'failed':
      return { ...answer, processorCode: codeOrNull(answer.processorCode) };
    case 'unknown':
      return { ...answer, cause: causeOf(answer.cause) };
  }
}
