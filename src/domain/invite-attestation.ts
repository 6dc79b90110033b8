/**
 * The carriers' attestation of a call (STIR/SHAKEN), from the headers of its INVITE. The phone module decides which
 * carriers to trust.
 */
import type { Attestation } from './screening.ts';

/** Not verified: anyone can write these headers. */
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

/** @returns the worst of several claims, so that an added claim cannot improve it; null if there is none */
export function claimedAttestation({ verstats, levels }: Omit<AttestationClaims, 'identities'>): Attestation | null {
  const claimed = [...verstats.map(attestationOfVerstat), ...levels.map((text) => attestationOfLevel(text.trim()))];
  return WORST_FIRST.find((attestation) => claimed.includes(attestation)) ?? null;
}

/**
 * Parses `TN-Validation-Passed-B` and similar. Without a level it passed at the highest one, as Telnyx writes level A.
 * The level of a failed one is ignored.
 * @returns null for `No-TN-Validation` and for other texts
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
