/**
 * A charge that was reported as failed, and that its processor turns out to have taken. It becomes `succeeded` with
 * `was_late`: its events are sent, the payer gets a text, and its order counts as paid. If the session or the order was
 * paid meanwhile, `duplicate_of` names that charge. Nothing is refunded here: a person decides which of the two to
 * refund.
 */

import { takeAdvisoryLocks } from '../../db/advisory-locks.ts';
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { completeSession, lockSession } from '../../db/charges/charged-session.ts';
import {
  findLateSession,
  findOrdersOther,
  insertLostCharge,
  type LostCharge,
  lockCharge,
  lockLiveCharge,
  type OtherCharge,
  writeLateSuccess,
} from '../../db/charges/late-charges.ts';
import { endRechecks } from '../../db/charges/rechecks.ts';
import { insertChargeEvents } from '../../db/events/events.ts';
import type { Sql } from '../../db/pool.ts';
import { findWithProcessorId } from '../../db/processor-ids.ts';
import { type Actor, SYSTEM } from '../../domain/audit.ts';
import { type Charge, isLiveStatus, isVerification } from '../../domain/charge.ts';
import type { Authorized, Succeeded } from '../port/answers.ts';
import type { PaymentDeps } from '../shared/deps.ts';
import { expectReturn } from './debit-returns.ts';
import { removeUnkept } from './keep-card.ts';
import { orderTurn } from './start-charge.ts';

export type LateDeps = Pick<PaymentDeps, 'database' | 'log' | 'vault' | 'onEvents' | 'onLateSuccess'>;

interface LateOptions {
  /** Who found it, for the audit trail. By default, the service itself. */
  by?: Actor;
  /** The database has lost the row, so it is written again. */
  isLost?: boolean;
}

/**
 * Safe to repeat and to race.
 * @param success checked, see checked-answers.ts
 * @returns null if the charge is not failed, or its payment belongs to another charge
 */
export async function recordLateSuccess(
  deps: LateDeps,
  charge: LostCharge,
  success: Succeeded | Authorized,
  options: LateOptions = {},
): Promise<Charge | null> {
  const { id: chargeId, processor } = charge;
  const about = { chargeId, processor, processorPaymentId: success.processorPaymentId };
  if (isVerification(charge)) {
    await removeLateCard(deps, charge, success);
    return null;
  }
  const written = await deps.database.transaction((sql) => writeLate(sql, charge, success, options));
  if (written === null) return null;
  if ('namedBy' in written) {
    deps.log.error({ ...about, other: written.namedBy }, 'a payment found late belongs to another charge');
    return null;
  }
  const { duplicateOf } = written;
  deps.log.error(
    { ...about, ...(duplicateOf !== null && { duplicateOf }) },
    duplicateOf === null
      ? 'a charge reported as failed was paid: the caller may have heard that nothing was charged'
      : 'a charge that was called failed was paid, and so may be another one of its order: refund one of them',
  );
  deps.onEvents?.();
  deps.onLateSuccess?.(written);
  return written;
}

/** The caller was told that the card is not saved. Nothing was paid, so the card is removed and the charge stays failed. */
async function removeLateCard(
  { database, vault, log }: LateDeps,
  charge: LostCharge,
  { savedCard }: Succeeded | Authorized,
): Promise<void> {
  const { id: chargeId, processor } = charge;
  if (savedCard === undefined || vault == null) {
    log.error(
      { chargeId, processor },
      'a card that was reported as not saved is saved at its processor: delete it there',
    );
    return;
  }
  await database.transaction(async (sql) => {
    await removeUnkept(sql, vault, charge, savedCard);
    await endRechecks(sql, chargeId);
  });
  log.warn({ chargeId, processor }, 'a card that was reported as not saved is removed at its processor');
}

async function writeLate(
  sql: Sql,
  charge: LostCharge,
  success: Succeeded | Authorized,
  { by = SYSTEM, isLost = false }: LateOptions,
): Promise<Charge | { namedBy: string } | null> {
  await lockSession(sql, charge.sessionId);
  if (isLost && !(await insertLostCharge(sql, charge))) return null;
  await endRechecks(sql, charge.id);
  const namedBy = await findWithProcessorId(sql, 'charges', charge.id, success.processorPaymentId);
  if (namedBy !== null) return { namedBy };
  const other = await findOther(sql, charge);
  const written = await writeLateSuccess(sql, charge.id, success, other?.id ?? null);
  if (written === null) return null;
  await auditLateSuccess(sql, by, written, isLost);
  await completeSession(sql, charge.sessionId);
  await expectReturn(sql, written, success);
  await insertChargeEvents(sql, charge.id, ['checkout.succeeded', 'checkout.completed']);
  return written;
}

/** The pending or succeeded charge that pays for the same session or order. Locked until the transaction ends. */
async function findOther(sql: Sql, { id, sessionId }: LostCharge): Promise<OtherCharge | null> {
  const ofSession = await lockLiveCharge(sql, sessionId, id);
  if (ofSession !== null) return ofSession;
  const session = await findLateSession(sql, sessionId);
  if (session === null || session.orderId === null || session.allowRepeat) return null;
  // A concurrent new charge of the order waits, and then finds the order paid.
  await takeAdvisoryLocks(sql, [orderTurn(session.merchantId, session.orderId)]);
  const found = await findOrdersOther(sql, session, id);
  const other = found === null ? null : await lockCharge(sql, found.id);
  // It failed, or its hold was released, while this waited for its lock: another charge may have taken its place.
  return other === null || isLiveStatus(other.status) ? other : findOrdersOther(sql, session, id);
}

function auditLateSuccess(sql: Sql, by: Actor, charge: Charge, isLost: boolean): Promise<void> {
  const { accountId, mode, id: objectId, amount, processor, processorPaymentId, duplicateOf } = charge;
  const paid = { processor, processor_payment_id: processorPaymentId };
  const changes = {
    status: { from: isLost ? null : 'failed', to: charge.status },
    ...paid,
    amount_cents: amount.amountCents,
    currency: amount.currency,
    ...(duplicateOf !== null && { duplicate_of: duplicateOf }),
  };
  return insertAuditEvent(sql, by, { accountId, mode, action: 'charge.paid_late', objectId, changes });
}
