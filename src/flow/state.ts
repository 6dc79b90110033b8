/** Where a conversation stands. Only `collecting` and `charging` hold card data; every way out of them wipes it. */
import type { DeclineCode } from '../domain/charge.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { Secret } from '../domain/secret.ts';
import type { AskLine, Effect, Field, FieldError, FlowEvent, Terms } from './types.ts';

/** What has been keyed and found good. */
export interface CardSoFar {
  number: Secret | null;
  /** `MMYY`. */
  expiry: Secret | null;
  /** Null again as soon as a charge is ordered: it may be sent once and never kept (PCI DSS 3.3.1). */
  securityCode: Secret | null;
  postalCode: Secret | null;
}

/** What a conversation carries along while a payment is possible. */
export interface Talk {
  terms: Terms;
  card: CardSoFar;
  /** Whether this card is to be kept: the question that was answered with yes; `no`, for the whole call; null: open. */
  agreedTo: AskLine | 'no' | null;
  declines: number;
  lastDecline: { chargeId: ChargeId; code: DeclineCode } | null;
  /** Keys pressed so far, against MAX_KEYS. */
  keys: number;
}

/** A field still to be asked for, and why it is asked again if it is. */
export interface Question {
  field: Field;
  error: FieldError | null;
}

/** The processor's answer, or the reason why it was not asked. */
export type Verdict = Extract<FlowEvent, { type: 'paid' | 'declined' | 'unconfirmed' | 'refused' }>;

export type State =
  /** The call is not up yet. */
  | { kind: 'ringing'; talk: Talk }
  | {
      kind: 'collecting';
      talk: Talk;
      question: Question;
      /** Asked after this one. */
      later: readonly Question[];
      keyed: Secret;
      /** Tries at this field that failed, 0 … MAX_TRIES - 1. */
      failures: number;
      /** The sentence is still being spoken. */
      speaking: boolean;
      /** The last thing that happened is a `*`: the next one leaves. */
      starred: boolean;
    }
  | {
      kind: 'charging';
      talk: Talk;
      speaking: boolean;
      /** The answer, when it came in the middle of a sentence: it is told when that is over. */
      verdict: Verdict | null;
      /** How often "still working" was said. */
      renewals: number;
    }
  /** The caller is gone, the charge is not settled. */
  | { kind: 'settling' }
  /** The last sentence is being spoken. */
  | { kind: 'leaving'; outcome: CallOutcome; returns: boolean }
  /** On the way back to the agent. */
  | { kind: 'returning'; outcome: CallOutcome }
  /** There was no way back: the goodbye is being spoken. */
  | { kind: 'parting'; outcome: CallOutcome }
  | { kind: 'ended'; outcome: CallOutcome };

export type Kind = State['kind'];
export type StateOf<K extends Kind> = Extract<State, { kind: K }>;
export type EventType = FlowEvent['type'];
export type EventOf<T extends EventType> = Extract<FlowEvent, { type: T }>;

/** The answer of the table to one event. Effects are carried out in order. */
export interface Step {
  state: State;
  effects: Effect[];
}

const NO_CARD: CardSoFar = { number: null, expiry: null, securityCode: null, postalCode: null };

/** The conversation before the call is answered. */
export function start(terms: Terms): State {
  return { kind: 'ringing', talk: { terms, card: NO_CARD, agreedTo: null, declines: 0, lastDecline: null, keys: 0 } };
}

/** Wipes what was keyed; for `talk` to go on with. A yes was for that card, a no is for all. */
export function wipeCard(talk: Talk): Talk {
  for (const part of Object.values(talk.card)) if (part instanceof Secret) part.wipe();
  return { ...talk, card: NO_CARD, agreedTo: talk.agreedTo === 'no' ? 'no' : null };
}

/** Wipes all card data a state holds, for whoever has to drop a conversation in the middle. May be called again. */
export function wipe(state: State): void {
  if (state.kind === 'collecting') state.keyed.wipe();
  if (state.kind === 'collecting' || state.kind === 'charging') wipeCard(state.talk);
}

/** An outcome with the last decline's facts, so that the agent learns of it also when the caller gave up afterwards. */
export function outcomeAfter(talk: Talk, outcome: CallOutcome): CallOutcome {
  if (talk.lastDecline === null) return outcome;
  return { chargeId: talk.lastDecline.chargeId, declineCode: talk.lastDecline.code, ...outcome };
}
