/**
 * Velocity limits against card testing: how many attempts may fail before no more are made. They are counted when a charge
 * begins. An attempt counts from its start until it has succeeded, so that many at once count, too. A refused one never
 * reaches the processor.
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
  /** From one address, where the payer asks directly: the pay page. */
  origin: VelocityRule;
}

/** Of one session, by any path, however long it takes. */
export const MAX_DECLINES_A_SESSION = 5;

const HOUR = 3_600;

/** In test mode no real card can be tested, and integrators decline test cards all day. */
const PATIENT: VelocityRule = { attempts: 10_000, seconds: HOUR };

export const VELOCITY: Readonly<Record<Mode, VelocityRules>> = {
  live: {
    caller: { attempts: 10, seconds: HOUR },
    card: { attempts: 10, seconds: 24 * HOUR },
    origin: { attempts: 20, seconds: HOUR },
  },
  test: { caller: PATIENT, card: PATIENT, origin: PATIENT },
};
