/** What payers answered to their banks, without a database. */
import type { PayerAnswers } from '../../src/payments/adyen/payer-answers.ts';

export function memoryPayerAnswers(): PayerAnswers {
  const kept = new Map<string, Buffer | null>();
  return {
    async claim(chargeId, hash) {
      if (!kept.has(chargeId)) kept.set(chargeId, hash);
      return { answerHash: kept.get(chargeId) ?? null };
    },
    release: async (chargeId) => void kept.delete(chargeId),
    of: async (chargeId) => (kept.has(chargeId) ? { answerHash: kept.get(chargeId) ?? null } : null),
  };
}
