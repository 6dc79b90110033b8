/** Asks for a field, the first time and again. */
import { lastFourOf } from '../domain/card.ts';
import { Secret } from '../domain/secret.ts';
import { offersKeeping } from './choices.ts';
import { codeLength } from './fields.ts';
import type { Context, Question, StateOf, Step } from './state.ts';
import type { AskLine, Attempt, FieldError, Line } from './types.ts';

type Collecting = StateOf<'collecting'>;

/** A step into the state in which the caller is asked for a field. */
export type Asked = Step & { state: Collecting };

/** Asks for a field for the first time. @param line what to say instead of the plain question */
export function askField(context: Context, question: Question, later: readonly Question[], line?: Line): Asked {
  const state: Collecting = {
    kind: 'collecting',
    context,
    question,
    later,
    keyed: Secret.empty(),
    failures: 0,
    speaking: true,
    starred: false,
  };
  return {
    state,
    effects: [
      { type: 'cancel_timer' },
      { type: 'say', line: line ?? askLine(state, question.error) },
      { type: 'note', step: `ask ${question.field}` },
    ],
  };
}

/** Asks for the same field again and says what was wrong. What was keyed is wiped. */
export function askFieldAgain(state: Collecting, error: FieldError): Step {
  state.keyed.wipe();
  const starred = error === 'started_over';
  return {
    state: { ...state, keyed: Secret.empty(), speaking: true, starred },
    effects: [
      { type: 'cancel_timer' },
      { type: 'say', line: askLine(state, error) },
      { type: 'note', step: `${state.question.field} ${error}` },
    ],
  };
}

const ATTEMPTS: readonly Attempt[] = [1, 2, 3];

/** The question in the words of this try. @param error said before it */
export function askLine({ context, question: { field }, failures }: Collecting, error: FieldError | null): AskLine {
  return {
    name: 'ask',
    field,
    attempt: ATTEMPTS[failures] ?? 3,
    error,
    ...(field === 'security_code' && { codeLength: codeLength(context) }),
    ...(field === 'confirmation' && context.card.number !== null && { lastFour: lastFourOf(context.card.number) }),
    ...(field === 'confirmation' && offersKeeping(context) && { offersKeeping: true }),
  };
}
