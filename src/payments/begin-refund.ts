/** The first step of a refund: one short transaction that locks the charge, judges it and writes the pending refund. */
import type { Scope } from '../domain/account.ts';
import type { Charge } from '../domain/charge.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { Refund } from '../domain/refund.ts';
import {
  type EarlierRefund,
  findEarlierRefund,
  forgetIdempotencyKey,
  insertPendingRefund,
  lockChargeToRefund,
  type PendingRefund,
} from '../db/refunds/refunds.ts';
import type { Database } from '../db/pool.ts';

/** A refund to begin. The merchant, the currency and the processor are the charge's. */
export interface RefundToBegin extends Omit<PendingRefund, 'amountCents'> {
  chargeId: ChargeId;
  scope: Scope;
  /** Null: all that is left. */
  amountCents: number | null;
  /** Names of the processors that can make refunds. */
  processors: readonly string[];
}

/** Why a refund is not begun. */
export type RefundRefusal =
  /** The account has no such charge; or it has, in the other mode. */
  | 'no_charge'
  | 'other_mode'
  /** The charge is pending, or failed. */
  | 'not_paid'
  | 'nothing_left'
  | 'too_much'
  | 'no_refunds_there'
  /** The idempotency key was used for another refund. */
  | 'key_reused';

export type BegunRefund =
  | { type: 'begun'; refund: Refund }
  /** The same request was made before: its refund, whatever its status. */
  | { type: 'earlier'; refund: Refund }
  | { type: 'refused'; reason: RefundRefusal };

/**
 * Safe to repeat with the same refund id, when the answer of the database was lost: it finds the refund begun.
 * @throws a unique violation when another refund with the same idempotency key was first: begin again, and it is found
 */
export function beginRefund(database: Database, order: RefundToBegin): Promise<BegunRefund> {
  return database.transaction(async (sql) => {
    const locked = await lockChargeToRefund(sql, order.scope.accountId, order.chargeId);
    if (locked === null) return { type: 'refused', reason: 'no_charge' };
    const { charge, leftCents } = locked;
    const earlier = await findEarlierRefund(sql, order.scope, order.id, order.idempotency);
    if (earlier !== null && !earlier.isStale) return answerRepeated(order, earlier);
    const reason = whyNotRefund(order, charge, leftCents);
    if (reason !== null) return { type: 'refused', reason };
    if (earlier !== null) await forgetIdempotencyKey(sql, earlier.refund.id);
    const pending = { ...order, amountCents: order.amountCents ?? leftCents };
    return { type: 'begun', refund: await insertPendingRefund(sql, charge, pending) };
  });
}

function answerRepeated({ id }: RefundToBegin, { refund, isSameRequest }: EarlierRefund): BegunRefund {
  if (!isSameRequest) return { type: 'refused', reason: 'key_reused' };
  const isBegunHere = refund.id === id && refund.status === 'pending';
  return { type: isBegunHere ? 'begun' : 'earlier', refund };
}

/** @returns the first rule that is broken; null: the charge can be refunded */
function whyNotRefund(
  { scope, processors, amountCents }: RefundToBegin,
  charge: Charge,
  leftCents: number,
): RefundRefusal | null {
  if (charge.mode !== scope.mode) return 'other_mode';
  if (charge.status !== 'succeeded') return 'not_paid';
  if (charge.processorPaymentId === null || !processors.includes(charge.processor)) return 'no_refunds_there';
  if (leftCents === 0) return 'nothing_left';
  return amountCents !== null && (amountCents < 1 || amountCents > leftCents) ? 'too_much' : null;
}
