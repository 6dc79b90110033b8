/** Writing a charge's outcome into the record: from the payment itself or, later, from the resolver. */
import type { Charge } from '../domain/charge.ts';
import { type Settlement, settleCharge } from '../store/charges.ts';
import type { PaymentDeps } from './deps.ts';

/** The processor never saw the charge, and never will: no money moved, and another try is welcome. */
export const NOT_RECEIVED: Extract<Settlement, { status: 'declined' }> = {
  status: 'declined',
  declineCode: 'processing_error',
  processorCode: null,
  processorPaymentId: null,
};

/**
 * Settles once; safe to repeat and to race.
 * @returns the charge as the record has it: another's outcome, if another was first
 */
export async function settle(
  deps: Pick<PaymentDeps, 'sql' | 'log'>,
  charge: Pick<Charge, 'id' | 'sessionId'>,
  settlement: Settlement,
): Promise<Charge> {
  const { charge: settled, now } = await settleCharge(deps.sql, charge, settlement);
  const fields = { chargeId: settled.id, status: settled.status, declineCode: settled.declineCode };
  if (now) {
    deps.log.info(fields, 'charge settled');
  } else if ((settled.status === 'succeeded') !== (settlement.status === 'succeeded')) {
    // Final is final; but the processor's books and ours differ, and that is for a person to put right.
    deps.log.error({ ...fields, processorSays: settlement.status }, 'charge was settled otherwise before');
  }
  return settled;
}
