/** Putting one question, the first time and again. */
import { lastFourOf } from '../domain/card.ts';
import { Secret } from '../domain/secret.ts';
import { offersKeeping } from './choices.ts';
import { codeLength } from './fields.ts';
import type { Question, StateOf, Step, Talk } from './state.ts';
import type { AskLine, Attempt, FieldError, Line } from './types.ts';

type Collecting = StateOf<'collecting'>;

/** A step after which the caller is asked for a field. */
export type Asked = Step & { state: Collecting };

/** Asks `question` for the first time, in the words of `line` where it is not the plain request. */
export function ask(talk: Talk, question: Question, later: readonly Question[], line?: Line): Asked {
  const state: Collecting = {
    kind: 'collecting',
    talk,
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
      { type: 'unwait' },
      { type: 'say', line: line ?? askLine(state, question.error) },
      { type: 'note', step: `ask ${question.field}` },
    ],
  };
}

/** The same question, its digits wiped; what went wrong is said with it. */
export function askAgain(state: Collecting, error: FieldError): Step {
  state.keyed.wipe();
  const starred = error === 'started_over';
  return {
    state: { ...state, keyed: Secret.empty(), speaking: true, starred },
    effects: [
      { type: 'unwait' },
      { type: 'say', line: askLine(state, error) },
      { type: 'note', step: `${state.question.field} ${error}` },
    ],
  };
}

const ATTEMPTS: readonly Attempt[] = [1, 2, 3];

/** The question as it is put at this try. @param error said before it */
export function askLine({ talk, question: { field }, failures }: Collecting, error: FieldError | null): AskLine {
  return {
    name: 'ask',
    field,
    attempt: ATTEMPTS[failures] ?? 3,
    error,
    ...(field === 'security_code' && { codeLength: codeLength(talk) }),
    ...(field === 'confirmation' && talk.card.number !== null && { lastFour: lastFourOf(talk.card.number) }),
    ...(field === 'confirmation' && offersKeeping(talk) && { offersKeeping: true }),
  };
}
