/**
 * Asks which payment a call is for: a caller who dials the line's number may have payments waiting at several
 * merchants. The question comes first, and its answer claims a session. From then on the call is like one to that
 * session. Before that there is no agent to return to, because each session has its own.
 */
import type { CallOutcome } from '../domain/outcome.ts';
import type { Effect } from './effects.ts';
import { endBrokenOff, leaveCall } from './leaving.ts';
import { ASTRAY_MS, FIRST_DIGIT_MS, MAX_KEYS, MAX_TRIES, TAKING_ANNOUNCED_MS } from './limits.ts';
import type { Attempt, Line } from './lines.ts';
import { type EventOf, type State, type StateOf, type Step, startConversation } from './state.ts';
import type { SpokenMerchant } from './terms.ts';

type Choosing = StateOf<'choosing_merchant'>;
type ChoiceLine = Extract<Line, { name: 'choose_merchant' }>;

const NO_AGENT = { terms: { returns: false } };
const ATTEMPTS: readonly Attempt[] = [1, 2, 3];

/** The conversation of a call without a session, before it is answered. @param merchants in the order of their keys */
export function startMerchantChoice(merchants: readonly SpokenMerchant[]): State {
  const unheard = { isAsked: false, failures: 0, keys: 0, astray: false, speaking: false, starred: false };
  return { kind: 'choosing_merchant', merchants, ...unheard };
}

/** The question. */
export function choiceLine(
  merchants: readonly SpokenMerchant[],
  failures = 0,
  error: ChoiceLine['error'] = null,
): ChoiceLine {
  return { name: 'choose_merchant', merchants, attempt: ATTEMPTS[failures] ?? 3, error };
}

export function askMerchant(state: Choosing): Step {
  return state.isAsked ? { state, effects: [] } : ask(state, null);
}

function ask(state: Choosing, error: ChoiceLine['error']): Step {
  return {
    state: { ...state, isAsked: true, astray: false, speaking: true, starred: error === 'started_over' },
    effects: [
      { type: 'cancel_timer' },
      { type: 'say', line: choiceLine(state.merchants, state.failures, error) },
      { type: 'note', step: error === null ? 'ask merchant' : `merchant ${error}` },
    ],
  };
}

/**
 * A digit chooses a merchant, also during the question. A digit without a merchant may be the first of a card number,
 * from a caller who expects no question: the rest of that number chooses nothing. `*` repeats the question, `**` ends
 * the call, and `#` does nothing.
 */
export function keyWhileChoosing(before: Choosing, { key }: EventOf<'key'>): Step {
  const state: Choosing = { ...before, keys: before.keys + 1 };
  const pressed = key.reveal((character) => character);
  if (state.keys > MAX_KEYS) return giveUp('invalid_input');
  if (pressed === '#') return { state: { ...state, starred: false }, effects: [] };
  if (pressed === '*')
    return state.starred ? leave({ kind: 'canceled' }, { name: 'choice_left' }) : ask(state, 'started_over');
  const place = Number(pressed) - 1;
  return state.astray || state.merchants[place] === undefined ? goAstray(state) : takeSession(state, place);
}

function goAstray(state: Choosing): Step {
  const quiet: Effect[] = state.speaking ? [{ type: 'stop_speaking' }] : [];
  return {
    state: { ...state, astray: true, speaking: false, starred: false },
    effects: [...quiet, { type: 'start_timer', ms: ASTRAY_MS }],
  };
}

function takeSession({ speaking }: Choosing, place: number): Step {
  const quiet: Effect[] = speaking ? [{ type: 'stop_speaking' }] : [];
  return {
    state: { kind: 'claiming_session', speaking: false, endRequested: false },
    effects: [
      ...quiet,
      { type: 'claim_session', place },
      { type: 'start_timer', ms: TAKING_ANNOUNCED_MS },
      { type: 'note', step: 'merchant chosen' },
    ],
  };
}

function tryAgain(before: Choosing, error: 'nothing_keyed' | 'looks_wrong'): Step {
  const state: Choosing = { ...before, failures: before.failures + 1 };
  if (state.failures < MAX_TRIES) return ask(state, error);
  return giveUp(error === 'nothing_keyed' ? 'no_input' : 'invalid_input');
}

function giveUp(reason: 'no_input' | 'invalid_input'): Step {
  return leave({ kind: 'failed', reason }, { name: 'gave_up', reason: 'no_choice' });
}

function leave(outcome: CallOutcome, line: Line): Step {
  return leaveCall(NO_AGENT, outcome, line);
}

/** The question has ended, and the time to answer begins. */
export function choicePromptEnded(state: Choosing): Step {
  return { state: { ...state, speaking: false }, effects: [{ type: 'start_timer', ms: FIRST_DIGIT_MS }] };
}

export function nothingChosen(state: Choosing): Step {
  return tryAgain(state, state.astray ? 'looks_wrong' : 'nothing_keyed');
}

/** The line is shutting down. */
export function refusedWhileChoosing(): Step {
  return leave({ kind: 'failed', reason: 'error' }, { name: 'session_not_taken' });
}

/** The call continues as if it had had this session from the start. */
export function sessionClaimed(
  { endRequested }: StateOf<'claiming_session'>,
  { terms }: EventOf<'session_claimed'>,
): Step {
  return {
    state: startConversation(terms, endRequested),
    effects: [{ type: 'cancel_timer' }, { type: 'note', step: 'session taken' }],
  };
}

export function sessionNotClaimed(): Step {
  return leave({ kind: 'failed', reason: 'error' }, { name: 'session_not_taken' });
}

/** The database is slow: the line says that it takes a moment. The answer to the claim has a time limit. */
export function stillClaiming(state: StateOf<'claiming_session'>): Step {
  return { state: { ...state, speaking: true }, effects: [{ type: 'say', line: { name: 'one_moment' } }] };
}

export function claimPromptEnded(state: StateOf<'claiming_session'>): Step {
  return { state: { ...state, speaking: false }, effects: [] };
}

/**
 * The caller or the media is lost before there is a session. A session that is claimed nevertheless is released at the
 * end of the call.
 */
export function goneWhileChoosing(
  _: Choosing | StateOf<'claiming_session'>,
  { type }: EventOf<'hung_up' | 'media_lost'>,
): Step {
  const outcome: CallOutcome = type === 'hung_up' ? { kind: 'canceled' } : { kind: 'failed', reason: 'error' };
  return endBrokenOff(outcome, type);
}
