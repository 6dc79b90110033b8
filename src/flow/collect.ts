/** Asking for one field after the other, and what becomes of every key. */
import type { Secret } from '../domain/secret.ts';
import { type Asked, ask, askAgain, askLine } from './asking.ts';
import { startCharge } from './charging.ts';
import { type Choice, choiceOf, isChoice, offersKeeping } from './choices.ts';
import { FIELDS, progressOf, wholeCard } from './fields.ts';
import { end, leave } from './leaving.ts';
import { BETWEEN_DIGITS_MS, FIRST_DIGIT_MS, KEEP_CARD_MS, MAX_KEYS, MAX_TRIES, MAY_BE_COMPLETE_MS } from './limits.ts';
import { type EventOf, outcomeAfter, type Question, type StateOf, type Step, type Talk, wipeCard } from './state.ts';
import type { Effect, FieldError } from './types.ts';

type Collecting = StateOf<'collecting'>;

/** The call is up: greet, which asks for the card number. */
export function greet({ talk }: StateOf<'ringing'>): Asked {
  const [question, ...later] = wholeCard(talk);
  return ask(talk, question, later, { name: 'greeting' });
}

/** A key before the call counted as answered: the greeting is due, and already interrupted. */
export function keyBeforeAnswer(state: StateOf<'ringing'>, event: EventOf<'key'>): Step {
  const greeted = greet(state);
  const pressed = keyPressed(greeted.state, event);
  return { state: pressed.state, effects: [...greeted.effects, ...pressed.effects] };
}

/** `*` starts the field over, `#` ends it, a digit goes on with it; too many keys in all end the conversation. */
export function keyPressed(state: Collecting, { key }: EventOf<'key'>): Step {
  const talk = { ...state.talk, keys: state.talk.keys + 1 };
  if (talk.keys > MAX_KEYS) return giveUp(state, 'invalid_input');
  switch (key.reveal((character) => character)) {
    case '*':
      return starPressed({ ...state, talk });
    case '#':
      return poundPressed({ ...state, talk, starred: false });
    default:
      return digitPressed(state, talk, key);
  }
}

function digitPressed(state: Collecting, talk: Talk, key: Secret): Step {
  const keyed = state.keyed.append(key);
  const next: Collecting = { ...state, talk, keyed, speaking: false, starred: false };
  const progress = progressOf(state.question.field, keyed, talk);
  if (progress === 'complete') return judge(next);
  const wait: Effect = { type: 'wait', ms: progress === 'incomplete' ? BETWEEN_DIGITS_MS : MAY_BE_COMPLETE_MS };
  return { state: next, effects: state.speaking ? [{ type: 'hush' }, wait] : [wait] };
}

/** The end of a field. With nothing keyed it is what other lines want after a number that here was complete already. */
function poundPressed(state: Collecting): Step {
  return state.keyed.length === 0 ? { state, effects: [] } : judge(state);
}

/** Once: this field from its start, not counted as a try. Twice in a row: back to the agent. */
function starPressed(state: Collecting): Step {
  if (!state.starred) return askAgain(state, 'started_over');
  const talk = wipeAll(state);
  return leave(talk, outcomeAfter(talk, { kind: 'canceled' }), { name: 'canceled' });
}

/** The sentence was heard to its end: now the caller's time runs. */
export function promptHeard(state: Collecting): Step {
  const ms = state.question.field === 'keep_card' ? KEEP_CARD_MS : FIRST_DIGIT_MS;
  const wait: Effect[] = state.keyed.length === 0 ? [{ type: 'wait', ms }] : [];
  return { state: { ...state, speaking: false, starred: false }, effects: wait };
}

/** No key for as long as we wait: the field is complete, or one try is over. */
export function fellSilent(state: Collecting): Step {
  const { field } = state.question;
  if (state.keyed.length === 0) return field === 'keep_card' ? chosen(state, 'pay') : tryAgain(state, 'nothing_keyed');
  const progress = progressOf(field, state.keyed, state.talk);
  return progress === 'incomplete' ? tryAgain(state, 'incomplete') : judge(state);
}

/** The field's digits are all there. */
function judge(state: Collecting): Step {
  const {
    talk,
    question: { field },
    keyed,
  } = state;
  if (isChoice(field)) return chosen(state, choiceOf(field, keyed, talk));
  const read = FIELDS[field].read(keyed, talk);
  if (typeof read === 'string') return tryAgain(state, read);
  return askNext({ ...talk, card: read }, state.later);
}

/** No answer to whether the card is to be kept is a no: the card was keyed to pay. */
function chosen(state: Collecting, choice: Choice): Step {
  const { talk, later, keyed } = state;
  switch (choice) {
    case 'another_card':
      return changeCard(state);
    case 'unclear':
      if (state.question.field === 'keep_card' && state.failures + 1 >= MAX_TRIES) return chosen(state, 'pay');
      return tryAgain(state, 'looks_wrong');
    case 'pay':
      keyed.wipe();
      return askNext(offersKeeping(talk) ? { ...talk, agreedTo: 'no' } : talk, later);
    case 'pay_and_keep':
      keyed.wipe();
      return askNext({ ...talk, agreedTo: askLine(state, null) }, later);
  }
}

function askNext(talk: Talk, [next, ...later]: readonly Question[]): Step {
  return next === undefined ? startCharge(talk) : ask(talk, next, later);
}

function changeCard(state: Collecting): Step {
  const talk = wipeAll(state);
  const [question, ...later] = wholeCard(talk);
  return ask(talk, question, later);
}

function tryAgain(state: Collecting, error: FieldError): Step {
  const failures = state.failures + 1;
  if (failures >= MAX_TRIES) return giveUp(state, error === 'nothing_keyed' ? 'no_input' : 'invalid_input');
  return askAgain({ ...state, failures }, error);
}

function giveUp(state: Collecting, reason: 'no_input' | 'invalid_input'): Step {
  const talk = wipeAll(state);
  return leave(talk, outcomeAfter(talk, { kind: 'failed', reason }), { name: 'gave_up', reason });
}

function wipeAll(state: Collecting): Talk {
  state.keyed.wipe();
  return wipeCard(state.talk);
}

/** The caller or the audio is gone and no charge was ordered: nothing is charged, the session stays open. */
export function goneBeforeCharge(
  state: StateOf<'ringing'> | Collecting,
  event: EventOf<'hung_up' | 'media_lost'>,
): Step {
  const talk = state.kind === 'collecting' ? wipeAll(state) : state.talk;
  const outcome = outcomeAfter(
    talk,
    event.type === 'hung_up' ? { kind: 'canceled' } : { kind: 'failed', reason: 'error' },
  );
  return end(outcome, event.type);
}
