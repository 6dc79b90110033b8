/**
 * How far the carriers vouch for a call (STIR/SHAKEN), as the headers of its INVITE say it. Whom to believe is the
 * phone's to judge.
 */
import type { Attestation } from './screening.ts';

/** Unchecked: anybody can write them. */
export interface AttestationClaims {
  /** Each `verstat` of P-Asserted-Identity and From (3GPP TS 24.229, 7.2A.20), and X-Twilio-VerStat. */
  verstats: readonly string[];
  /** Each Attestation-Info (3GPP TS 24.229, 7.2.18). */
  levels: readonly string[];
  /** Each Identity (RFC 8224). */
  identities: readonly string[];
}

const VERSTAT = /^TN-Validation-(Passed|Failed)(?:-([ABC]))?$/i;
const WORST_FIRST: readonly Attestation[] = ['Failed', 'C', 'B', 'A'];

/** @returns of several claims the worst, so that one more takes nothing back; null where none says anything */
export function claimedAttestation({ verstats, levels }: Omit<AttestationClaims, 'identities'>): Attestation | null {
  const claimed = [...verstats.map(attestationOfVerstat), ...levels.map((text) => attestationOfLevel(text.trim()))];
  return WORST_FIRST.find((attestation) => claimed.includes(attestation)) ?? null;
}

/**
 * `TN-Validation-Passed-B` and the like. Without a level it passed at the highest one: so Telnyx writes A. A failed
 * one's level is what was signed, in vain. @returns null for `No-TN-Validation`, and for what is none of these
 */
function attestationOfVerstat(text: string): Attestation | null {
  const [, result, level] = VERSTAT.exec(text.trim()) ?? [];
  if (result === undefined) return null;
  return result.toLowerCase() === 'failed' ? 'Failed' : (attestationOfLevel(level) ?? 'A');
}

function attestationOfLevel(text: string | undefined): Attestation | null {
  const level = text?.toUpperCase();
  return level === 'A' || level === 'B' || level === 'C' ? level : null;
}
