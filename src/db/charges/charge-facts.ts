/** SQL: the facts of a charge's resource, the live charge of a session, and the charge that pays for an order. */
import type { ChargeFacts } from '../../contract/charge-resource.ts';
import type { Charge } from '../../domain/charge.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import { columnsOf, jsonOf } from '../columns.ts';
import { readFirst, type Sql } from '../pool.ts';
import { CHARGE } from './charges.ts';

/** SQL: the resource's facts, from a row of `charges`. */
export const CHARGE_FACTS = columnsOf<ChargeFacts>()(
  'charges',
  [
    'id status amountCents processorPaymentId declineCode processorCode source wallet wasLate duplicateOf capture capturedCents tipCents remainingCents paymentMethod',
  ],
  {
    captureBeforeMs: `extract(epoch from charges.capture_before)::double precision * 1000`,
    debitedAtMs: `extract(epoch from charges.debited_at)::double precision * 1000`,
    returnedAtMs: `extract(epoch from charges.returned_at)::double precision * 1000`,
    captureFailedAtMs: `extract(epoch from charges.capture_failed_at)::double precision * 1000`,
  },
);

/**
 * SQL: whether this is the session's live charge. A session has at most one (unique index `one_live_charge_per_session`).
 * A late charge with `duplicate_of` is not live. @param row alias of a row of `charges`
 */
export const isLiveCharge = (row: string) =>
  `${row}.status in ('pending', 'authorized', 'succeeded') and ${row}.duplicate_of is null`;

/** SQL: the payer's part was done, whatever became of the hold. Without an alias. */
export const IS_APPROVED = `status in ('succeeded', 'authorized', 'voided', 'expired')`;

/** SQL: a payment, and not only a verified card. */
export const IS_PAYMENT = 'charges.amount_cents > 0';

/** SQL: what was or will be taken: all of it, or the captured part of a hold. @param row alias of a row of `charges` */
export const TAKEN_CENTS = (row: string) => `coalesce(${row}.captured_cents, ${row}.amount_cents)`;

/** SQL: the part of `charges.refunded_cents` that the processor has not confirmed. Most charges have no refund to read. */
export const REFUND_PENDING_CENTS = `case when charges.refunded_cents = 0 then 0 else
  (select coalesce(sum(refunds.amount_cents), 0)::integer from refunds
    where refunds.charge_id = charges.id and refunds.status = 'pending') end`;

/** Days in which a late charge needs a person's attention. */
const ATTENTION_DAYS = 30;

/**
 * SQL: whether a row of `charges` is a late charge of the last {@link ATTENTION_DAYS} days that no person has seen. A
 * full refund of the charge, or of the charge that it duplicates, also ends the attention.
 */
export const NEEDS_ATTENTION = `(charges.was_late and charges.attention_acknowledged_at is null
  and charges.settled_at > now() - interval '${ATTENTION_DAYS} days'
  and charges.status not in ('failed', 'voided', 'expired') and charges.refunded_cents < ${TAKEN_CENTS('charges')}
  and not exists (select from charges other
                   where other.id = charges.duplicate_of and (other.status in ('voided', 'expired') or other.refunded_cents >= ${TAKEN_CENTS('other')})))`;

/**
 * SQL: the pending, authorized or succeeded charge of a merchant's order, in whichever session; a pending one last. A fully
 * refunded charge does not count. A pending refund can still fail, so it is ignored. @param columns of
 * `charges`. @param merchantId SQL. @param orderId SQL @param condition SQL, of `charges`
 */
export function orderCharge(columns: string, merchantId: string, orderId: string, condition = 'true'): string {
  return `
    select ${columns} from checkout_sessions of_order join charges on charges.session_id = of_order.id
     where of_order.merchant_id = ${merchantId} and of_order.order_id = ${orderId} and ${condition}
       and (charges.status in ('pending', 'authorized') or (charges.status = 'succeeded' and ${TAKEN_CENTS('charges')} >
            (select coalesce(sum(refunds.amount_cents), 0) from refunds
              where refunds.charge_id = charges.id and refunds.status = 'succeeded')))
     order by (charges.status in ('authorized', 'succeeded')) desc, (charges.duplicate_of is null) desc limit 1`;
}

/** The charge that pays for a session's order. */
export type ChargeOfOrder = Pick<Charge, 'id' | 'status' | 'tipCents' | 'remainingCents'>;

const ORDER_COLUMNS =
  'charges.id, charges.status, charges.tip_cents as "tipCents", charges.remaining_cents as "remainingCents"';

/** SQL: a `ChargeOfOrder` as JSON, from a row of `checkout_sessions`; null also if the order can be paid again. */
export const CHARGE_OF_ORDER = `case when checkout_sessions.allow_repeat or checkout_sessions.order_id is null then null else
  ${jsonOf(orderCharge(ORDER_COLUMNS, 'checkout_sessions.merchant_id', 'checkout_sessions.order_id'))} end`;

/** @returns null if the session has no order, or the order no such charge */
export async function findOrderCharge(
  sql: Sql,
  { merchantId, orderId }: Pick<CheckoutSession, 'merchantId' | 'orderId'>,
): Promise<Charge | null> {
  if (orderId === null) return null;
  return readFirst(sql, {
    name: 'find_order_charge',
    text: orderCharge(CHARGE, '$1', '$2'),
    values: [merchantId, orderId],
  });
}
