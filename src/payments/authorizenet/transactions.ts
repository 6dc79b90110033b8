/** Authorize.net's transactions, as its responses and lists have them (AnetApiSchema.xsd). */
import { z } from 'zod';
import type { RefundId } from '../../domain/ids.ts';
import { minorUnits } from '../../domain/money.ts';
import { type CardFacts, declinedUnpaid, type ProcessorAnswer, unknown } from '../port/answers.ts';
import { chargeDescribedAs, type Described, refundDescribedAs } from '../vendor-api/descriptions.ts';
import { BANK_ACCOUNT, BATCH, type DebitState, debitAnswerOf, NOT_TAKEN, RETURNED_ITEMS } from './debit-states.ts';
import { declineOf } from './errors.ts';

/** Amounts are numbers in JSON, IDs text. */
const amount = z.number().or(z.string());

/** `responseCode`: 1 approved, 2 declined, 3 error, 4 held for review. */
export const TRANSACTION_ANSWER = z.object({
  transactionResponse: z.object({
    responseCode: z.string(),
    transId: z.string(),
    refTransID: z.string().optional(),
    accountNumber: z.string().optional(),
    accountType: z.string().optional(),
    splitTenderId: z.string().optional(),
    messages: z.array(z.object({ code: z.string() })).optional(),
    errors: z.array(z.object({ errorCode: z.string() })).optional(),
  }),
});
export type TransactionAnswer = z.infer<typeof TRANSACTION_ANSWER>['transactionResponse'];

/** A transaction in a list. The order's description is not there, only in its details. */
export const SUMMARY = z.object({
  transId: z.string(),
  submitTimeUTC: z.iso.datetime(),
  transactionStatus: z.string(),
  invoiceNumber: z.string().optional(),
});
export type Summary = z.infer<typeof SUMMARY>;

export const DETAILS = z.object({
  transaction: z.object({
    transId: z.string(),
    refTransId: z.string().optional(),
    submitTimeUTC: z.iso.datetime(),
    transactionType: z.string(),
    transactionStatus: z.string(),
    responseReasonCode: z.number().or(z.string()),
    order: z.object({ invoiceNumber: z.string().optional(), description: z.string().optional() }).optional(),
    authAmount: amount.optional(),
    settleAmount: amount.optional(),
    payment: z.object({
      creditCard: z.object({ cardNumber: z.string(), cardType: z.string().optional() }).optional(),
      bankAccount: BANK_ACCOUNT.optional(),
    }),
    batch: BATCH.nullish(),
    returnedItems: RETURNED_ITEMS.nullish(),
  }),
});
export type Details = z.infer<typeof DETAILS>['transaction'];

/** A token of Accept.js as a payment (developer.authorize.net/api/reference/features/acceptjs.html). */
export const tokenPayment = (dataValue: string) => ({
  opaqueData: { dataDescriptor: 'COMMON.ACCEPT.INAPP.PAYMENT', dataValue },
});

/** A transaction that was not recorded has this ID, also one in the account's test mode. */
export const NO_ID = '0';

/** The end of our ID, which is random: `invoiceNumber`, `refId` and `merchantCustomerId` have at most 20 characters. */
export const shortReference = (id: string) => id.slice(-20);

/** Null for a transaction of another system. */
export const describedCharge = ({ order }: Pick<Details, 'order'>): Described | null =>
  chargeDescribedAs(order?.description ?? '');

export const describedRefund = ({ order }: Pick<Details, 'order'>): RefundId | null =>
  refundDescribedAs(order?.description ?? '');

/** Captured, also while a batch is being settled, or disputed later. */
const TAKEN: readonly string[] = [
  'capturedPendingSettlement',
  'pendingSettlement',
  'updatingSettlement',
  'pendingFinalSettlement',
  'settledSuccessfully',
  'chargeback',
  'chargebackReversal',
  'returnedItem',
];

/** Authorized, and not captured yet. */
export const HELD = 'authorizedPendingCapture';
/** "If no action is taken for 30 days, the authorization expires" (AIM guide, Authorization Only). */
const HOLD_MS = 30 * 24 * 3_600_000;

export const captureBeforeOf = ({ submitTimeUTC }: Pick<Details, 'submitTimeUTC'>) =>
  new Date(new Date(submitTimeUTC).getTime() + HOLD_MS);

export const isTaken = ({ transactionStatus }: Pick<Details, 'transactionStatus'>) => TAKEN.includes(transactionStatus);

/** A hold, or a bank debit that was not sent yet: nothing was taken. A voided capture of a card had been taken before. */
export const isReleased = ({ transactionType, transactionStatus, payment }: Details) =>
  transactionStatus === 'voided' && (transactionType === 'authOnlyTransaction' || payment.bankAccount !== undefined);

/** The outcome of a charge of ours. @param now by our clock */
export function answerOfDetails(details: Details, currency: string, now = new Date()): ProcessorAnswer {
  const { transId: processorPaymentId, transactionStatus: status } = details;
  const amountCents = centsOf(details, currency);
  const money = amountCents === null ? null : { amountCents, currency };
  if (details.payment.bankAccount !== undefined) return debitAnswerOf(debitStateOf(details, money), now);
  const card = factsOf(details.payment.creditCard?.cardNumber, details.payment.creditCard?.cardType);
  const facts = { processorPaymentId, ...(card !== null && { card }) };
  if (isTaken(details)) return { status: 'succeeded', ...facts, ...(money !== null && { taken: money }) };
  if (status === HELD) {
    const captureBefore = captureBeforeOf(details);
    return { status: 'authorized', ...facts, captureBefore, ...(money !== null && { held: money }) };
  }
  if (status === 'declined') return declineOf(String(details.responseReasonCode), processorPaymentId);
  if (NOT_TAKEN.includes(status)) return { ...declinedUnpaid(status, 'generic_decline'), processorPaymentId };
  return unknown(status);
}

function debitStateOf(details: Details, taken: DebitState['taken']): DebitState {
  const { transId: processorPaymentId, transactionStatus, batch, returnedItems } = details;
  const settled = batch?.settlementTimeUTC;
  return {
    processorPaymentId,
    transactionStatus,
    reason: String(details.responseReasonCode),
    settledAt: settled === undefined ? null : new Date(settled),
    submittedAt: new Date(details.submitTimeUTC),
    returnedItems: returnedItems ?? [],
    taken,
  };
}

/** The amount in minor units; null if it is missing. A voided transaction has a `settleAmount` of 0 (API reference, examples). */
export function centsOf({ transactionStatus, settleAmount, authAmount }: Details, currency: string): number | null {
  const amount = transactionStatus === 'voided' ? authAmount : (settleAmount ?? authAmount);
  return amount === undefined ? null : minorUnits(String(amount), currency);
}

/** Authorize.net's card types that differ from ours (`CardBrand.label`). */
const BRANDS: Readonly<Record<string, string>> = { AmericanExpress: 'AMERICAN_EXPRESS', DinersClub: 'DINERS_CLUB' };

/** @param masked e.g. `XXXX1111` */
export function factsOf(masked: string | undefined, type: string | undefined): CardFacts | null {
  const lastFour = /^X*(\d{4})$/.exec(masked ?? '')?.[1];
  if (lastFour === undefined || type === undefined || type === '') return null;
  return { brand: BRANDS[type] ?? type.toUpperCase(), lastFour };
}
