/**
 * Partial payments by keypad: all with one key, or a part with another one and then its amount. The dollars come first;
 * star is the decimal point, because two trailing digits for cents are easily forgotten. The confirmation says the amount.
 */
import type { NumberProgress } from '../domain/card.ts';
import { partFault } from '../domain/part.ts';
import type { Secret } from '../domain/secret.ts';
import type { FieldError } from './lines.ts';
import type { Context, Question, StateOf } from './state.ts';
import type { PartTerms } from './terms.ts';
import { offeredTips } from './tips.ts';

type Collecting = StateOf<'collecting'>;

const POINT = '*';
/** More than any amount, so that a card number that is keyed here ends as one wrong amount. */
const MAX_AMOUNT_KEYS = 24;

/** Whether the caller has yet to choose between all and a part. */
export const asksPart = ({ terms, part }: Context) => terms.part !== undefined && part === null;

/** Whether star is the decimal point here: once, after a digit, in a currency with decimals. */
export function isPoint({ question, keyed, context }: Collecting, key: Secret): boolean {
  if (question.field !== 'part_amount' || partTerms(context).decimals === 0 || keyed.length === 0) return false;
  return key.reveal((pressed) => pressed === POINT) && keyed.reveal((keys) => !keys.includes(POINT));
}

/** Whether the key before was the decimal point: a second star returns to the agent, as everywhere. */
export function endsWithPoint({ question, keyed }: Collecting): boolean {
  return question.field === 'part_amount' && keyed.reveal((keys) => keys.endsWith(POINT));
}

export function partProgress(keyed: Secret, context: Context): NumberProgress {
  if (keyed.length >= MAX_AMOUNT_KEYS) return 'complete';
  const { decimals } = partTerms(context);
  return keyed.reveal((keys) => {
    const [, minor] = keys.split(POINT);
    if (minor === undefined || minor === '') return 'may_be_complete';
    return minor.length < decimals ? 'incomplete' : 'complete';
  });
}

/** The context with the part that was keyed, or the amount's error. */
export function readPart({ context, keyed }: Collecting): Context | FieldError {
  const { minimumCents, totalCents, decimals } = partTerms(context);
  const cents = keyed.reveal((keys) => centsOf(keys, decimals));
  if (cents === null) return 'incomplete';
  const fault = partFault(cents, minimumCents, totalCents);
  if (fault !== null) return fault;
  keyed.wipe();
  return { ...context, part: cents === totalCents ? 'all' : cents };
}

function centsOf(keys: string, decimals: number): number | null {
  const [major = '', minor = ''] = keys.split(POINT);
  if (minor !== '' && minor.length !== decimals) return null;
  return Number(major + minor.padEnd(decimals, '0'));
}

function partTerms({ terms: { part } }: Context): PartTerms {
  if (part === undefined) throw new Error('a part asked for where only the whole amount can be paid');
  return part;
}

/** Without the question for a tip if every tip of the part rounds to nothing. */
export function questionsAfterPart(context: Context, later: readonly Question[]): Question[] {
  return later.filter(({ field }) => field !== 'tip' || offeredTips(context).length > 0);
}

/** To charge instead of the amount due. Null: all of it. */
export function partCentsOf({ part }: Context): number | null {
  return typeof part === 'number' ? part : null;
}

/** What the part leaves to pay. 0 if it is all. */
export function remainingCentsOf({ part, terms }: Context): number {
  return typeof part === 'number' && terms.part !== undefined ? terms.part.totalCents - part : 0;
}
