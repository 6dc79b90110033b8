/**
 * The session of a call with what the call may offer its caller: told by the look-up, or by the claim of a chosen one.
 */
import type { SessionForCall } from '../db/sessions/sessions.ts';
import { addressMatcher } from '../domain/address-range.ts';
import { isWithheldNumber } from '../domain/phone-number.ts';
import { canText } from '../domain/text-promise.ts';
import { greetingOf } from '../flow/asking.ts';
import { MAX_SAVED_CARDS } from '../flow/limits.ts';
import type { OfferedCard } from '../flow/types.ts';
import type { PayingCall } from '../payments/signals.ts';
import { vocabularyOf } from '../speech/vocabulary.ts';
import type { PhoneDeps, PhoneSettings } from './deps.ts';
import { callingBack } from './flow-events.ts';
import type { IncomingCall } from './ports.ts';
import { e164, type NumberRules } from './session-lookup.ts';

export interface CallSession {
  facts: SessionForCall;
  /** A text can go out to the caller: only then is one promised. */
  canText: boolean;
  /** On offer to this caller; saved-cards.ts. */
  savedCards: readonly OfferedCard[];
  /** For a call that we place to the agent. */
  callingNumber: string | null;
  /** Files of the greeting, looked up before the answer so that it starts right after the ACK. */
  greeting: Promise<readonly string[]>;
}

type Deps = Pick<PhoneDeps, 'settings' | 'speech' | 'takesKeypad' | 'takesSavedCards'>;

export function callSessionOf(deps: Deps, rules: NumberRules, facts: SessionForCall, call: IncomingCall): CallSession {
  const { session, merchant, standing, ...recipient } = facts;
  const promisesTexts = canText({ mode: session.mode, ...recipient }, deps.settings.hasSmsCarrier);
  const savedCards = savedCardsOnCall(deps, rules, facts, call);
  // Without the question for a card where none can be keyed.
  const line = greetingOf({ takesKeypad: deps.takesKeypad(merchant), back: callingBack(standing) }, savedCards);
  return {
    facts,
    canText: promisesTexts,
    savedCards,
    // What an unknown source claims to be must not become the caller id of a call that we place.
    callingNumber: rules.isTrunk(call.sourceAddress) ? call.callingNumber : session.callerPhone,
    greeting: deps.speech.files(line, vocabularyOf(session, merchant, promisesTexts)),
  };
}

type Facts = Pick<SessionForCall, 'session' | 'merchant' | 'savedCards'>;
type CallFacts = Pick<IncomingCall, 'callingNumber' | 'sourceAddress'>;

/** @returns newest first, MAX_SAVED_CARDS at most */
export function savedCardsOnCall(
  { takesKeypad, takesSavedCards }: Pick<PhoneDeps, 'takesKeypad' | 'takesSavedCards'>,
  rules: Pick<NumberRules, 'isTrunk' | 'trunkCountry'>,
  { session: { callerPhone }, merchant, savedCards }: Facts,
  call: CallFacts,
): OfferedCard[] {
  if (savedCards.length === 0 || callerPhone === null) return [];
  if (!takesKeypad(merchant) || !takesSavedCards(merchant)) return [];
  if (rules.isTrunk(call.sourceAddress) && isOtherNumber(call.callingNumber, callerPhone, rules)) return [];
  return savedCards.slice(0, MAX_SAVED_CARDS).map(({ id, brand, lastFour }) => ({ id, brand, lastFour }));
}

/** A trunk's word that another number calls. One that is withheld says nothing: the transfer token has to do. */
function isOtherNumber(
  callingNumber: string | null,
  callerPhone: string,
  rules: Pick<NumberRules, 'trunkCountry'>,
): boolean {
  return callingNumber !== null && !isWithheldNumber(callingNumber) && e164(callingNumber, rules) !== callerPhone;
}

/**
 * A number in E.164, however it is spelled: each spelling would be counted by itself. A trunk sends from any address of
 * its block.
 */
export function payingCallOf(
  { callingNumber, sourceAddress }: Pick<IncomingCall, 'callingNumber' | 'sourceAddress'>,
  { trunks, trunkCountry }: Pick<PhoneSettings, 'trunks' | 'trunkCountry'>,
): PayingCall {
  const isNamed = callingNumber !== null && !isWithheldNumber(callingNumber);
  return {
    number: isNamed ? (e164(callingNumber, { trunkCountry }) ?? callingNumber) : null,
    source: trunks.find((range) => addressMatcher([range])(sourceAddress)) ?? sourceAddress,
  };
}
