/** The charge: ordered once, waited for, and what each answer leads to. */
import type { DeclineCode } from '../domain/charge.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { ask } from './asking.ts';
import type { ChoiceField } from './choices.ts';
import { codeLength, wholeCard } from './fields.ts';
import { end, leave } from './leaving.ts';
import { MAX_DECLINES, MAX_STILL_WORKING, SETTLE_MS, STILL_WORKING_MS } from './limits.ts';
import {
  type CardSoFar,
  type EventOf,
  outcomeAfter,
  type Question,
  type StateOf,
  type Step,
  type Talk,
  type Verdict,
  wipeCard,
} from './state.ts';
import type { Effect, Field, KeyedCard, Line } from './types.ts';

type Charging = StateOf<'charging'>;

/**
 * Orders the charge and says that it takes a moment. From here to the answer keys are dropped, `**` too: what the bank
 * may already have approved can't be called back, and a caller who believed so would pay twice.
 */
export function startCharge(talk: Talk): Step {
  const card = handedOver(talk.card);
  const state: Charging = {
    kind: 'charging',
    talk: { ...talk, card: { ...talk.card, securityCode: null } },
    speaking: true,
    verdict: null,
    renewals: 0,
  };
  return {
    state,
    effects: [
      { type: 'unwait' },
      { type: 'charge', card, agreedTo: talk.agreedTo === 'no' ? null : talk.agreedTo },
      { type: 'say', line: { name: 'one_moment' } },
      { type: 'wait', ms: STILL_WORKING_MS },
      { type: 'note', step: 'charge' },
    ],
  };
}

/** Copies for the payment; the security code itself goes with them. */
function handedOver({ number, expiry, securityCode, postalCode }: CardSoFar): KeyedCard {
  if (number === null || expiry === null || securityCode === null) throw new Error('charge without a whole card');
  return { number: number.copy(), expiry: expiry.copy(), securityCode, postalCode: postalCode?.copy() ?? null };
}

export function stillWorking(state: Charging): Step {
  if (state.renewals >= MAX_STILL_WORKING) return unconfirmed(state.talk, { kind: 'pending' });
  return {
    state: { ...state, renewals: state.renewals + 1, speaking: true },
    effects: [
      { type: 'say', line: { name: 'still_working' } },
      { type: 'wait', ms: STILL_WORKING_MS },
    ],
  };
}

/** News never cuts a sentence short: "one moment" takes a second, and half of it would sound broken. */
export function verdictCame(state: Charging, verdict: Verdict): Step {
  if (state.verdict !== null) return { state, effects: [] };
  const note: Effect = { type: 'note', step: noteOf(verdict) };
  if (state.speaking) return { state: { ...state, verdict }, effects: [{ type: 'unwait' }, note] };
  const told = tell(state.talk, verdict);
  return { state: told.state, effects: [...told.effects, note] };
}

/** What was said while the processor works is over: a verdict that came meanwhile is told now. */
export function sentenceHeard(state: Charging): Step {
  if (state.verdict !== null) return tell(state.talk, state.verdict);
  return { state: { ...state, speaking: false }, effects: [] };
}

/** The caller is gone, the charge is not: its answer is still waited for, so that the record has it. */
export function goneWhileCharging(state: Charging, event: EventOf<'hung_up' | 'media_lost'>): Step {
  wipeCard(state.talk);
  if (state.verdict !== null) return end(outcomeOf(state.verdict), event.type);
  return {
    state: { kind: 'settling' },
    effects: [{ type: 'hush' }, { type: 'wait', ms: SETTLE_MS }, { type: 'note', step: event.type }],
  };
}

/** The answer after the caller has gone. */
export function settled(_state: StateOf<'settling'>, verdict: Verdict): Step {
  return end(outcomeOf(verdict), noteOf(verdict));
}

/** Not even the resolver's first word in time: it will settle the charge later. */
export function neverSettled(): Step {
  return end({ kind: 'pending' }, 'unconfirmed');
}

/** The session can't be paid (any more), found out before a charge was ordered. */
export function refusedBeforeCharge(state: StateOf<'ringing' | 'collecting'>, verdict: EventOf<'refused'>): Step {
  if (state.kind === 'collecting') state.keyed.wipe();
  return tell(state.talk, verdict);
}

function tell(talk: Talk, verdict: Verdict): Step {
  switch (verdict.type) {
    case 'paid':
      return leave(wipeCard(talk), outcomeOf(verdict), succeeded(verdict));
    case 'declined':
      return declined(talk, verdict);
    case 'unconfirmed':
      return unconfirmed(talk, outcomeOf(verdict));
    case 'refused':
      return leave(wipeCard(talk), outcomeAfter(talk, outcomeOf(verdict)), { name: verdict.reason });
  }
}

/** That the card is kept is said only when it is. */
function succeeded({ cardKept }: EventOf<'paid'>): Line {
  return cardKept === true ? { name: 'succeeded', cardKept } : { name: 'succeeded' };
}

function unconfirmed(talk: Talk, outcome: CallOutcome): Step {
  return leave(wipeCard(talk), outcome, { name: 'unconfirmed' });
}

function declined(before: Talk, verdict: EventOf<'declined'>): Step {
  const { chargeId, code } = verdict;
  const talk: Talk = { ...before, declines: before.declines + 1, lastDecline: { chargeId, code } };
  if (talk.declines >= MAX_DECLINES) {
    return leave(wipeCard(talk), outcomeOf(verdict), { name: 'gave_up', reason: 'declined' });
  }
  const doubted = doubtedField(code, talk);
  if (doubted === 'card_number') {
    const wiped = wipeCard(talk);
    const [question, ...later] = wholeCard(wiped);
    return ask(wiped, question, later, { name: 'declined', code, next: doubted });
  }
  const codeAgain: Question[] = doubted === 'security_code' ? [] : [{ field: 'security_code', error: 'needed_again' }];
  const line: Line = { name: 'declined', code, next: doubted, codeLength: codeLength(talk) };
  return ask(without(talk, doubted), { field: doubted, error: 'bank_doubts' }, codeAgain, line);
}

/** The field that a decline puts in doubt; `card_number` means another card. */
function doubtedField(code: DeclineCode, { terms }: Talk): Exclude<Field, ChoiceField> {
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
    case 'processing_error':
    case 'try_again_later':
      return 'card_number';
  }
}

/** The talk with the doubted field wiped, the rest kept. The security code is gone already. */
function without(talk: Talk, doubted: 'expiry' | 'security_code' | 'postal_code'): Talk {
  const part = ({ expiry: 'expiry', security_code: 'securityCode', postal_code: 'postalCode' } as const)[doubted];
  talk.card[part]?.wipe();
  return { ...talk, card: { ...talk.card, [part]: null } };
}

/**
 * A session that was paid another way is `succeeded` with that charge, or `pending` where we don't know it: anything
 * but `failed`, on which the agent would take the payment again.
 */
function outcomeOf(verdict: Verdict): CallOutcome {
  switch (verdict.type) {
    case 'paid':
      return { kind: 'succeeded', chargeId: verdict.chargeId };
    case 'unconfirmed':
      return { kind: 'pending', chargeId: verdict.chargeId };
    case 'declined':
      return { kind: 'failed', reason: 'declined', chargeId: verdict.chargeId, declineCode: verdict.code };
    case 'refused':
      return refusedOutcome(verdict);
  }
}

function refusedOutcome(refusal: EventOf<'refused'>): CallOutcome {
  switch (refusal.reason) {
    case 'expired':
      return { kind: 'expired' };
    case 'too_many_attempts':
      return { kind: 'failed', reason: refusal.reason };
    case 'unavailable':
      return { kind: 'failed', reason: 'error' };
    case 'already_paid':
      return refusal.chargeId === undefined ? { kind: 'pending' } : { kind: 'succeeded', chargeId: refusal.chargeId };
  }
}

function noteOf(verdict: Verdict): string {
  if (verdict.type === 'declined') return `declined ${verdict.code}`;
  return verdict.type === 'refused' ? `refused ${verdict.reason}` : verdict.type;
}
