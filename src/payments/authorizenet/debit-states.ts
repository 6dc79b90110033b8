/**
 * The state of an eCheck transaction, Authorize.net's bank debit
 * (developer.authorize.net/api/reference/features/echeck.html). `settledSuccessfully` means that it was sent to the bank, not
 * that the bank has paid: a return is listed in the same transaction, days later (`returnedItems`).
 */
import { z } from 'zod';
import { declineOfReturn } from '../../domain/bank-account.ts';
import { type Debited, declinedUnpaid, type ProcessorAnswer, unknown } from '../port/answers.ts';
import { declineOf } from './errors.ts';

/** Both numbers are masked as `XXXX` and the last four digits. */
export const BANK_ACCOUNT = z.object({
  accountType: z.enum(['checking', 'savings', 'businessChecking']).optional(),
  routingNumber: z.string(),
  accountNumber: z.string(),
  nameOnAccount: z.string().optional(),
});

export const BATCH = z.object({ settlementTimeUTC: z.iso.datetime().optional() });

/** Also has notices of change, such as of an account that moved (codes `C01` …). */
export const RETURNED_ITEMS = z.array(z.object({ code: z.string() }));

const RETURN_CODE = /^R\d\d$/;

/** "Merchants might wait up to seven days after submitting echeck transactions to receive the funds." */
const PAID_AFTER_MS = 7 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Accepted, and not sent to the bank yet. */
const UNSENT: readonly string[] = [
  'capturedPendingSettlement',
  'pendingSettlement',
  'updatingSettlement',
  'pendingFinalSettlement',
];

export interface DebitState {
  processorPaymentId: string;
  transactionStatus: string;
  reason: string;
  /** Null until it is settled. */
  settledAt: Date | null;
  submittedAt: Date;
  returnedItems: z.infer<typeof RETURNED_ITEMS>;
  taken: { amountCents: number; currency: string } | null;
}

/** The return code of a debit, such as `R01`. Null if it was not returned. */
export const returnCodeOf = (items: DebitState['returnedItems'] | null | undefined) =>
  items?.find(({ code }) => RETURN_CODE.test(code))?.code ?? null;

/** @param now by our clock */
export function debitAnswerOf(debit: DebitState, now: Date): ProcessorAnswer {
  const { processorPaymentId, transactionStatus: status, taken } = debit;
  const returned = returnCodeOf(debit.returnedItems);
  if (returned !== null || status === 'returnedItem') {
    const declineCode = declineOfReturn(returned);
    return { status: 'declined', declineCode, processorCode: returned ?? status, processorPaymentId };
  }
  if (UNSENT.includes(status)) return { status: 'debited', processorPaymentId, ...(taken !== null && { taken }) };
  if (status === 'settledSuccessfully') return sentAnswer(debit, now);
  if (status === 'declined') return declineOf(debit.reason, processorPaymentId);
  if (!NOT_TAKEN.includes(status)) return unknown(status);
  return { ...declinedUnpaid(status, 'generic_decline'), processorPaymentId };
}

/** Nothing is taken, also from a card. */
export const NOT_TAKEN: readonly string[] = [
  'generalError',
  'communicationError',
  'expired',
  'failedReview',
  'settlementError',
  'voided',
];

function sentAnswer({ processorPaymentId, settledAt, submittedAt, taken }: DebitState, now: Date): ProcessorAnswer {
  const facts: Pick<Debited, 'processorPaymentId' | 'taken'> = {
    processorPaymentId,
    ...(taken !== null && { taken }),
  };
  const leftMs = (settledAt ?? submittedAt).getTime() + PAID_AFTER_MS - now.getTime();
  if (leftMs <= 0) return { status: 'succeeded', ...facts };
  return { status: 'debited', ...facts, settlesInMs: Math.min(leftMs + HOUR_MS, LOOK_EVERY_MS) };
}

/** Returns are listed once a day. */
const LOOK_EVERY_MS = 12 * HOUR_MS;
