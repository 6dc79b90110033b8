/** The steps of choosing the amount: all or a part, and the tip. Both can be changed at the confirmation. */
import { type AskStep, askField } from './asking.ts';
import type { Context, Question, StateOf } from './state.ts';

type Collecting = StateOf<'collecting'>;

const ALL_KEY = '1';
const PART_KEY = '2';

/** After the key at the choice. @returns null for a key that was not offered */
export function chooseWholeOrPart({ context, later, keyed }: Collecting): AskStep | Context | null {
  const key = keyed.reveal((digit) => digit);
  if (key !== ALL_KEY && key !== PART_KEY) return null;
  keyed.wipe();
  if (key === ALL_KEY) return { ...context, part: 'all' };
  return askField(context, { field: 'part_amount', error: null }, later);
}

/** Asks for the choice again, then for the tip, and then confirms the new amount. */
export function changePart({ context, question, later, keyed }: Collecting): AskStep {
  keyed.wipe();
  const tip: Question[] = context.terms.tips.length > 0 ? [{ field: 'tip', error: null }] : [];
  return askField({ ...context, part: null, tip: null }, { field: 'part', error: null }, [...tip, question, ...later]);
}

/** Asks for the tip again, and then confirms the new amount. */
export function changeTip({ context, question, later, keyed }: Collecting): AskStep {
  keyed.wipe();
  return askField({ ...context, tip: null }, { field: 'tip', error: null }, [question, ...later]);
}
