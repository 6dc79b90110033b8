/**
 * Listening for a transfer code: a call to the line's number that finds no session by its calling number. Pure, like
 * the conversation's table, which starts once the code has named a session.
 */

import { Secret } from '../domain/secret.ts';
import { TRANSFER_CODE_DIGITS } from '../domain/transfer-number.ts';
import { BETWEEN_CODE_DIGITS_MS, CODE_MS, MAX_CODE_KEYS, MAX_WRONG_CODES } from './limits.ts';
import type { EventOf } from './state.ts';

export type CodeState =
  /** No sound is played: a platform dials the code by itself. */
  | { kind: 'listening'; keyed: Secret; keys: number; wrong: number }
  /** A code is being looked up. Later keys wait. */
  | { kind: 'checking'; keys: number; wrong: number }
  | { kind: 'over' };

export type CodeEvent =
  | EventOf<'answered' | 'key' | 'silence' | 'hung_up' | 'media_lost'>
  /** No open session has the code. `isLast`: this caller may try no other one for now. */
  | { type: 'wrong_code'; isLast: boolean }
  /** The session is found, or the database does not answer. */
  | { type: 'checked' };

export type CodeEffect =
  | { type: 'start_timer'; ms: number }
  | { type: 'cancel_timer' }
  /** Look up the code. Answered by `wrong_code` or `checked`. */
  | { type: 'check_code'; code: Secret }
  /** No session was named. */
  | { type: 'give_up' };

interface CodeStep {
  state: CodeState;
  effects: CodeEffect[];
}

type Listening = Extract<CodeState, { kind: 'listening' }>;

export const startCodeEntry = (): CodeState => ({ kind: 'listening', keyed: Secret.empty(), keys: 0, wrong: 0 });

/** One step. Wipes the key of the event, and the digits that are no longer needed. */
export function codeStep(state: CodeState, event: CodeEvent): CodeStep {
  const next = stepOf(state, event);
  if (event.type === 'key') event.key.wipe();
  return next;
}

function stepOf(state: CodeState, event: CodeEvent): CodeStep {
  const same = { state, effects: [] };
  if (state.kind === 'over') return same;
  if (event.type === 'hung_up' || event.type === 'media_lost') return end(state);
  if (state.kind === 'checking') return checked(state, event);
  switch (event.type) {
    case 'answered':
      return listen(state);
    case 'key':
      return keyPressed({ ...state, keys: state.keys + 1 }, event.key);
    case 'silence':
      return end(state);
    default:
      return same;
  }
}

function listen({ keys, wrong }: { keys: number; wrong: number }): CodeStep {
  const state: CodeState = { kind: 'listening', keyed: Secret.empty(), keys, wrong };
  return { state, effects: [{ type: 'start_timer', ms: CODE_MS }] };
}

/** `*` and `#` start over: a platform may end the code with `#`, but then it is complete already. */
function keyPressed(state: Listening, key: Secret): CodeStep {
  if (state.keys > MAX_CODE_KEYS) return end(state);
  const isDigit = key.reveal((character) => character !== '*' && character !== '#');
  if (!isDigit) state.keyed.wipe();
  const keyed = isDigit ? state.keyed.append(key) : Secret.empty();
  if (keyed.length < TRANSFER_CODE_DIGITS) {
    return { state: { ...state, keyed }, effects: [{ type: 'start_timer', ms: BETWEEN_CODE_DIGITS_MS }] };
  }
  const { keys, wrong } = state;
  return {
    state: { kind: 'checking', keys, wrong },
    effects: [{ type: 'cancel_timer' }, { type: 'check_code', code: keyed }],
  };
}

function checked(state: Extract<CodeState, { kind: 'checking' }>, event: CodeEvent): CodeStep {
  if (event.type === 'checked') return { state: { kind: 'over' }, effects: [] };
  if (event.type !== 'wrong_code') return { state, effects: [] };
  const wrong = state.wrong + 1;
  return event.isLast || wrong >= MAX_WRONG_CODES ? end(state) : listen({ ...state, wrong });
}

function end(state: CodeState): CodeStep {
  if (state.kind === 'listening') state.keyed.wipe();
  return { state: { kind: 'over' }, effects: [{ type: 'cancel_timer' }, { type: 'give_up' }] };
}
