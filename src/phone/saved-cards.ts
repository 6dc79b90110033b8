/**
 * Which saved cards a call offers by keypad: those of the session's caller, where nothing says that somebody else is
 * calling.
 */
import type { SessionForCall } from '../db/sessions/sessions.ts';
import { isWithheldNumber } from '../domain/phone-number.ts';
import { MAX_SAVED_CARDS } from '../flow/limits.ts';
import type { OfferedCard } from '../flow/types.ts';
import type { PhoneDeps } from './deps.ts';
import type { IncomingCall } from './ports.ts';
import { e164, type NumberRules } from './session-lookup.ts';

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
