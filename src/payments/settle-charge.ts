/** The last step of a payment: one transaction that writes the outcome, its events and what follows for session and card. */
import type { Charge } from '../domain/charge.ts';
import { markCardNotKept } from '../db/cards/consents.ts';
import { insertChargeEvents } from '../db/charges/charge-events.ts';
import { completeSession, lockSession } from '../db/charges/charged-session.ts';
import { findCharge, scheduleResolve, writeDecline, writeSuccess } from '../db/charges/charges.ts';
import type { Database, Sql } from '../db/pool.ts';
import { isTransient } from '../db/transient.ts';
import type { Vault } from '../vault/vault.ts';
import type { PaymentDeps } from './deps.ts';
import { keepCard } from './keep-card.ts';
import type { KeptCard, Settlement } from './ports.ts';

/** The processor never saw the charge, and never will: no money moved, and another try is welcome. */
export const NOT_RECEIVED: Extract<Settlement, { status: 'declined' }> = {
  status: 'declined',
  declineCode: 'processing_error',
  processorCode: null,
  processorPaymentId: null,
};

export type SettleDeps = Pick<PaymentDeps, 'database' | 'log' | 'vault' | 'onCard' | 'onEvents' | 'onSettled'>;

interface Settled {
  /** As it is in the database: with another outcome, if another one was first. */
  charge: Charge;
  cardKept: boolean;
}

/** Settles once; safe to repeat and to race. A card that the processor kept with the charge is saved with the outcome. */
export async function settleCharge(deps: SettleDeps, charge: Charge, settlement: Settlement): Promise<Settled> {
  const written = await writeWithCard(deps, charge, settlement);
  const settled = written?.charge ?? (await findCharge(deps.database, charge.id));
  if (settled === null) throw new Error('a charge to settle is not in the database');
  const fields = { chargeId: settled.id, status: settled.status, declineCode: settled.declineCode };
  if (written !== null) {
    deps.onEvents?.();
    deps.onSettled?.(settled);
    deps.log.info(fields, 'charge settled');
  } else if ((settled.status === 'succeeded') !== (settlement.status === 'succeeded')) {
    // Final is final; but the processor's ledger and ours differ, and that is for a person to put right.
    deps.log.error({ ...fields, processorSays: settlement.status }, 'charge was settled otherwise before');
  }
  if (written?.cardKept) deps.onCard?.('kept');
  return { charge: settled, cardKept: written?.cardKept ?? false };
}

/** @returns null when the charge was settled before */
async function writeWithCard(deps: SettleDeps, charge: Charge, settlement: Settlement): Promise<Settled | null> {
  const { database, vault } = deps;
  const kept = settlement.status === 'succeeded' ? settlement.kept : undefined;
  if (kept === undefined || vault == null) return writeOutcome(database, charge, settlement, null);
  try {
    return await writeOutcome(database, charge, settlement, { vault, kept });
  } catch (error) {
    if (isTransient(error)) throw error;
    // The payment does not wait for the card, which is saved later (keep-card.ts).
    deps.log.warn({ err: error, chargeId: charge.id }, 'card not kept with its charge, will be tried again');
    return writeOutcome(database, charge, settlement, null);
  }
}

function writeOutcome(
  database: Database,
  { id, sessionId }: Charge,
  settlement: Settlement,
  card: { vault: Vault; kept: KeptCard } | null,
): Promise<Settled | null> {
  return database.transaction(async (sql) => {
    await lockSession(sql, sessionId);
    if (settlement.status === 'declined') {
      const charge = await writeDecline(sql, id, settlement);
      if (charge === null) return null;
      await insertChargeEvents(sql, charge, ['checkout.failed']);
      await markCardNotKept(sql, id);
      return { charge, cardKept: false };
    }
    const charge = await writeSuccess(sql, id, settlement.processorPaymentId, settlement.card ?? null);
    if (charge === null) return null;
    await completeSession(sql, sessionId);
    await insertChargeEvents(sql, charge, ['checkout.succeeded', 'checkout.completed']);
    return { charge, cardKept: card !== null && (await keepCard(sql, card.vault, charge, card.kept)) };
  });
}

/**
 * The processor's answer is not known: says so, once, and has the resolver ask in `resolveAfterMs` at the latest. Nothing
 * happens to a charge that is settled.
 */
export function leavePending(database: Database, id: Charge['id'], resolveAfterMs: number): Promise<void> {
  return database.transaction(async (sql: Sql) => {
    const charge = await scheduleResolve(sql, id, resolveAfterMs);
    if (charge !== null) await insertChargeEvents(sql, charge, ['checkout.pending']);
  });
}
