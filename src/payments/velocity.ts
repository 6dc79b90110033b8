/**
 * Rules against card testing: how many attempts may come to nothing before no more are made. The record itself counts, in
 * the statement that begins a charge; an attempt counts from its start until it has succeeded, so that many at once
 * count, too. A refused one never reaches the processor.
 */
import type { Mode } from '../domain/session.ts';

/** At most this many attempts that did not succeed, in the time before now. */
export interface VelocityRule {
  attempts: number;
  seconds: number;
}

export interface VelocityRules {
  /** Of one caller's number, at all merchants of the account. */
  caller: VelocityRule;
  /** With one card, by its fingerprint, at all merchants of the account. */
  card: VelocityRule;
  /** From one address, where the asker is the payer himself: the pay page. */
  origin: VelocityRule;
}

/** Of one session, whoever asks, however long it takes. */
export const MAX_DECLINES_A_SESSION = 5;

const HOUR = 3_600;

/** Fake money cannot test cards, and who tries the test cards declines all day. */
const PATIENT: VelocityRule = { attempts: 10_000, seconds: HOUR };

export const VELOCITY: Readonly<Record<Mode, VelocityRules>> = {
  live: {
    caller: { attempts: 10, seconds: HOUR },
    card: { attempts: 10, seconds: 24 * HOUR },
    origin: { attempts: 20, seconds: HOUR },
  },
  test: { caller: PATIENT, card: PATIENT, origin: PATIENT },
};
