/** Tips by keypad: one key a tip, in the order of the question, and zero for none. */
import type { Secret } from '../domain/secret.ts';
import { type AskStep, askField } from './asking.ts';
import type { Context, StateOf } from './state.ts';

type Collecting = StateOf<'collecting'>;

const NO_TIP_KEY = '0';

/** The choice of a key; null if the key has none. */
export function tipOfKey({ context }: Collecting, key: Secret): NonNullable<Context['tip']> | null {
  return key.reveal((digit) => (digit === NO_TIP_KEY ? 'none' : (context.terms.tips[Number(digit) - 1] ?? null)));
}

/** Asks for the tip again, and then confirms the new amount. */
export function changeTip({ context, question, later, keyed }: Collecting): AskStep {
  keyed.wipe();
  return askField({ ...context, tip: null }, { field: 'tip', error: null }, [question, ...later]);
}

/** To charge beside the amount due. */
export function tipCentsOf({ tip }: Context): number {
  return tip === null || tip === 'none' ? 0 : tip.tipCents;
}
