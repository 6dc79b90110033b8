/**
 * Velocity limits against card testing: how many attempts may fail, and how many cards may be tried, before no more
 * are. They are counted when a charge begins. A refused attempt never reaches the processor, and is no decline.
 */
import type { Mode } from '../domain/session.ts';

/**
 * At most this many attempts that did not succeed, in the time before now. One counts from its start until it has
 * succeeded.
 */
export interface VelocityRule {
  attempts: number;
  seconds: number;
}

/** At most this many different cards, in the time before now, whatever became of them: tested cards succeed, too. */
interface CardsRule {
  cards: number;
  seconds: number;
}

/**
 * So many declines in the time before now that are also this share of all attempts, from 0 to 1. For what many honest
 * callers have in common: the bank declines one of ten of theirs, and most of a card tester's.
 */
export interface ShareRule {
  declines: number;
  share: number;
  seconds: number;
}

export interface VelocityRules {
  /** Of the session's caller, at all merchants of the account. */
  caller: VelocityRule;
  callerCards: CardsRule;
  /** With one card, by its fingerprint, at all merchants of the account. */
  card: VelocityRule;
  /** From one address, where the payer asks directly: the pay page. */
  origin: VelocityRule;
  originCards: CardsRule;
  /** From one calling number, where the session has none: some platforms show their own number for every caller. */
  callingNumber: ShareRule;
  /** By one trunk, or from one address that sends calls. Those of its calls that have no number count by themselves. */
  callSource: ShareRule;
  /** Keyed cards at one merchant, which then takes none for the rest of the time; saved cards go on. */
  merchant: ShareRule;
}

/** Of one session, by any path, however long it takes. */
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
