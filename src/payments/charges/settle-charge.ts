/**
 * The last step of a payment: one transaction that writes the outcome, its events, and the changes to session and card.
 */

import { markCardNotSaved } from '../../db/cards/consents.ts';
import { completeSession, lockSession } from '../../db/charges/charged-session.ts';
import {
  findCharge,
  restoreCharge,
  writeAuthorized,
  writeAwaitsPayer,
  writeDebited,
  writeFailure,
  writeOutcomeUnknown,
  writeSuccess,
} from '../../db/charges/charges.ts';
import { releaseDuplicates } from '../../db/charges/late-charges.ts';
import { insertRecheck } from '../../db/charges/rechecks.ts';
import { isTransient } from '../../db/error-kinds.ts';
import { insertChargeEvents } from '../../db/events/events.ts';
import { checkHoldSoon } from '../../db/holds/hold-changes.ts';
import type { Sql } from '../../db/pool.ts';
import { type Charge, isLiveStatus, isVerification } from '../../domain/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import { type Declined, isApproved, type ProcessorCard, type Settlement } from '../port/answers.ts';
import type { ManualGuard, PaymentDeps } from '../shared/deps.ts';
import { FIRST_RECHECK_MS, RESOLVE_AFTER_MS } from '../shared/schedule.ts';
import { expectReturn, recordReturn } from './debit-returns.ts';
import { keepCard, removeUnkept } from './keep-card.ts';
import { type LateDeps, recordLateSuccess } from './late-success.ts';

/** The processor never received the charge and never will. No money moved, and the payer can try again. */
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
  /** The payment whose outcome this is. Absent if the processor was asked for the charge by its ID. */
  attemptToken?: string;
  /** From the request that created the charge, for a charge that must be restored. Absent if unknown. */
  idempotencyKeyHash?: Buffer | null;
}

interface Settled {
  /** As in the database: it has another outcome if another settlement was first. */
  charge: Charge;
  cardSaved: boolean;
  /** False if it was settled before, even with the same outcome. */
  isWritten: boolean;
}

/**
 * Settles once; safe to repeat and to race. If the processor saved the card with the charge, the card is written with
 * the outcome.
 * @throws what `manual.check` throws
 */
export async function settleCharge(deps: SettleDeps, charge: Charge, settlement: Settlement): Promise<Settled> {
  const written = await writeWithCard(deps, charge, settlement);
  const settled = written?.charge ?? (await findCharge(deps.database, charge.id));
  if (settled === null) throw new Error('a charge to settle is not in the database');
  const late = settled.status === 'failed' ? await recordIfLate(deps, charge, settlement) : null;
  if (late !== null) return { charge: late, cardSaved: false, isWritten: true };
  const { id: chargeId, status, declineCode, processorCode } = settled;
  const fields = { chargeId, status, declineCode, processorCode };
  if (written !== null) {
    deps.onEvents?.();
    deps.onSettled?.(settled);
    if (settlement.status === 'refused') deps.log.error(fields, "charge refused because of the merchant's set-up");
    else deps.log.info(fields, 'charge settled');
  } else {
    await reportOther(deps, settled, settlement);
  }
  if (written?.cardSaved) deps.onCard?.('kept');
  return { charge: settled, cardSaved: written?.cardSaved ?? false, isWritten: written !== null };
}

/** The charge was settled before. If its processor says something else, that is reported, or a hold is read again. */
async function reportOther(deps: SettleDeps, settled: Charge, settlement: Settlement): Promise<void> {
  const { id: chargeId, status, declineCode, processorCode } = settled;
  if (await isReturned(deps, settled, settlement)) return;
  if (status === 'authorized' && settlement.status !== 'authorized') {
    // It was captured or released since.
    await checkHoldSoon(deps.database, chargeId);
    return;
  }
  if ((status === 'failed') !== isApproved(settlement)) return;
  // The outcome is final, but the processor's records differ from ours: a person must correct that.
  const fields = { chargeId, status, declineCode, processorCode, processorSays: settlement.status };
  if (isLiveStatus(status) || status === 'failed')
    deps.log.error(fields, 'charge already settled with another outcome');
}

/** Whether the settlement is the return of a paid bank debit, which is then recorded. */
async function isReturned(deps: SettleDeps, settled: Charge, settlement: Settlement): Promise<boolean> {
  if (settled.status !== 'succeeded' || settled.paymentMethod !== 'us_bank_account') return false;
  if (settlement.status !== 'declined' || settlement.isInferred || deps.manual !== undefined) return false;
  return (await recordReturn(deps, settled, settlement)) !== null;
}

/** If the charge had failed before its processor reported a success. Does not apply to a manual settlement. */
async function recordIfLate(deps: SettleDeps, charge: Charge, settlement: Settlement): Promise<Charge | null> {
  if (!isApproved(settlement) || deps.manual !== undefined) return null;
  return recordLateSuccess(deps, charge, settlement);
}

type Written = Omit<Settled, 'isWritten'>;

/** @returns null if the charge was settled before */
async function writeWithCard(deps: SettleDeps, charge: Charge, settlement: Settlement): Promise<Written | null> {
  const { vault } = deps;
  const savedCard = isApproved(settlement) ? settlement.savedCard : undefined;
  if (isVerification(charge) && isApproved(settlement)) {
    // Without the card there is nothing to report: the charge stays pending until a process can write both.
    if (savedCard === undefined || vault == null) throw new Error('a verified card cannot be stored');
    return writeOutcome(deps, charge, settlement, { vault, savedCard });
  }
  if (savedCard === undefined || vault == null) return writeOutcome(deps, charge, settlement, null);
  try {
    return await writeOutcome(deps, charge, settlement, { vault, savedCard });
  } catch (error) {
    if (isTransient(error)) throw error;
    // The payment does not wait for the card, which is saved later (keep-card.ts).
    deps.log.warn({ err: error, chargeId: charge.id }, 'card not saved with its charge, will retry');
    return writeOutcome(deps, charge, settlement, null);
  }
}

function writeOutcome(
  deps: SettleDeps,
  started: Charge,
  settlement: Settlement,
  card: { vault: Vault; savedCard: ProcessorCard } | null,
): Promise<Written | null> {
  const { manual, attemptToken } = deps;
  return deps.database.transaction(async (sql) => {
    await lockSession(sql, started.sessionId);
    await manual?.check(sql);
    if (manual !== undefined && !isApproved(settlement)) await writePendingOutcome(sql, started.id, RESOLVE_AFTER_MS);
    const charge = await writeOrRestore(sql, deps, started, () =>
      writeStatus(sql, started, settlement, attemptToken ?? null),
    );
    if (charge === null) return null;
    await manual?.audit(sql, charge);
    if (isApproved(settlement)) {
      await completeSession(sql, charge.sessionId);
      await insertChargeEvents(sql, charge.id, ['checkout.succeeded', 'checkout.completed']);
      await expectReturn(sql, charge, settlement);
      const cardSaved = card !== null && (await keepCard(sql, card.vault, charge, card.savedCard));
      // The caller was erased since.
      if (card !== null && !cardSaved && isVerification(charge))
        await removeUnkept(sql, card.vault, charge, card.savedCard);
      return { charge, cardSaved };
    }
    await insertChargeEvents(sql, charge.id, ['checkout.failed']);
    await releaseDuplicates(sql, charge.id);
    if (settlement.status === 'declined' && settlement.isInferred)
      await insertRecheck(sql, charge.id, FIRST_RECHECK_MS);
    await markCardNotSaved(sql, charge.id);
    return { charge, cardSaved: false };
  });
}

/** A success counts whichever payment wrote the row. Its card is the one that was charged. */
function writeStatus(
  sql: Sql,
  { id, brand, lastFour }: Charge,
  settlement: Settlement,
  attemptToken: string | null,
): Promise<Charge | null> {
  if (!isApproved(settlement)) return writeFailure(sql, id, settlement, attemptToken);
  const startedWith = brand === null || lastFour === null ? null : { brand, lastFour };
  const card = startedWith !== null && { card: settlement.card ?? startedWith };
  if (settlement.status === 'authorized') return writeAuthorized(sql, id, { ...settlement, ...card });
  return writeSuccess(sql, id, { ...settlement, ...card });
}

/** Restores a row that a failover of the database has lost, and writes it. */
async function writeOrRestore(
  sql: Sql,
  { log, idempotencyKeyHash = null }: Pick<SettleDeps, 'log' | 'idempotencyKeyHash'>,
  started: Charge,
  write: () => Promise<Charge | null>,
): Promise<Charge | null> {
  const written = await write();
  if (written !== null || !(await restoreCharge(sql, started, idempotencyKeyHash))) return written;
  log.error({ chargeId: started.id }, 'the database lost a charge, writing it again');
  return write();
}

type PendingDeps = Pick<SettleDeps, 'database' | 'log' | 'onPendingChanged' | 'idempotencyKeyHash'>;

/**
 * The processor's answer is unknown: writes `checkout.pending` once, and makes the resolver ask within
 * `resolveAfterMs`. Leaves a settled charge unchanged.
 */
export async function leavePending(deps: PendingDeps, started: Charge, resolveAfterMs: number): Promise<void> {
  const { id } = started;
  const left = await deps.database.transaction((sql) =>
    writeOrRestore(sql, deps, started, () => writePendingOutcome(sql, id, resolveAfterMs)),
  );
  if (left !== null) deps.onPendingChanged?.(left);
}

/** @returns null if the charge is settled, which sends nothing */
async function writePendingOutcome(sql: Sql, id: ChargeId, resolveAfterMs: number): Promise<Charge | null> {
  const charge = await writeOutcomeUnknown(sql, id, resolveAfterMs);
  if (charge !== null) await insertChargeEvents(sql, id, ['checkout.pending']);
  return charge;
}

/**
 * The charge waits for its payer, until `limitMs` after it was created. No event is sent, because no money has moved.
 * @param goesOn only if it already waits
 * @returns the charge as it is now, settled if its outcome was written meanwhile
 */
export async function awaitPayer(
  deps: PendingDeps,
  started: Charge,
  processorPaymentId: string,
  limitMs: number,
  goesOn = false,
): Promise<Charge> {
  const waiting = await deps.database.transaction((sql) =>
    writeOrRestore(sql, deps, started, () => writeAwaitsPayer(sql, started.id, processorPaymentId, limitMs, goesOn)),
  );
  if (waiting !== null) deps.onPendingChanged?.(waiting);
  const charge = waiting ?? (await findCharge(deps.database, started.id));
  if (charge === null) throw new Error('a charge that waits for its payer is not in the database');
  return charge;
}

/**
 * The processor has accepted the bank debit: writes `checkout.pending` once, with which the payer is texted the terms.
 * @param checkAfterMs until the next lookup; null: a person must settle it
 * @returns the charge as it is now, settled if its outcome was written meanwhile
 */
export async function leaveDebited(
  deps: PendingDeps,
  started: Charge,
  processorPaymentId: string,
  checkAfterMs: number | null,
): Promise<Charge> {
  const { id } = started;
  const debited = await deps.database.transaction(async (sql) => {
    await lockSession(sql, started.sessionId);
    const charge = await writeOrRestore(sql, deps, started, () =>
      writeDebited(sql, id, processorPaymentId, checkAfterMs),
    );
    if (charge !== null) await insertChargeEvents(sql, id, ['checkout.pending']);
    return charge;
  });
  if (debited !== null) deps.onPendingChanged?.(debited);
  const charge = debited ?? (await findCharge(deps.database, id));
  if (charge === null) throw new Error('a bank debit is not in the database');
  return charge;
}
