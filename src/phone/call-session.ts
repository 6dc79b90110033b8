/**
 * The session of a call, and what the call may offer its caller. Comes from the lookup, or from the claim of a chosen
 * session.
 */
import type { SessionForCall } from '../db/sessions/sessions.ts';
import { addressMatcher } from '../domain/address-range.ts';
import { isWithheldNumber } from '../domain/phone-number.ts';
import { canText } from '../domain/texts.ts';
import { greetingOf } from '../flow/asking.ts';
import { MAX_SAVED_CARDS } from '../flow/limits.ts';
import type { OfferedCard } from '../flow/terms.ts';
import type { PayingCall } from '../payments/charges/signals.ts';
import { vocabularyOf } from '../speech/vocabulary.ts';
import type { PhoneDeps, PhoneSettings } from './deps.ts';
import { callingBack } from './flow-events.ts';
import type { IncomingCall } from './ports.ts';
import { e164, type NumberRules } from './session-lookup.ts';

export interface CallSession {
  facts: SessionForCall;
  /** A text can be sent to the caller. Only then does the line promise one. */
  canText: boolean;
  /** The saved cards on offer to this caller, see {@link savedCardsOnCall}. */
  savedCards: readonly OfferedCard[];
  /** The caller can pay from a US bank account. */
  offersBankAccount: boolean;
  /** The caller's number for a call that we place to the agent. */
  callingNumber: string | null;
  /** Files of the greeting, looked up before the answer so that it starts right after the ACK. */
  greeting: Promise<readonly string[]>;
}

type Deps = Pick<PhoneDeps, 'settings' | 'speech' | 'takesKeypad' | 'takesSavedCards' | 'takesBankAccounts'>;

export function callSessionOf(deps: Deps, rules: NumberRules, facts: SessionForCall, call: IncomingCall): CallSession {
  const { session, merchant, sessionState, ...recipient } = facts;
  const promisesTexts = canText({ mode: session.mode, ...recipient }, deps.settings.hasSmsCarrier);
  const savedCards = savedCardsOnCall(deps, rules, facts, call);
  // If the merchant accepts no keypad, the greeting does not ask for a card.
  const offersBankAccount = promisesTexts && bankAccountOnCall(deps, facts);
  const line = greetingOf(
    {
      takesKeypad: deps.takesKeypad(merchant),
      back: callingBack(sessionState),
      ...(offersBankAccount && { offersBankAccount }),
    },
    savedCards,
  );
  return {
    facts,
    canText: promisesTexts,
    savedCards,
    offersBankAccount,
    // The claim of an unknown source must not become the caller ID of a call that we place.
    callingNumber: rules.isTrunk(call.sourceAddress) ? call.callingNumber : session.callerPhone,
    greeting: deps.speech.files(line, vocabularyOf(session, merchant, promisesTexts)),
  };
}

/** Whether the session and its merchant take bank debits. Its terms must be confirmed by text, so one must be possible. */
function bankAccountOnCall(
  { takesBankAccounts }: Pick<PhoneDeps, 'takesBankAccounts'>,
  { session, merchant }: Pick<SessionForCall, 'session' | 'merchant'>,
): boolean {
  const isTaken = session.payerName !== null && merchant.bankDebitPhone !== null && session.amount.currency === 'USD';
  return isTaken && takesBankAccounts?.(merchant) === true;
}

type Facts = Pick<SessionForCall, 'session' | 'merchant' | 'savedCards'>;
type CallFacts = Pick<IncomingCall, 'callingNumber' | 'sourceAddress'>;

/**
 * The saved cards that a call offers by keypad: those of the session's caller, unless a trunk says that another number
 * is calling.
 * @returns newest first, at most MAX_SAVED_CARDS
 */
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

/**
 * Whether a trunk says that another number is calling. A withheld number says nothing; then the transfer token must
 * suffice.
 */
function isOtherNumber(
  callingNumber: string | null,
  callerPhone: string,
  rules: Pick<NumberRules, 'trunkCountry'>,
): boolean {
  return callingNumber !== null && !isWithheldNumber(callingNumber) && e164(callingNumber, rules) !== callerPhone;
}

/**
 * The caller's number and the source of a call, for the velocity rules. The number is in E.164, because each spelling
 * would be counted separately. The source of a trunk is its address block, because a trunk sends from any address in
 * it.
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
