/** Tips by keypad: one key a tip, in the order of the question, and zero for none. */
import type { Secret } from '../domain/secret.ts';
import { type OfferedTip, tipsOn } from '../domain/tip.ts';
import type { Context, StateOf } from './state.ts';

type Collecting = StateOf<'collecting'>;

const NO_TIP_KEY = '0';

/** The tips on offer: of the part that the caller pays, or of all. */
export function offeredTips({ part, terms: { tips } }: Context): readonly OfferedTip[] {
  if (typeof part !== 'number') return tips;
  return tipsOn(
    { amountCents: part },
    tips.map(({ percent }) => percent),
  );
}

/** The choice of a key; null if the key has none. */
export function tipOfKey({ context }: Collecting, key: Secret): NonNullable<Context['tip']> | null {
  return key.reveal((digit) => (digit === NO_TIP_KEY ? 'none' : (offeredTips(context)[Number(digit) - 1] ?? null)));
}

/** To charge beside the amount due. */
export function tipCentsOf({ tip }: Context): number {
  return tip === null || tip === 'none' ? 0 : tip.tipCents;
}
