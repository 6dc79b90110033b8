/**
 * The session of a call with what the call may offer its caller: told by the look-up, or by the claim of a chosen one.
 */
import type { SessionForCall } from '../db/sessions/sessions.ts';
import { canText } from '../domain/text-promise.ts';
import { greetingOf } from '../flow/asking.ts';
import type { OfferedCard } from '../flow/types.ts';
import { vocabularyOf } from '../speech/vocabulary.ts';
import type { PhoneDeps } from './deps.ts';
import { callingBack } from './first-event.ts';
import type { IncomingCall } from './ports.ts';
import { savedCardsOnCall } from './saved-cards.ts';
import type { NumberRules } from './session-lookup.ts';

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
