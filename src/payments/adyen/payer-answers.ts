/** What the payer answered to the bank's challenge (3-D Secure), stored before it is sent to Adyen. */
import {
  claimPayerAnswer,
  findPayerAnswer,
  type PayerAnswer,
  releasePayerAnswer,
} from '../../db/charges/payer-answers.ts';
import type { Sql } from '../../db/pool.ts';
import type { ChargeId } from '../../domain/ids.ts';

export interface PayerAnswers {
  /** @param hash null gives the charge up. @returns what was stored first */
  claim(chargeId: ChargeId, hash: Buffer | null): Promise<PayerAnswer>;
  release(chargeId: ChargeId, hash: Buffer): Promise<void>;
  /** Null if there is none. */
  of(chargeId: ChargeId): Promise<PayerAnswer | null>;
}

export const storedPayerAnswers = (sql: Sql): PayerAnswers => ({
  claim: (chargeId, hash) => claimPayerAnswer(sql, chargeId, hash),
  release: (chargeId, hash) => releasePayerAnswer(sql, chargeId, hash),
  of: (chargeId) => findPayerAnswer(sql, chargeId),
});
