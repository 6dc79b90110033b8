/** The charge: ordering it, waiting for it, and acting on each answer. */
import { CHARGE_STEP } from '../domain/call.ts';
import { type DeclineCode, differenceOf } from '../domain/charge.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { askField, offersLink } from './asking.ts';
import { askMethod, debitOf } from './bank-account-order.ts';
import { agentOutcome, endUnpaid, hasLink, leaveForAgent } from './by-link.ts';
import { noteOf, outcomeOf, refusedLine } from './charge-answers.ts';
import type { Effect, KeyedCard } from './effects.ts';
import { payingElsewhere, sayResult, stillConfirming } from './elsewhere.ts';
import { codeLength, wholeCard } from './fields.ts';
import { endBrokenOff, endCall, leaveCall } from './leaving.ts';
import { MAX_DECLINES, MAX_STILL_WORKING, SETTLE_MS, STILL_WORKING_MS } from './limits.ts';
import type { Line } from './lines.ts';
import { partCentsOf } from './parts.ts';
import {
  type CardSoFar,
  type ChargeAnswer,
  type Context,
  type Elsewhere,
  type EventOf,
  outcomeAfter,
  type Question,
  type StateOf,
  type Step,
  wipeCard,
} from './state.ts';
import type { AccountField, ChoiceField, Field } from './terms.ts';
import { tipCentsOf } from './tips.ts';

type Charging = StateOf<'charging'>;

/**
 * Orders the charge and says that it takes a moment. Until the answer, keys are ignored, including `**`: the bank may
 * already have approved, and a caller who believes the payment was canceled would pay twice.
 */
export function startCharge(context: Context): Step {
  const order = orderOf(context);
  const state: Charging = {
    kind: 'charging',
    context: { ...context, savedCards: [], card: { ...context.card, securityCode: null } },
    speaking: true,
    answer: null,
    renewals: 0,
  };
  return {
    state,
    effects: [
      { type: 'cancel_timer' },
      order,
      { type: 'say', line: { name: 'one_moment' } },
      { type: 'start_timer', ms: STILL_WORKING_MS },
      { type: 'note', step: CHARGE_STEP },
    ],
  };
}

function orderOf(context: Context): Effect {
  const { card, agreedTo } = context;
  if (card.accountNumber !== null) return debitOf(card, agreedTo);
  const amount = { partCents: partCentsOf(context), tipCents: tipCentsOf(context) };
  if (card.saved !== null) return { type: 'charge_saved', cardId: card.saved.id, ...amount };
  return { type: 'charge', card: copyForPayment(card), agreedTo: agreedTo === 'no' ? null : agreedTo, ...amount };
}

/** Copies the card for the payment. The security code is not copied but moved. */
function copyForPayment({ number, expiry, securityCode, postalCode }: CardSoFar): KeyedCard {
  if (number === null || expiry === null || securityCode === null) throw new Error('charge without a whole card');
  return { number: number.copy(), expiry: expiry.copy(), securityCode, postalCode: postalCode?.copy() ?? null };
}

export function stillWorking(state: Charging): Step {
  if (state.renewals >= MAX_STILL_WORKING) return unconfirmed(state.context, { kind: 'pending' });
  return {
    state: { ...state, renewals: state.renewals + 1, speaking: true },
    effects: [
      { type: 'say', line: { name: 'still_working' } },
      { type: 'start_timer', ms: STILL_WORKING_MS },
    ],
  };
}

/** An answer never interrupts a sentence: "one moment" takes a second, and half of it would sound broken. */
export function answerCame(state: Charging, answer: ChargeAnswer): Step {
  if (state.answer !== null) return { state, effects: [] };
  const note: Effect = { type: 'note', step: noteOf(answer) };
  if (state.speaking) return { state: { ...state, answer }, effects: [{ type: 'cancel_timer' }, note] };
  const next = followAnswer(state.context, answer);
  return { state: next.state, effects: [...next.effects, note] };
}

/**
 * News of a payment elsewhere, while our charge is in flight or its answer waits for the end of a sentence. It replaces
 * an answer that it makes outdated.
 */
export function elsewhereWhileCharging(state: Charging, event: Elsewhere | EventOf<'unconfirmed'>): Step {
  const { answer } = state;
  if (answer === null && (event.type === 'paying_elsewhere' || event.type === 'unconfirmed'))
    return answerCame(state, event);
  if (answer === null || !isOutdated(answer, event)) return { state, effects: [] };
  const context = answer.type === 'declined' ? withDecline(state.context, answer) : state.context;
  return { state: { ...state, context, answer: event }, effects: [{ type: 'note', step: noteOf(event) }] };
}

/** The result of our charge is unknown, or another charge has none. */
export function unconfirmedWhileCharging(state: Charging, event: EventOf<'unconfirmed'>): Step {
  return event.elsewhere === undefined ? answerCame(state, event) : elsewhereWhileCharging(state, event);
}

function isOutdated(answer: ChargeAnswer, event: Elsewhere | EventOf<'unconfirmed'>): boolean {
  switch (answer.type) {
    case 'paid':
    case 'debited':
    case 'paid_elsewhere':
      return false;
    case 'unconfirmed':
      return answer.elsewhere !== undefined || event.type === 'paid_elsewhere';
    case 'declined':
    case 'saved_card_unusable':
    case 'refused':
      return event.type !== 'declined_elsewhere';
    case 'paying_elsewhere':
    case 'declined_elsewhere':
      return true;
  }
}

/** A sentence has ended while the processor works. Says the answer that came meanwhile. */
export function sentenceEnded(state: Charging): Step {
  if (state.answer !== null) return followAnswer(state.context, state.answer);
  return { state: { ...state, speaking: false }, effects: [] };
}

/** The caller has left during the charge: its answer is still awaited, for the call's outcome. */
export function goneWhileCharging(state: Charging, event: EventOf<'hung_up' | 'media_lost'>): Step {
  wipeCard(state.context);
  if (state.answer !== null) return endBrokenOff(outcomeOf(state.answer), event.type);
  return {
    state: { kind: 'settling' },
    effects: [{ type: 'stop_speaking' }, { type: 'start_timer', ms: SETTLE_MS }, { type: 'note', step: event.type }],
  };
}

/** The answer came after the caller had left. */
export function settled(_state: StateOf<'settling'>, answer: ChargeAnswer): Step {
  return endBrokenOff(outcomeOf(answer), noteOf(answer));
}

/** No answer in time: the resolver of pending charges will settle it. */
export function neverSettled(): Step {
  return endCall({ kind: 'pending' }, 'unconfirmed');
}

/** The session turned out to be unpayable before a charge was ordered. */
export function refusedBeforeCharge(
  state: StateOf<'ringing' | 'collecting' | 'sending_link'>,
  answer: EventOf<'refused'>,
): Step {
  if (state.kind === 'collecting') state.keyed.wipe();
  return followAnswer(state.context, answer);
}

/** The line is shutting down while the link stays valid, or the session is over for the link, too. */
export function refusedByLink(state: StateOf<'by_link'>, event: EventOf<'refused'>): Step {
  return event.reason === 'unavailable' ? leaveForAgent(state.context) : followAnswer(state.context, event);
}

/** Says the answer, and asks again for a field that a decline makes doubtful. */
function followAnswer(context: Context, answer: ChargeAnswer): Step {
  switch (answer.type) {
    case 'paid':
      return leaveCall(wipeCard(context), outcomeOf(answer), succeeded(answer));
    case 'debited':
      return leaveCall(wipeCard(context), outcomeOf(answer), { name: 'debited' });
    case 'declined':
      return declined(context, answer);
    case 'saved_card_unusable':
      if (context.endRequested) return endUnpaid(context);
      return askAnotherCard(wipeCard(context), { name: answer.type });
    case 'unconfirmed':
      return answer.elsewhere === undefined
        ? unconfirmed(context, outcomeOf(answer))
        : stillConfirming(context, answer);
    case 'refused':
      return leaveCall(wipeCard(context), outcomeAfter(context, outcomeOf(answer)), refusedLine(answer));
    case 'paying_elsewhere':
      return payingElsewhere(context, answer);
    case 'paid_elsewhere':
    case 'declined_elsewhere':
      return sayResult(context, answer);
  }
}

/** Says that the card was saved only if it was. */
function succeeded(event: EventOf<'paid'>): Line {
  const { cardSaved } = event;
  return { name: 'succeeded', ...(cardSaved === true && { cardSaved }), ...differenceOf(event) };
}

function unconfirmed(context: Context, outcome: CallOutcome): Step {
  return leaveCall(wipeCard(context), outcome, { name: 'unconfirmed' });
}

function withDecline(context: Context, { chargeId, code }: EventOf<'declined'>): Context {
  return { ...context, declines: context.declines + 1, lastDecline: { chargeId, code } };
}

function declined(before: Context, answer: EventOf<'declined'>): Step {
  const { code } = answer;
  const context = withDecline(before, answer);
  if (context.endRequested) return endDeclined(context, answer);
  const wasSaved = context.card.saved === null ? {} : ({ wasSaved: true } as const);
  const wasAccount = context.card.accountNumber !== null;
  if (context.declines >= MAX_DECLINES) {
    const means = wasAccount ? ({ wasAccount } as const) : wasSaved;
    return leaveCall(wipeCard(context), outcomeOf(answer), { name: 'gave_up', reason: 'declined', code, ...means });
  }
  if (wasAccount) return askMethod(wipeCard(context), { name: 'declined', code, next: 'method' });
  const doubted = doubtedField(code, context);
  if (doubted === 'card_number') {
    const wiped = wipeCard(context);
    return askAnotherCard(wiped, { name: 'declined', code, next: doubted, ...wasSaved, ...offersLink(wiped, doubted) });
  }
  const codeAgain: Question[] = doubted === 'security_code' ? [] : [{ field: 'security_code', error: 'needed_again' }];
  const line: Line = {
    name: 'declined',
    code,
    next: doubted,
    codeLength: codeLength(context),
    ...offersLink(context, doubted),
  };
  return askField(wipeDoubtedField(context, doubted), { field: doubted, error: 'bank_doubts' }, codeAgain, line);
}

/** Says the decline that was waited for, and that the call ends. */
function endDeclined(context: Context, answer: EventOf<'declined'>): Step {
  const wasSaved = context.card.saved === null ? {} : ({ wasSaved: true } as const);
  const wasAccount = context.card.accountNumber === null ? {} : ({ wasAccount: true } as const);
  const line: Line = { name: 'call_ended', declined: answer.code, ...wasSaved, ...wasAccount };
  return hasLink(context)
    ? leaveCall(wipeCard(context), agentOutcome(context), { ...line, hasLink: true })
    : leaveCall(wipeCard(context), outcomeOf(answer), line);
}

function askAnotherCard(context: Context, line: Line): Step {
  const [question, ...later] = wholeCard(context);
  return askField(context, question, later, line);
}

/** The field that a decline makes doubtful. `card_number` means another card. */
function doubtedField(
  code: DeclineCode,
  { terms, card }: Context,
): Exclude<Field, ChoiceField | AccountField | 'part_amount'> {
  if (card.saved !== null) return 'card_number';
  switch (code) {
    case 'incorrect_cvc':
      return 'security_code';
    case 'expired_card':
    case 'incorrect_expiry':
      return 'expiry';
    case 'incorrect_zip':
      return terms.asksPostalCode ? 'postal_code' : 'card_number';
    case 'generic_decline':
    case 'do_not_honor':
    case 'insufficient_funds':
    case 'lost_card':
    case 'stolen_card':
    case 'incorrect_number':
    case 'card_not_supported':
    case 'authentication_required':
    case 'processing_error':
    case 'try_again_later':
      return 'card_number';
  }
}

/** Wipes the doubtful field and keeps the others. The security code is already gone. */
function wipeDoubtedField(context: Context, doubted: 'expiry' | 'security_code' | 'postal_code'): Context {
  const part = ({ expiry: 'expiry', security_code: 'securityCode', postal_code: 'postalCode' } as const)[doubted];
  context.card[part]?.wipe();
  return { ...context, card: { ...context.card, [part]: null } };
}
