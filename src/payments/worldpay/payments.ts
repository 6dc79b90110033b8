/**
 * Worldpay's payments, as its Payment Queries API has them: a history of events, each request with a `commandId` that its
 * outcome repeats, and links to what can be done next (docs.worldpay.com/access/products/payment-queries/retrieve-by-payment-id).
 */
import { z } from 'zod';
import type { ChargeId } from '../../domain/ids.ts';
import { type CardFacts, declinedUnpaid, type ProcessorAnswer, unknown } from '../port/answers.ts';
import type { JsonRequest } from '../vendor-api/json-request.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import type { Worldpay } from './client.ts';
import { declineOf, isMissing } from './errors.ts';

const MONEY = z.object({ currency: z.string(), amount: z.number() });
const LINK = z.object({ href: z.string() });

const EVENT = z.object({
  eventName: z.string(),
  commandId: z.string().nullish(),
  value: MONEY.nullish(),
  refundReference: z.string().nullish(),
  code: z.string().nullish(),
  error: z.object({ name: z.string().nullish() }).nullish(),
});
type Event = z.infer<typeof EVENT>;

const PAYMENT = z.object({
  paymentId: z.string(),
  transactionReference: z.string(),
  value: MONEY,
  events: z.array(EVENT),
  paymentInstrument: z
    .object({
      card: z
        .object({ number: z.object({ last4Digits: z.string() }).nullish(), brand: z.string().nullish() })
        .nullish(),
    })
    .nullish(),
  _links: z.record(z.string(), z.unknown()),
});
export type Payment = z.infer<typeof PAYMENT>;

/** The form of an ID (retrieve-by-payment-id, `paymentId`). */
const PAYMENT_ID = /^[A-Za-z0-9_-]{25,36}$/;

export const canBePayment = (id: string) => PAYMENT_ID.test(id);

/** @returns null if it is not there. "There may be a delay of up to 60 seconds" after it was made (/payment-queries). */
export async function readPayment(api: Worldpay, id: string): Promise<Payment | null> {
  try {
    return await api.ask('queries', 'GET', `/paymentQueries/payments/${encodeURIComponent(id)}`, PAYMENT);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const LIST = z.object({
  _links: z.object({ self: LINK }),
  _embedded: z.object({ payments: z.array(z.object({ _links: z.object({ self: LINK }) })).nullish() }),
});

/** The payments with our reference. A rejected repetition may be listed as a payment of its own. */
export async function findPayments(
  api: Worldpay,
  chargeId: ChargeId,
  onAnswer?: JsonRequest['onAnswer'],
): Promise<Payment[]> {
  const path = `/paymentQueries/payments?${new URLSearchParams({ transactionReference: chargeId })}`;
  const { _embedded: found } = await api.ask('queries', 'GET', path, LIST, { onAnswer });
  const ids = (found.payments ?? []).map(({ _links }) => decodeURIComponent(_links.self.href.split('/').at(-1) ?? ''));
  const payments: Payment[] = [];
  for (const id of ids) {
    const payment = await readPayment(api, id);
    if (payment === null) throw new NoAnswer('vanished');
    if (payment.transactionReference === chargeId) payments.push(payment);
  }
  return payments;
}

const APPROVED: readonly string[] = ['authorizationSucceeded', 'saleSucceeded'];
const REFUSED: readonly string[] = ['authorizationRefused', 'saleRefused'];
const FAILED: readonly string[] = ['authorizationFailed', 'saleFailed'];

const eventOf = ({ events }: Payment, names: readonly string[]) =>
  events.find(({ eventName }) => names.includes(eventName));

export const isApprovedPayment = (payment: Payment) => eventOf(payment, APPROVED) !== undefined;

type Kind = 'settlement' | 'refund' | 'cancellation' | 'reversal';
type Outcome = 'requested' | 'submitted' | 'failed' | 'timed_out';

const OUTCOMES: readonly [string, Outcome][] = [
  ['Failed', 'failed'],
  ['TimedOut', 'timed_out'],
  ['RequestSubmitted', 'submitted'],
];

/** The requests of one kind, and what became of each. */
export function requestsOf({ events }: Payment, kind: Kind): { request: Event; outcome: Outcome }[] {
  const outcomeOf = ({ commandId }: Event): Outcome => {
    const isAnswered = (ending: string) =>
      events.some((event) => event.eventName === `${kind}${ending}` && event.commandId === commandId);
    return OUTCOMES.find(([ending]) => isAnswered(ending))?.[1] ?? 'requested';
  };
  return events
    .filter(({ eventName }) => eventName === `${kind}Requested`)
    .map((request) => ({ request, outcome: outcomeOf(request) }));
}

const isUnderWay = ({ outcome }: { outcome: Outcome }) => outcome === 'requested' || outcome === 'submitted';

/** What was or is being taken, in minor units. Null if nothing was; undefined if that is unclear. */
export function takenCentsOf(payment: Payment): number | null | undefined {
  if (eventOf(payment, ['saleSucceeded']) !== undefined) return payment.value.amount;
  const settlements = requestsOf(payment, 'settlement');
  const taken = settlements.filter(isUnderWay);
  if (taken.length === 0) return settlements.length === 0 ? null : undefined;
  return taken.reduce((sum, { request }) => sum + (request.value ?? payment.value).amount, 0);
}

export const isReleased = (payment: Payment) =>
  [...requestsOf(payment, 'cancellation'), ...requestsOf(payment, 'reversal')].some(isUnderWay);

/** The outcome of a charge. */
export function answerOf(payment: Payment): ProcessorAnswer {
  const { paymentId, value, paymentInstrument } = payment;
  if (!isApprovedPayment(payment)) return notApproved(payment);
  const { brand, number } = paymentInstrument?.card ?? {};
  const card = factsOf(brand, number?.last4Digits);
  const facts = { processorPaymentId: paymentId, ...(card !== null && { card }) };
  const { currency } = value;
  const cents = takenCentsOf(payment);
  if (cents === undefined) return unknown('settlement_failed');
  if (cents !== null) return { status: 'succeeded', ...facts, taken: { amountCents: cents, currency } };
  if (isReleased(payment)) return notTaken(paymentId);
  return { status: 'authorized', ...facts, held: { amountCents: value.amount, currency }, captureBefore: null };
}

/** It was approved and released again. */
export const notTaken = (id: string) => ({
  ...declinedUnpaid('sentForCancellation', 'generic_decline'),
  processorPaymentId: id,
});

function notApproved(payment: Payment): ProcessorAnswer {
  const refused = eventOf(payment, REFUSED);
  if (refused !== undefined) return declineOf(refused.code ?? null, payment.paymentId);
  const failed = eventOf(payment, FAILED);
  // "authorizationTimedOut", or still being processed.
  if (failed === undefined) return unknown('not_authorized_yet');
  return { ...declinedUnpaid(failed.error?.name ?? failed.eventName), processorPaymentId: payment.paymentId };
}

const BRANDS: Readonly<Record<string, string>> = { AMEX: 'AMERICAN_EXPRESS', DINERS: 'DINERS_CLUB' };

export function factsOf(brand: string | null | undefined, lastFour: string | null | undefined): CardFacts | null {
  if (brand == null || lastFour == null) return null;
  const name = brand.toUpperCase();
  return { brand: BRANDS[name] ?? name, lastFour };
}

/**
 * The path of a link to the Card Payments API. Absent if the payment's state does not allow the action.
 * @throws NoAnswer if it leads elsewhere
 */
export function actionPath(
  { base }: Worldpay,
  { _links }: Payment,
  action: 'settle' | 'cancel' | 'partialRefund',
): string | null {
  const { success, data } = LINK.safeParse(_links[`cardPayments:${action}`]);
  if (!success) return null;
  const url = new URL(data.href, base);
  if (url.host !== base.host || !url.pathname.startsWith('/payments/')) throw new NoAnswer('foreign_link');
  return `${url.pathname}${url.search}`;
}
