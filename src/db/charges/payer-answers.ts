/**
 * The table `payer_answers`: for a processor that completes a charge with the payer's answer to the bank's challenge, and
 * cannot cancel it. The first answer stays, or that the charge was given up before.
 */
import type { ChargeId } from '../../domain/ids.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';

export interface PayerAnswer {
  /** SHA-256 of the answer. Null: the charge was given up. */
  answerHash: Buffer | null;
}

/** @returns what was stored first */
export function claimPayerAnswer(sql: Sql, chargeId: ChargeId, answerHash: Buffer | null): Promise<PayerAnswer> {
  return readOne<PayerAnswer>(sql, {
    name: 'claim_payer_answer',
    // An update that changes nothing, because `do nothing` would not return the row.
    text: `insert into payer_answers (charge_id, answer_hash) values ($1, $2)
           on conflict (charge_id) do update set charge_id = excluded.charge_id
           returning answer_hash as "answerHash"`,
    values: [chargeId, answerHash],
  });
}

/** The processor has rejected the answer, so another one can be sent, or the charge given up. */
export async function releasePayerAnswer(sql: Sql, chargeId: ChargeId, answerHash: Buffer): Promise<void> {
  await sql.query({
    name: 'release_payer_answer',
    text: 'delete from payer_answers where charge_id = $1 and answer_hash = $2',
    values: [chargeId, answerHash],
  });
}

export function findPayerAnswer(sql: Sql, chargeId: ChargeId): Promise<PayerAnswer | null> {
  return readFirst<PayerAnswer>(sql, {
    name: 'find_payer_answer',
    text: 'select answer_hash as "answerHash" from payer_answers where charge_id = $1',
    values: [chargeId],
  });
}
