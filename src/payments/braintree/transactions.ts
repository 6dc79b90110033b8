/** Braintree's transactions, as its responses have them (github.com/braintree/graphql-api, `Transaction`). */
import { z } from 'zod';
import { minorUnits } from '../../domain/money.ts';
import {
  type CardFacts,
  declinedUnpaid,
  type ProcessorAnswer,
  type ProcessorCard,
  refused,
  unknown,
} from '../port/answers.ts';
import { chargeDescribedAs, type Described } from '../vendor-api/descriptions.ts';
import type { Braintree } from './client.ts';
import { declineOf, isOfAccount, rejectionOf } from './errors.ts';

export const MONEY = z.object({ value: z.string(), currencyCode: z.string() });
type Amount = z.infer<typeof MONEY>;
const BRAND = z.object({ brandCode: z.string().nullish(), last4: z.string().nullish() });
const RESPONSE = z.object({ legacyCode: z.string().nullish() }).nullish();

export const PAYMENT_METHOD = z.object({
  id: z.string(),
  usage: z.string().nullish(),
  details: z
    .object({
      brandCode: z.string().nullish(),
      last4: z.string().nullish(),
      expirationMonth: z.string().nullish(),
      expirationYear: z.string().nullish(),
      uniqueNumberIdentifier: z.string().nullish(),
    })
    .nullish(),
});
export type PaymentMethod = z.infer<typeof PAYMENT_METHOD>;

export const PAYMENT_METHOD_FIELDS = `id usage details {
  ... on CreditCardDetails { brandCode last4 expirationMonth expirationYear uniqueNumberIdentifier }
}`;

const STATUS_EVENT = z.object({
  status: z.string(),
  authorizationExpiresAt: z.string().nullish(),
  processorResponse: RESPONSE,
  gatewayRejectionReason: z.string().nullish(),
  duplicateOf: z.object({ id: z.string() }).nullish(),
});

export const REFUND = z.object({
  id: z.string(),
  orderId: z.string().nullish(),
  status: z.string(),
  createdAt: z.string(),
  amount: MONEY,
});
export type BraintreeRefund = z.infer<typeof REFUND>;

export const REFUND_FIELDS = 'id orderId status createdAt amount { value currencyCode }';

export const TRANSACTION = z.object({
  id: z.string(),
  orderId: z.string().nullish(),
  status: z.string(),
  createdAt: z.string(),
  amount: MONEY,
  paymentMethodSnapshot: BRAND.extend({ creditCard: BRAND.nullish() }).nullish(),
  paymentMethod: PAYMENT_METHOD.nullish(),
  statusHistory: z.array(STATUS_EVENT),
  refunds: z.array(REFUND).nullish(),
});
export type Transaction = z.infer<typeof TRANSACTION>;

export const TRANSACTION_FIELDS = `id orderId status createdAt amount { value currencyCode }
paymentMethodSnapshot {
  ... on CreditCardDetails { brandCode last4 }
  ... on CreditCardTransactionDetails { creditCard { brandCode last4 } }
}
paymentMethod { ${PAYMENT_METHOD_FIELDS} }
statusHistory {
  status
  ... on AuthorizedEvent { authorizationExpiresAt }
  ... on ProcessorDeclinedEvent { processorResponse { legacyCode } }
  ... on FailedEvent { processorResponse { legacyCode } }
  ... on GatewayRejectedEvent { gatewayRejectionReason duplicateOf { id } }
}
refunds { ${REFUND_FIELDS} }`;

const READ = `query ReadTransaction($id: ID!) { node(id: $id) { ... on Transaction { ${TRANSACTION_FIELDS} } } }`;

/** @throws GraphqlError if there is none */
export async function readTransaction(
  api: Braintree,
  id: string,
  onAnswer?: (answer: Pick<Response, 'headers'>) => void,
): Promise<Transaction> {
  return (await api.ask(READ, { id }, z.object({ node: TRANSACTION }), { onAnswer })).node;
}

export const describedTransaction = ({ orderId }: Pick<Transaction, 'orderId'>): Described | null =>
  chargeDescribedAs(orderId ?? '');

/** In minor units; null if it is not an amount of its currency. */
export const centsOf = ({ value, currencyCode }: Amount): number | null =>
  minorUnits(/\./.test(value) ? value.replace(/\.?0+$/, '') : value, currencyCode);

const TAKEN: readonly string[] = ['SUBMITTED_FOR_SETTLEMENT', 'SETTLING', 'SETTLED', 'SETTLEMENT_PENDING'];

export const isTaken = ({ status }: Transaction) => TAKEN.includes(status);

/** It was captured before it was voided, so the void is a refund. */
export const isVoidedCapture = ({ status, statusHistory }: Transaction) =>
  status === 'VOIDED' && statusHistory.some((event) => TAKEN.includes(event.status));

export function captureBeforeOf({ statusHistory }: Transaction): Date | null {
  const event = statusHistory.find(({ status }) => status === 'AUTHORIZED');
  const time = new Date(event?.authorizationExpiresAt ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}

const eventOf = ({ status, statusHistory }: Transaction) => statusHistory.find((event) => event.status === status);

/** Of a transaction that was rejected as a duplicate: the ID of the first one, if Braintree says it; otherwise undefined. */
export function duplicateOf(transaction: Transaction): { originalId: string | null } | undefined {
  if (transaction.status !== 'GATEWAY_REJECTED') return undefined;
  const event = eventOf(transaction);
  return event?.gatewayRejectionReason === 'DUPLICATE' ? { originalId: event.duplicateOf?.id ?? null } : undefined;
}

/** The outcome of a charge or hold of ours. */
export function answerOf(transaction: Transaction): ProcessorAnswer {
  const { id, status, amount } = transaction;
  const amountCents = centsOf(amount);
  const money = amountCents === null ? null : { amountCents, currency: amount.currencyCode };
  const card = factsOf(transaction.paymentMethodSnapshot?.creditCard ?? transaction.paymentMethodSnapshot);
  const savedCard = savedWith(transaction);
  const facts = { processorPaymentId: id, ...(card !== null && { card }), ...(savedCard !== null && { savedCard }) };
  if (isTaken(transaction)) return { status: 'succeeded', ...facts, ...(money !== null && { taken: money }) };
  switch (status) {
    case 'AUTHORIZED': {
      const captureBefore = captureBeforeOf(transaction);
      return { status: 'authorized', ...facts, captureBefore, ...(money !== null && { held: money }) };
    }
    case 'PROCESSOR_DECLINED':
    case 'FAILED':
      return declineOf(eventOf(transaction)?.processorResponse?.legacyCode ?? null, id);
    case 'GATEWAY_REJECTED': {
      const reason = eventOf(transaction)?.gatewayRejectionReason ?? 'UNKNOWN';
      if (reason === 'DUPLICATE') return unknown('duplicate');
      return isOfAccount(reason) ? refused(reason) : rejectionOf(reason, id);
    }
    case 'VOIDED':
    case 'AUTHORIZATION_EXPIRED':
    case 'SETTLEMENT_DECLINED':
      return { ...declinedUnpaid(status, 'generic_decline'), processorPaymentId: id };
    // AUTHORIZING; SETTLEMENT_CONFIRMED is of partial captures that Ringkey does not make.
    default:
      return unknown(status.toLowerCase());
  }
}

const BRANDS: Readonly<Record<string, string>> = {
  DINERS: 'DINERS_CLUB',
  INTERNATIONAL_MAESTRO: 'MAESTRO',
  UK_MAESTRO: 'MAESTRO',
  UNION_PAY: 'UNIONPAY',
};

function factsOf(card: z.infer<typeof BRAND> | null | undefined): CardFacts | null {
  const { brandCode, last4: lastFour } = card ?? {};
  if (brandCode == null || lastFour == null) return null;
  const brand = brandCode.toUpperCase();
  return { brand: BRANDS[brand] ?? brand, lastFour };
}

export function cardOf({ id: handle, usage, details }: PaymentMethod): ProcessorCard | null {
  const facts = factsOf(details);
  const { expirationMonth, expirationYear, uniqueNumberIdentifier: fingerprint = null } = details ?? {};
  if (usage !== 'MULTI_USE' || facts === null || expirationMonth == null || expirationYear == null) return null;
  return {
    handle,
    fingerprint,
    ...facts,
    expiryMonth: Number(expirationMonth),
    expiryYear: Number(expirationYear),
  };
}

/** The card that was saved with the charge. A charge of a saved card names that card, too. */
function savedWith(transaction: Transaction): ProcessorCard | null {
  const { paymentMethod } = transaction;
  if (paymentMethod == null || describedTransaction(transaction)?.source === 'saved_card') return null;
  return cardOf(paymentMethod);
}
