/** The table `processor_differences`: what a processor reports of a charge, and what cannot be recorded here. */
import type { Charge } from '../../domain/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';

export interface ProcessorDifference {
  /** `refund`: it does not fit the charge. `capture`: it has failed, but the charge was refunded. */
  kind: 'refund' | 'capture';
  /** The processor's ID of the refund. Empty for a capture. */
  reference: string;
}

/** @param amountCents null if it is in another currency than the charge */
export async function insertDifference(
  sql: Sql,
  { id, accountId, mode }: Pick<Charge, 'id' | 'accountId' | 'mode'>,
  { kind, reference, amountCents }: ProcessorDifference & { amountCents: number | null },
): Promise<void> {
  await sql.query(
    `insert into processor_differences (charge_id, kind, processor_reference, account_id, mode, amount_cents)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [id, kind, reference, accountId, mode, amountCents],
  );
}

/** The processor's report fits now. */
export async function deleteDifference(
  sql: Sql,
  chargeId: ChargeId,
  { kind, reference }: ProcessorDifference,
): Promise<void> {
  await sql.query('delete from processor_differences where charge_id = $1 and kind = $2 and processor_reference = $3', [
    chargeId,
    kind,
    reference,
  ]);
}
