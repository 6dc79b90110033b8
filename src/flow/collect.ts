/** Collects the card, one field after the other: the effect of each key, silence and hang-up. */
import type { Secret } from '../domain/secret.ts';
import { changePart, changeTip, chooseWholeOrPart } from './amount-steps.ts';
import { type AskStep, askField, askFieldAgain, askLine, greetingOf } from './asking.ts';
import {
  acceptAccountChoice,
  askAccountAgain,
  firstQuestions,
  isEarlyAgreement,
  sayAgreeToTerms,
} from './bank-account-steps.ts';
import { endUnpaid, goOnByLink, leaveForAgent, outcomeWhenGone } from './by-link.ts';
import { startCharge } from './charging.ts';
import type { Effect } from './effects.ts';
import { bePatient, sayPageOpened } from './elsewhere.ts';
import { type Choice, choiceOf, FIELDS, isChoice, offersKeeping, progressOf, wholeCard } from './fields.ts';
import { changeLanguage, isLanguageKey } from './language.ts';
import { endBrokenOff, leaveCall } from './leaving.ts';
import { BETWEEN_DIGITS_MS, FIRST_DIGIT_MS, KEEP_CARD_MS, MAX_KEYS, MAX_TRIES, MAY_BE_COMPLETE_MS } from './limits.ts';
import type { FieldError } from './lines.ts';
import { endsWithPoint, isPoint, questionsAfterPart, readPart } from './parts.ts';
import {
  askNumberInstead,
  chooseSavedCard,
  isSavedCardKey,
  offerOtherCards,
  pickSavedCard,
  startsNumber,
  takeNumberInstead,
} from './saved-cards.ts';
import { askForLink, greetByLink } from './sending-link.ts';
import { type Context, type EventOf, outcomeAfter, type Question, type StateOf, type Step, wipeCard } from './state.ts';
import { tipOfKey } from './tips.ts';

type Collecting = StateOf<'collecting'>;

/**
 * The call is answered: greets the caller and asks for the card number, or has the link texted if the merchant accepts
 * no keypad.
 */
export function greet({ context }: StateOf<'ringing'>): Step {
  if (context.endRequested) return endUnpaid(context);
  return context.terms.takesKeypad ? askWholeCard(context) : greetByLink(context);
}

function askWholeCard(context: Context): AskStep {
  const [question, ...later] = firstQuestions(context);
  return askField(context, question, later, greetingOf(context.terms, context.savedCards));
}

/** A key before `answered` interrupts the greeting. */
export function keyBeforeAnswer(state: StateOf<'ringing'>, event: EventOf<'key'>): Step {
  const { context } = state;
  if (context.endRequested) return { state, effects: [] };
  if (!context.terms.takesKeypad) return greetByLink(context);
  const greeted = askWholeCard(context);
  const pressed = keyPressed(greeted.state, event);
  return { state: pressed.state, effects: [...greeted.effects, ...pressed.effects] };
}

/**
 * `*` restarts the field, `#` ends it, a digit continues it, and 9 as the first key changes the language. Too many keys
 * in a call end the conversation.
 */
export function keyPressed(state: Collecting, { key }: EventOf<'key'>): Step {
  const context = { ...state.context, keys: state.context.keys + 1 };
  if (context.keys > MAX_KEYS) return giveUp(state, 'invalid_input');
  // A caller who has not heard the merchant's words cannot have agreed to them.
  if (state.speaking && (isEarlyYes(state, key) || isEarlyAgreement(state, key)))
    return { state: { ...state, context }, effects: [] };
  if (isLanguageKey(state.context, key)) return changeLanguage({ ...state, context });
  if (isSavedCardKey(state, key)) return chooseSavedCard({ ...state, context });
  const picked = pickSavedCard({ ...state, context }, key);
  if (picked !== null) return picked;
  if (state.question.field === 'tip') return keyAtTip({ ...state, context }, key);
  if (isPoint(state, key)) return digitPressed(state, context, key);
  if (startsNumber(state, key)) return keyPressed(takeNumberInstead(state), { type: 'key', key });
  switch (key.reveal((character) => character)) {
    case '*':
      return starPressed({ ...state, context, pounded: false });
    case '#':
      return poundPressed({ ...state, context, starred: false });
    default:
      return digitPressed(state, context, key);
  }
}

function isEarlyYes({ question, context }: Collecting, key: Secret): boolean {
  if (question.field !== 'keep_card' || context.terms.keepsByOwnWords !== true) return false;
  return choiceOf('keep_card', key, context) === 'pay_and_keep';
}

function digitPressed(state: Collecting, context: Context, key: Secret): Step {
  const keyed = state.keyed.append(key);
  const next: Collecting = { ...state, context, keyed, speaking: false, starred: false, pounded: false };
  const progress = progressOf(state.question.field, keyed, context);
  if (progress === 'complete') return finishField(next);
  const wait: Effect = { type: 'start_timer', ms: progress === 'incomplete' ? BETWEEN_DIGITS_MS : MAY_BE_COMPLETE_MS };
  return { state: next, effects: state.speaking ? [{ type: 'stop_speaking' }, wait] : [wait] };
}

/**
 * `#` ends a field. With nothing keyed it is ignored: callers press it after a number that was already complete. A
 * second one has the link texted.
 */
function poundPressed(state: Collecting): Step {
  if (state.keyed.length > 0) return finishField(state);
  return state.pounded ? askForLink(state) : { state: { ...state, pounded: true }, effects: [] };
}

/** `*` once restarts the field, which does not count as a try. Twice in a row, it returns to the agent. */
function starPressed(state: Collecting): Step {
  if (endsWithPoint(state)) return leaveForAgent(wipeCollected(state));
  if (!state.starred && state.question.field === 'saved_card') return askNumberInstead(state.context);
  if (!state.starred) return askFieldAgain(state, 'started_over');
  return leaveForAgent(wipeCollected(state));
}

/** The question has ended: starts the timer for the first digit, unless the line has to mention the page. */
export function promptEnded(state: Collecting): Step {
  return sayPageOpened(state) ?? sayAgreeToTerms(state) ?? waitForDigits(state);
}

function waitForDigits(state: Collecting): Step {
  const { field } = state.question;
  const ms = field === 'keep_card' || field === 'tip' ? KEEP_CARD_MS : FIRST_DIGIT_MS;
  const wait: Effect[] = state.keyed.length === 0 ? [{ type: 'start_timer', ms }] : [];
  return { state: { ...state, speaking: false, starred: false }, effects: wait };
}

/** No key in time: the field is complete, or the try has failed. */
export function fellSilent(state: Collecting): Step {
  const { field } = state.question;
  if (state.keyed.length === 0) {
    if (field === 'tip') return withTip(state, 'none');
    if (field === 'keep_card' && !state.context.terms.savesOnly) return applyChoice(state, 'pay');
    return goOnByLink(state) ?? bePatient(state) ?? tryAgain(state, 'nothing_keyed');
  }
  const progress = progressOf(field, state.keyed, state.context);
  return progress === 'incomplete' ? tryAgain(state, 'incomplete') : finishField(state);
}

/** The field's digits are complete: accepts them, or asks again. */
function finishField(state: Collecting): Step {
  const {
    context,
    question: { field },
    keyed,
  } = state;
  if (field === 'saved_card' || field === 'tip') return tryAgain(state, 'looks_wrong');
  if (field === 'part') return wholeOrPart(state);
  if (field === 'part_amount') return partKeyed(state);
  if (field === 'method' || field === 'account_type' || field === 'debit_terms')
    return acceptAccountChoice(state) ?? tryAgain(state, 'looks_wrong');
  if (isChoice(field)) return applyChoice(state, choiceOf(field, keyed, context));
  const read = FIELDS[field].read(keyed, context);
  if (read === 'numbers_differ') return askAccountAgain(state) ?? giveUp(state, 'invalid_input');
  if (typeof read === 'string') return tryAgain(state, read);
  return askNext({ ...context, card: read }, state.later);
}

/** Three unclear answers about saving the card mean no, because the caller keyed the card in order to pay. */
function meansNo({ question, failures, context }: Collecting): boolean {
  return question.field === 'keep_card' && failures + 1 >= MAX_TRIES && !context.terms.savesOnly;
}

function applyChoice(state: Collecting, choice: Choice): Step {
  const { context, later, keyed } = state;
  switch (choice) {
    case 'another_card':
      return changeCard(state);
    case 'another_amount':
      return context.terms.part === undefined ? changeTip(state) : changePart(state);
    case 'unclear':
      return meansNo(state) ? applyChoice(state, 'pay') : tryAgain(state, 'looks_wrong');
    case 'not_saved':
      return leaveForAgent(wipeCollected(state));
    case 'pay':
      keyed.wipe();
      return askNext(offersKeeping(context) ? { ...context, agreedTo: 'no' } : context, later);
    case 'pay_and_keep':
      keyed.wipe();
      return askNext({ ...context, agreedTo: askLine(state, null) }, later);
  }
}

function wholeOrPart(state: Collecting): Step {
  const chosen = chooseWholeOrPart(state);
  if (chosen === null) return tryAgain(state, 'looks_wrong');
  return 'effects' in chosen ? chosen : askNext(chosen, state.later);
}

function partKeyed(state: Collecting): Step {
  const read = readPart(state);
  if (typeof read === 'string') return tryAgain(state, read);
  return askNext(read, questionsAfterPart(read, state.later));
}

/** One key chooses a tip or none. Three unclear answers mean none: the confirmation says the amount. */
function keyAtTip(state: Collecting, key: Secret): Step {
  const tip = tipOfKey(state, key);
  if (tip !== null) return withTip(state, tip);
  const pressed = key.reveal((character) => character);
  if (pressed === '*') return starPressed({ ...state, pounded: false });
  if (pressed === '#') return poundPressed({ ...state, starred: false });
  return state.failures + 1 >= MAX_TRIES ? withTip(state, 'none') : tryAgain(state, 'looks_wrong');
}

function withTip(state: Collecting, tip: NonNullable<Context['tip']>): Step {
  return askNext({ ...state.context, tip }, state.later);
}

function askNext(context: Context, [next, ...later]: readonly Question[]): Step {
  return next === undefined ? startCharge(context) : askField(context, next, later);
}

function changeCard(state: Collecting): Step {
  const others = offerOtherCards(state);
  const context = wipeCollected(state);
  if (others !== null) return others;
  const [question, ...later] = wholeCard(context);
  return askField(context, question, later);
}

function tryAgain(state: Collecting, error: FieldError): Step {
  const failures = state.failures + 1;
  if (failures >= MAX_TRIES) return giveUp(state, error === 'nothing_keyed' ? 'no_input' : 'invalid_input');
  return askFieldAgain({ ...state, failures }, error);
}

function giveUp(state: Collecting, reason: 'no_input' | 'invalid_input'): Step {
  const context = wipeCollected(state);
  return leaveCall(context, outcomeAfter(context, { kind: 'failed', reason }), { name: 'gave_up', reason });
}

function wipeCollected(state: Collecting): Context {
  state.keyed.wipe();
  return wipeCard(state.context);
}

/** The caller or the media is lost before a charge was ordered. Nothing is charged, and the session stays open. */
export function goneBeforeCharge(
  state: StateOf<'ringing' | 'sending_link'> | Collecting,
  event: EventOf<'hung_up' | 'media_lost'>,
): Step {
  const context = state.kind === 'collecting' ? wipeCollected(state) : wipeCard(state.context);
  return endBrokenOff(outcomeWhenGone(context, event), event.type);
}
