/**
 * Velocity limits against card testing: how many attempts may fail and how many cards may be tried. They are checked
 * when a charge is created. A refused attempt never reaches the processor and is not a decline.
 */
import type { Mode } from '../../domain/session.ts';

/** At most this many attempts without success within the window. An attempt counts from its start until it succeeds. */
export interface VelocityRule {
  attempts: number;
  seconds: number;
}

/** At most this many different cards within the window, whatever their outcome: tested cards succeed, too. */
interface CardsRule {
  cards: number;
  seconds: number;
}

/**
 * This many declines within the window that are also this share (0 to 1) of all attempts. For values that many honest
 * callers have in common: their banks decline about one in ten, but most of a card tester's.
 */
export interface ShareRule {
  declines: number;
  share: number;
  seconds: number;
}

export interface VelocityRules {
  /** The session's caller, at all merchants of the account. */
  caller: VelocityRule;
  callerCards: CardsRule;
  /** One card, by its fingerprint, at all merchants of the account. */
  card: VelocityRule;
  /** One address, if the payer connects directly (pay page). */
  origin: VelocityRule;
  originCards: CardsRule;
  /** One calling number, if the session has none: some platforms send their own number for every caller. */
  callingNumber: ShareRule;
  /** One trunk, or one address that sends calls. Its calls without a number are counted separately. */
  callSource: ShareRule;
  /** Keyed cards at one merchant, which then takes no more for the rest of the window. Saved cards still work. */
  merchant: ShareRule;
}

/** Per session, by any path, without a time window. */
export const MAX_DECLINES_A_SESSION = 5;

const HOUR = 3_600;

/** In test mode no real card can be tested, and integrators decline test cards all day. */
const MANY = 10_000;
const PATIENT: VelocityRule = { attempts: MANY, seconds: HOUR };
const ANY_CARDS: CardsRule = { cards: MANY, seconds: HOUR };
const ANY_SHARE: ShareRule = { declines: MANY, share: 1, seconds: HOUR };

export const VELOCITY: Readonly<Record<Mode, VelocityRules>> = {
  live: {
    caller: { attempts: 10, seconds: HOUR },
    callerCards: { cards: 10, seconds: 24 * HOUR },
    card: { attempts: 10, seconds: 24 * HOUR },
    origin: { attempts: 20, seconds: HOUR },
    originCards: { cards: 30, seconds: 24 * HOUR },
    callingNumber: { declines: 10, share: 0.5, seconds: HOUR },
    callSource: { declines: 30, share: 0.6, seconds: HOUR },
    merchant: { declines: 100, share: 0.8, seconds: HOUR },
  },
  test: {
    caller: PATIENT,
    card: PATIENT,
    origin: PATIENT,
    callerCards: ANY_CARDS,
    originCards: ANY_CARDS,
    callingNumber: ANY_SHARE,
    callSource: ANY_SHARE,
    merchant: ANY_SHARE,
  },
};
