/** The first step of a refund: one short transaction that locks the charge, judges it and writes the pending refund. */

import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import type { Database, Sql } from '../../db/pool.ts';
import {
  type EarlierRefund,
  findEarlierRefund,
  forgetIdempotencyKey,
  insertPendingRefund,
  lockChargeToRefund,
  type PendingRefund,
} from '../../db/refunds/refunds.ts';
import type { Scope } from '../../domain/account.ts';
import type { Actor } from '../../domain/audit.ts';
import type { ChargeId, RefundId } from '../../domain/ids.ts';
import type { Refund } from '../../domain/refund.ts';
import { type RefundRefusal, whyNotRefund } from '../rules/rules.ts';

/** A refund to create. Merchant, currency and processor come from the charge. */
export interface NewRefund extends Omit<PendingRefund, 'amountCents'> {
  /** Used instead of `id` if a refund from more than 24 hours ago has that ID. */
  freshId: RefundId;
  /** An earlier attempt may have created the refund, and its response was lost. */
  isRetry: boolean;
  chargeId: ChargeId;
  scope: Scope;
  /** Who requests it. */
  by: Actor;
  /** Null: the rest of the charge. */
  amountCents: number | null;
  /** Names of the processors that can make refunds. */
  processors: readonly string[];
}

type RefundStart =
  | { type: 'started'; refund: Refund }
  /** The refund of an earlier request with the same details, whatever its status. */
  | { type: 'earlier'; refund: Refund }
  | { type: 'refused'; reason: RefundRefusal; refundable?: RefundableAmount };

/** The part of a charge that can be refunded, if a refund asks for more. */
export interface RefundableAmount {
  amountCents: number;
  /** Neither refunded nor in a pending refund. */
  leftCents: number;
  currency: string;
}

/**
 * Safe to repeat with the same IDs if the database's response was lost: it finds the refund.
 * @throws a unique violation if another refund with the same idempotency key was first. Repeat it, and it finds that
 * refund.
 */
export function startRefund(database: Database, order: NewRefund): Promise<RefundStart> {
  return database.transaction(async (sql) => {
    const locked = await lockChargeToRefund(sql, order.scope.accountId, order.chargeId);
    if (locked === null) return { type: 'refused', reason: 'no_charge' };
    const { charge, leftCents } = locked;
    const earlier = await findEarlierRefund(sql, order.scope, order.id, order.idempotency);
    if (earlier !== null && !earlier.isStale) return answerRepeated(order, earlier);
    const reason = whyNotRefund(order, charge, leftCents);
    if (reason !== null) {
      const isTooMuch = reason === 'too_much' || reason === 'nothing_left';
      return { type: 'refused', reason, ...(isTooMuch && { refundable: { ...charge.amount, leftCents } }) };
    }
    if (earlier !== null) await forgetIdempotencyKey(sql, earlier.refund.id);
    const id = earlier === null ? order.id : order.freshId;
    const pending = { ...order, id, amountCents: order.amountCents ?? leftCents };
    const refund = await insertPendingRefund(sql, charge, pending);
    await auditRefund(sql, order.by, refund);
    return { type: 'started', refund };
  });
}

function auditRefund(sql: Sql, by: Actor, refund: Refund): Promise<void> {
  const { accountId, mode, id: objectId, chargeId: charge, amount, reason } = refund;
  const changes = { charge, amount_cents: amount.amountCents, currency: amount.currency, reason };
  return insertAuditEvent(sql, by, { accountId, mode, action: 'refund.created', objectId, changes });
}

function answerRepeated({ id, freshId, isRetry }: NewRefund, { refund, isSameRequest }: EarlierRefund): RefundStart {
  if (!isSameRequest) return { type: 'refused', reason: 'key_reused' };
  const isStartedHere = isRetry && (refund.id === id || refund.id === freshId) && refund.status === 'pending';
  return { type: isStartedHere ? 'started' : 'earlier', refund };
}
