/**
 * The last step of a payment: one transaction that writes the outcome, its events and what follows for session and
 * card.
 */

import { markCardNotKept } from '../db/cards/consents.ts';
import { completeSession, lockSession } from '../db/charges/charged-session.ts';
import {
  findCharge,
  restoreCharge,
  writeAwaitsPayer,
  writeFailure,
  writeOutcomeUnknown,
  writeSuccess,
} from '../db/charges/charges.ts';
import { releaseDuplicates } from '../db/charges/late-charges.ts';
import { insertRecheck } from '../db/charges/rechecks.ts';
import { insertChargeEvents } from '../db/events/events.ts';
import type { Sql } from '../db/pool.ts';
import { isTransient } from '../db/transient.ts';
import type { Charge } from '../domain/charge.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { Vault } from '../lib/vault/vault.ts';
import type { ManualGuard, PaymentDeps } from './deps.ts';
import { keepCard } from './keep-card.ts';
import { type LateDeps, recordLateSuccess } from './late-success.ts';
import type { Declined, KeptCard, Settlement } from './ports.ts';
import { FIRST_RECHECK_MS, RESOLVE_AFTER_MS } from './schedule.ts';

/** The processor never saw the charge, and never will: no money moved, and another try is welcome. */
export const NOT_RECEIVED: Declined = {
  status: 'declined',
  declineCode: 'processing_error',
  processorCode: null,
  processorPaymentId: null,
  isInferred: true,
};

export interface SettleDeps
  extends Pick<PaymentDeps, 'database' | 'log' | 'vault' | 'onCard' | 'onEvents' | 'onSettled' | 'onPendingChanged'>,
    LateDeps {
  /**
   * For a manual settlement. A failure is then sent after a `checkout.pending`, as by the resolver: only a caller with
   * that event is texted that nothing was charged.
   */
  manual?: ManualGuard;
  /** The payment whose outcome it is; not given where the processor was asked for the charge by its id. */
  begunBy?: string;
  /** Of the request that began it, for a charge that has to be written again; not given where it is not known. */
  idempotencyKeyHash?: Buffer | null;
}

interface Settled {
  /** As it is in the database: with another outcome, if another one was first. */
  charge: Charge;
  cardKept: boolean;
  /** False where it was settled before, be it with the same outcome. */
  isWritten: boolean;
}

/**
 * Settles once; safe to repeat and to race. A card that the processor kept with the charge is saved with the outcome.
 * @throws what `manual.check` throws
 */
export async function settleCharge(deps: SettleDeps, charge: Charge, settlement: Settlement): Promise<Settled> {
  const written = await writeWithCard(deps, charge, settlement);
  const settled = written?.charge ?? (await findCharge(deps.database, charge.id));
  if (settled === null) throw new Error('a charge to settle is not in the database');
  const late = settled.status === 'failed' ? await recordIfLate(deps, charge, settlement) : null;
  if (late !== null) return { charge: late, cardKept: false, isWritten: true };
  const { id: chargeId, status, declineCode, processorCode } = settled;
  const fields = { chargeId, status, declineCode, processorCode };
  if (written !== null) {
    deps.onEvents?.();
    deps.onSettled?.(settled);
    if (settlement.status === 'refused') deps.log.error(fields, "charge refused because of the merchant's set-up");
    else deps.log.info(fields, 'charge settled');
  } else if ((settled.status === 'succeeded') !== (settlement.status === 'succeeded')) {
    // Final is final; but the processor's ledger and ours differ, and that is for a person to put right.
    deps.log.error({ ...fields, processorSays: settlement.status }, 'charge already settled with another outcome');
  }
  if (written?.cardKept) deps.onCard?.('kept');
  return { charge: settled, cardKept: written?.cardKept ?? false, isWritten: written !== null };
}

/** The charge was called failed before its processor said that it took the money. Not of what a person says by hand. */
async function recordIfLate(deps: SettleDeps, charge: Charge, settlement: Settlement): Promise<Charge | null> {
  if (settlement.status !== 'succeeded' || deps.manual !== undefined) return null;
  return recordLateSuccess(deps, charge, settlement);
}

type Written = Omit<Settled, 'isWritten'>;

/** @returns null when the charge was settled before */
async function writeWithCard(deps: SettleDeps, charge: Charge, settlement: Settlement): Promise<Written | null> {
  const { vault } = deps;
  const kept = settlement.status === 'succeeded' ? settlement.kept : undefined;
  if (kept === undefined || vault == null) return writeOutcome(deps, charge, settlement, null);
  try {
    return await writeOutcome(deps, charge, settlement, { vault, kept });
  } catch (error) {
    if (isTransient(error)) throw error;
    // The payment does not wait for the card, which is saved later (keep-card.ts).
    deps.log.warn({ err: error, chargeId: charge.id }, 'card not saved with its charge, will retry');
    return writeOutcome(deps, charge, settlement, null);
  }
}

function writeOutcome(
  deps: SettleDeps,
  begun: Charge,
  settlement: Settlement,
  card: { vault: Vault; kept: KeptCard } | null,
): Promise<Written | null> {
  const { manual, begunBy } = deps;
  return deps.database.transaction(async (sql) => {
    await lockSession(sql, begun.sessionId);
    await manual?.check(sql);
    if (manual !== undefined && settlement.status !== 'succeeded') await tellPending(sql, begun.id, RESOLVE_AFTER_MS);
    const charge = await writeOrRestore(sql, deps, begun, () => writeStatus(sql, begun, settlement, begunBy ?? null));
    if (charge === null) return null;
    await manual?.audit(sql, charge);
    if (settlement.status === 'succeeded') {
      await completeSession(sql, charge.sessionId);
      await insertChargeEvents(sql, charge.id, ['checkout.succeeded', 'checkout.completed']);
      return { charge, cardKept: card !== null && (await keepCard(sql, card.vault, charge, card.kept)) };
    }
    await insertChargeEvents(sql, charge.id, ['checkout.failed']);
    await releaseDuplicates(sql, charge.id);
    if (settlement.status === 'declined' && settlement.isInferred)
      await insertRecheck(sql, charge.id, FIRST_RECHECK_MS);
    await markCardNotKept(sql, charge.id);
    return { charge, cardKept: false };
  });
}

/** A success counts whoever has begun the row, and the card is the one that was charged. */
function writeStatus(
  sql: Sql,
  { id, brand, lastFour }: Charge,
  settlement: Settlement,
  begunBy: string | null,
): Promise<Charge | null> {
  if (settlement.status !== 'succeeded') return writeFailure(sql, id, settlement, begunBy);
  const begunWith = brand === null || lastFour === null ? null : { brand, lastFour };
  return writeSuccess(sql, id, { ...settlement, ...(begunWith !== null && { card: settlement.card ?? begunWith }) });
}

/** A row that a failover of the database has lost is written again first. */
async function writeOrRestore(
  sql: Sql,
  { log, idempotencyKeyHash = null }: Pick<SettleDeps, 'log' | 'idempotencyKeyHash'>,
  begun: Charge,
  write: () => Promise<Charge | null>,
): Promise<Charge | null> {
  const written = await write();
  if (written !== null || !(await restoreCharge(sql, begun, idempotencyKeyHash))) return written;
  log.error({ chargeId: begun.id }, 'the database lost a charge, writing it again');
  return write();
}

type PendingDeps = Pick<SettleDeps, 'database' | 'log' | 'onPendingChanged' | 'idempotencyKeyHash'>;

/**
 * The processor's answer is not known: says so, once, and has the resolver ask in `resolveAfterMs` at the latest.
 * Nothing happens to a charge that is settled.
 */
export async function leavePending(deps: PendingDeps, begun: Charge, resolveAfterMs: number): Promise<void> {
  const { id } = begun;
  const left = await deps.database.transaction((sql) =>
    writeOrRestore(sql, deps, begun, () => tellPending(sql, id, resolveAfterMs)),
  );
  if (left !== null) deps.onPendingChanged?.(left);
}

/** @returns null when the charge is settled, of which nothing is told */
async function tellPending(sql: Sql, id: ChargeId, resolveAfterMs: number): Promise<Charge | null> {
  const charge = await writeOutcomeUnknown(sql, id, resolveAfterMs);
  if (charge !== null) await insertChargeEvents(sql, id, ['checkout.pending']);
  return charge;
}

/**
 * The charge waits for its payer, until `limitMs` after it was begun. Nobody is told: no money has moved.
 * @param goesOn it waited before, and goes on only if it still does
 * @returns the charge as it is now: settled, where its outcome was written meanwhile
 */
export async function awaitPayer(
  deps: PendingDeps,
  begun: Charge,
  processorPaymentId: string,
  limitMs: number,
  goesOn = false,
): Promise<Charge> {
  const waiting = await deps.database.transaction((sql) =>
    writeOrRestore(sql, deps, begun, () => writeAwaitsPayer(sql, begun.id, processorPaymentId, limitMs, goesOn)),
  );
  if (waiting !== null) deps.onPendingChanged?.(waiting);
  const charge = waiting ?? (await findCharge(deps.database, begun.id));
  if (charge === null) throw new Error('a charge that waits for its payer is not in the database');
  return charge;
}
