/** Tips: percentages that a merchant offers, each with its amount. */
import { MAX_AMOUNT_CENTS, type Money } from './money.ts';

/** As many as a caller can remember. */
export const MAX_TIPS = 3;
export const MAX_TIP_PERCENT = 50;

/** A tip on offer, in minor units of the amount due. */
export interface OfferedTip {
  percent: number;
  tipCents: number;
}

/** The tips on an amount, each rounded to the minor unit. Without those that round to nothing, or to more than can be charged. */
export function tipsOn(
  { amountCents }: Pick<Money, 'amountCents'> & Partial<Money>,
  percentages: readonly number[],
): OfferedTip[] {
  return percentages
    .map((percent) => ({ percent, tipCents: Math.round((amountCents * percent) / 100) }))
    .filter(({ tipCents }) => tipCents > 0 && amountCents + tipCents <= MAX_AMOUNT_CENTS);
}

/** The largest tip on an amount, if the payer names it in an agent's words and not by a percentage. */
export function largestTip(amountCents: number): number {
  return Math.min(Math.round((amountCents * MAX_TIP_PERCENT) / 100), MAX_AMOUNT_CENTS - amountCents);
}
