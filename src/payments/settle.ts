/** Writing a charge's outcome into the record: from the payment itself or, later, from the resolver. */
import type { Charge } from '../domain/charge.ts';
import { type Settlement, settleCharge } from '../db/charges/settle-charge.ts';
import { isTransient } from '../db/transient.ts';
import type { PaymentDeps } from './deps.ts';
import { sealedCard } from './keep-card.ts';

/** The processor never saw the charge, and never will: no money moved, and another try is welcome. */
export const NOT_RECEIVED: Extract<Settlement, { status: 'declined' }> = {
  status: 'declined',
  declineCode: 'processing_error',
  processorCode: null,
  processorPaymentId: null,
};

export type SettleDeps = Pick<PaymentDeps, 'sql' | 'log' | 'vault' | 'onCard' | 'onEvents' | 'onSettled'>;

/**
 * Settles once; safe to repeat and to race. A card that the processor kept with the charge is kept in the same statement.
 * @returns the charge as the record has it: another's outcome, if another was first
 */
export async function settle(
  deps: SettleDeps,
  charge: Charge,
  settlement: Settlement,
): Promise<{ charge: Charge; cardKept: boolean }> {
  const { charge: settled, now, cardKept } = await write(deps, charge, settlement);
  const fields = { chargeId: settled.id, status: settled.status, declineCode: settled.declineCode };
  if (now) {
    deps.onEvents?.();
    deps.onSettled?.(settled);
    deps.log.info(fields, 'charge settled');
  } else if ((settled.status === 'succeeded') !== (settlement.status === 'succeeded')) {
    // Final is final; but the processor's books and ours differ, and that is for a person to put right.
    deps.log.error({ ...fields, processorSays: settlement.status }, 'charge was settled otherwise before');
  }
  if (cardKept) deps.onCard?.('kept');
  return { charge: settled, cardKept };
}

async function write(deps: SettleDeps, charge: Charge, settlement: Settlement) {
  const kept = settlement.status === 'succeeded' ? settlement.kept : undefined;
  if (kept === undefined || deps.vault == null) return settleCharge(deps.sql, charge, settlement);
  try {
    return await settleCharge(deps.sql, charge, settlement, await sealedCard(deps.sql, deps.vault, charge.id, kept));
  } catch (error) {
    if (isTransient(error)) throw error;
    // The payment does not wait for the card: that one is kept later (keep-card.ts).
    deps.log.warn({ err: error, chargeId: charge.id }, 'card not kept with its charge, will be tried again');
    return settleCharge(deps.sql, charge, settlement);
  }
}
