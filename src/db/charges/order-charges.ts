/** The charge that an order is paid with, by whichever session: an order is paid once. */
import type { Charge } from '../../domain/charge.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import { jsonOf } from '../columns.ts';
import { readFirst, type Sql } from '../pool.ts';
import { CHARGE } from './charges.ts';

/**
 * SQL: the charge of a merchant's order that is pending or succeeded, a succeeded one first. One that was refunded in
 * full pays for nothing; a refund that is still on its way may yet fail, and does not count. @param columns of
 * `charges`. @param merchantId SQL. @param orderId SQL @param condition SQL, of `charges`
 */
export function orderCharge(columns: string, merchantId: string, orderId: string, condition = 'true'): string {
  return `
    select ${columns} from checkout_sessions of_order join charges on charges.session_id = of_order.id
     where of_order.merchant_id = ${merchantId} and of_order.order_id = ${orderId} and ${condition}
       and (charges.status = 'pending' or (charges.status = 'succeeded' and charges.amount_cents >
            (select coalesce(sum(refunds.amount_cents), 0) from refunds
              where refunds.charge_id = charges.id and refunds.status = 'succeeded')))
     order by (charges.status = 'succeeded') desc, (charges.duplicate_of is null) desc limit 1`;
}

/** The charge that a session's order is paid with. */
export type ChargeOfOrder = Pick<Charge, 'id' | 'status'>;

/** SQL: a `ChargeOfOrder` as JSON, from a row of `checkout_sessions`; null also where the order may be paid again. */
export const CHARGE_OF_ORDER = `case when checkout_sessions.allow_repeat or checkout_sessions.order_id is null then null else
  ${jsonOf(orderCharge('charges.id, charges.status', 'checkout_sessions.merchant_id', 'checkout_sessions.order_id'))} end`;

/** @returns null where the session has no order, or its order no such charge */
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
