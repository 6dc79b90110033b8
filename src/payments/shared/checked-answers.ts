/**
 * Checks every value from a processor before it is stored, logged or returned: words must be tokens, amounts must be
 * the requested ones, and no value may contain a card number.
 * A code with a card number is dropped. An ID with one is replaced ({@link withheldId}), because the payment was taken
 * all the same. Authorize.net's IDs have digits only, but fewer than a card number. If they grow, its payments are refunded
 * by our charge ID.
 */

import { findCharge } from '../../db/charges/charges.ts';
import type { Sql } from '../../db/pool.ts';
import type { RefundSettlement } from '../../db/refunds/refunds.ts';
import { holdsCardNumber } from '../../domain/card-data.ts';
import { type Charge, isVerification } from '../../domain/charge.ts';
import type { RefundId } from '../../domain/ids.ts';
import type { Refund } from '../../domain/refund.ts';
import {
  type Authorized,
  type CardFacts,
  type Debited,
  isApproved,
  type NotFound,
  type NotOrdered,
  type ProcessorAnswer,
  type ProcessorCard,
  type Succeeded,
  type Unknown,
  unknown,
} from '../port/answers.ts';
import type { Credentials } from '../port/credentials.ts';
import type { HoldAnswer, HoldState } from '../port/holds.ts';
import type { Processor } from '../port/processor.ts';
import type { RefundAnswer } from '../port/refunds.ts';
import type { SavedCardAnswer } from '../port/saved-cards.ts';
import type { Log } from './deps.ts';

type RefundFailed = Extract<RefundSettlement, { status: 'failed' }>;

/** A vendor's ID or code. It cannot break a log line, a header or a page. */
const ID = /^[\w.:-]{1,255}$/;
const CODE = /^[\w.:-]{1,100}$/;
/** The handle of a saved card; it may have several parts. */
const HANDLE = /^[\w.:/+=-]{1,512}$/;
const BRAND = /^[A-Z][A-Z0-9_ -]{0,39}$/i;
const LAST_FOUR = /^\d{4}$/;

const isSafe = (form: RegExp, text: string) => form.test(text) && !holdsCardNumber(text);
/** A vendor's ID if it may be stored and shown; otherwise null. */
export const idOrNull = (id: string | null) => (id !== null && isSafe(ID, id) ? id : null);
export const codeOrNull = (code: string | null) => (code !== null && isSafe(CODE, code) ? code : null);
/** An adapter's words for the log, which may contain a vendor's code. */
const causeOf = (cause: string) => (cause.length <= 100 && !holdsCardNumber(cause) ? cause : 'unreadable');

type Checked = Pick<Charge, 'id' | 'processor' | 'amount' | 'capture'>;

/**
 * Drops every value that is not a token. A success that does not match the charge becomes `unknown` and is logged as an
 * error: an operator must look.
 */
export function checkedAnswer<Answer extends ProcessorAnswer | NotFound | NotOrdered>(
  log: Pick<Log, 'error'>,
  charge: Checked,
  answer: Answer,
): Answer | ProcessorAnswer {
  switch (answer.status) {
    case 'succeeded':
    case 'authorized': {
      const fault = foreignReason(charge, answer);
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
    case 'debited':
      return checkedDebit(log, charge, answer);
    case 'action_required':
      return isSafe(ID, answer.processorPaymentId) ? answer : unknown('payment_id');
    case 'unknown':
      return unknown(causeOf(answer.cause));
    case 'not_ordered':
    case 'not_found':
      return answer;
  }
}

function checkedDebit(log: Pick<Log, 'error'>, { id, processor, amount }: Checked, answer: Debited): Debited | Unknown {
  const { processorPaymentId, taken } = answer;
  const isOther =
    taken !== undefined && (taken.amountCents !== amount.amountCents || taken.currency !== amount.currency);
  const fault = !ID.test(processorPaymentId) ? 'payment_id' : isOther ? 'another_amount' : null;
  if (fault !== null) {
    log.error({ chargeId: id, processor, fault }, 'processor returned another payment');
    return unknown(fault);
  }
  return holdsCardNumber(processorPaymentId) ? { ...answer, processorPaymentId: withheldId(id) } : answer;
}

function foreignReason({ amount, capture }: Checked, answer: Succeeded | Authorized): string | null {
  if (!ID.test(answer.processorPaymentId)) return 'payment_id';
  if (isVerification({ amount }) && (answer.savedCard === undefined || !isKeepable(answer.savedCard))) return 'no_card';
  // The charge was to take the money.
  if (answer.status === 'authorized' && capture !== 'manual') return 'authorized';
  const told = answer.status === 'authorized' ? answer.held : answer.taken;
  if (told === undefined) return null;
  // A hold may have been captured in part, in the vendor's dashboard.
  const isPart = capture === 'manual' && answer.status === 'succeeded' && told.amountCents < amount.amountCents;
  return (told.amountCents === amount.amountCents || isPart) && told.currency === amount.currency
    ? null
    : 'another_amount';
}

function withoutCardNumbers<Paid extends Succeeded | Authorized>(
  log: Pick<Log, 'error'>,
  { id, processor }: Checked,
  answer: Paid,
): Paid {
  const { card, savedCard, processorPaymentId } = answer;
  const isWithheld = holdsCardNumber(processorPaymentId);
  if (isWithheld) log.error({ chargeId: id, processor }, 'payment ID may be a card number: it is not stored');
  const checked = { ...answer, processorPaymentId: isWithheld ? withheldId(id) : processorPaymentId };
  if (card !== undefined && !areFacts(card)) delete checked.card;
  if (savedCard !== undefined && !isKeepable(savedCard)) delete checked.savedCard;
  return checked;
}

const areFacts = ({ brand, lastFour }: CardFacts) => isSafe(BRAND, brand) && LAST_FOUR.test(lastFour);

const isKeepable = ({ handle, fingerprint, ...facts }: ProcessorCard) =>
  areFacts(facts) && isSafe(HANDLE, handle) && (fingerprint === null || !holdsCardNumber(fingerprint));

/** The answer of a hold, with a cause that can be logged. Its other words are checked when they are written. */
export function checkedHold<Answer extends HoldState | HoldAnswer>(answer: Answer): Answer | Unknown {
  return answer.status === 'unknown' ? unknown(causeOf(answer.cause)) : answer;
}

/** A card whose facts contain a card number is not saved. */
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
      // Without the processor's ID, the refund is looked up by ours.
      return isSafe(ID, answer.processorRefundId) ? answer : unknown('refund_id');
    case 'failed':
      return { ...answer, processorCode: codeOrNull(answer.processorCode) };
    case 'unknown':
      return { ...answer, cause: causeOf(answer.cause) };
  }
}

/**
 * Replaces a processor's ID that may be a card number: such an ID is neither stored nor logged, and cannot be derived
 * from its replacement. @param id of our charge or refund
 */
export const withheldId = (id: string) => `withheld-${id}`;

/**
 * The processor's ID of a refund's payment. If it is withheld, the processor is asked for it by our charge ID, because
 * the refund needs the real one. It is held in memory only.
 * @returns null if it is withheld and the processor does not return it now
 */
export async function paymentIdOf(
  sql: Sql,
  processor: Processor,
  { chargeId, mode, processorPaymentId }: Pick<Refund, 'chargeId' | 'mode' | 'processorPaymentId'>,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<string | null> {
  if (processorPaymentId !== withheldId(chargeId)) return processorPaymentId;
  const charge = await findCharge(sql, chargeId);
  if (charge === null) return null;
  const found = await processor.lookUp({ chargeId, mode, createdAt: charge.createdAt, credentials }, signal);
  return isApproved(found) ? found.processorPaymentId : null;
}
