/** Partial payments: a payer may pay a part of the amount due, from the merchant's minimum on. */
import type { Merchant } from './merchant.ts';
import type { CheckoutSession } from './session.ts';

type PaidSession = Pick<CheckoutSession, 'amount' | 'capture' | 'purpose'>;

/**
 * The smallest part that the payer may pay, in minor units. Null if only the whole amount can be paid: the merchant takes
 * no parts, the amount is no larger, or it is only held, or a card is only saved.
 */
export function smallestPart(
  { amount, capture, purpose }: PaidSession,
  { partialMinimumCents: minimum }: Pick<Merchant, 'partialMinimumCents'>,
): number | null {
  if (minimum === null || capture === 'manual' || purpose === 'save_card') return null;
  return minimum < amount.amountCents ? minimum : null;
}

/** Why an amount cannot be paid as a part. */
export type PartFault = 'below_minimum' | 'above_total';

/** @param minimumCents of {@link smallestPart}. The whole amount counts as a part, which leaves nothing. */
export function partFault(partCents: number, minimumCents: number, totalCents: number): PartFault | null {
  if (partCents > totalCents) return 'above_total';
  return partCents < minimumCents ? 'below_minimum' : null;
}
