/**
 * Replaces a processor's ID that may be a card number (checked-answers.ts): such an ID is neither stored nor logged,
 * and cannot be derived from its replacement. A refund needs the real ID, so the processor is asked for it by our
 * charge ID. It is held in memory only.
 */
import { findCharge } from '../db/charges/charges.ts';
import type { Sql } from '../db/pool.ts';
import type { Refund } from '../domain/refund.ts';
import type { Credentials, Processor } from './ports.ts';

/** @param id of our charge or refund */
export const withheldId = (id: string) => `withheld-${id}`;

/**
 * The processor's ID of a refund's payment.
 * @returns null if it is withheld and the processor does not return it now
 */
export async function paymentIdOf(
  sql: Sql,
  processor: Processor,
  { chargeId, mode, processorPaymentId }: Pick<Refund, 'chargeId' | 'mode' | 'processorPaymentId'>,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<string | null> {
  if (processorPaymentId !== withheldId(chargeId)) return processorPaymentId;
  const charge = await findCharge(sql, chargeId);
  if (charge === null) return null;
  const found = await processor.lookUp({ chargeId, mode, begunAt: charge.createdAt, credentials }, signal);
  return found.status === 'succeeded' ? found.processorPaymentId : null;
}
