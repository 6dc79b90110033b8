/**
 * Attestation of a call from its own INVITE. Trusted only from trunks in RINGKEY_DIRECT_TRUNKS, because any other
 * source can write such headers. It counts only if the caller dialed the payment line. A platform that transfers a
 * caller places a call of its own, which its carrier signs, mostly with B or C. The attestation of that leg is only a
 * note.
 */
import { isTransient } from '../db/error-kinds.ts';
import { saveAttestation } from '../db/screening/screen-facts.ts';
import type { SessionForCall } from '../db/sessions/sessions.ts';
import { addressMatcher } from '../domain/address-range.ts';
import {
  type Attestation,
  type AttestationAnswer,
  type AttestationNote,
  claimedAttestation,
  isSteppedUp,
} from '../domain/screening.ts';
import { withRetries } from '../lib/concurrency/retries.ts';
import type { PhoneDeps } from './deps.ts';
import type { IncomingCall } from './ports.ts';
import { e164 } from './session-lookup.ts';

/** Two of the sources of attestations: the carrier's claim, and the signature that we have verified. */
type AttestationSourceName = 'invite' | 'identity';
/** How long a write waits for a database that is away. */
const WRITE_LIMIT_MS = 10_000;

interface FoundSession {
  found: SessionForCall;
  by: 'token' | 'number';
}

const NOTE_OF_LEG: Readonly<Record<Attestation, AttestationNote>> = {
  A: 'platform_leg_attested_a',
  B: 'platform_leg_attested_b',
  C: 'platform_leg_attested_c',
  Failed: 'platform_leg_attested_failed',
};

/** @returns null if the INVITE says nothing worth storing */
export function attestationOfCall(
  { sourceAddress, attestation: claims }: Pick<IncomingCall, 'sourceAddress' | 'attestation'>,
  by: FoundSession['by'],
  isDirectTrunk: (address: string) => boolean,
): AttestationAnswer | null {
  if (!isDirectTrunk(sourceAddress)) return null;
  const attestation = claimedAttestation(claims);
  if (by === 'token') return attestation === null ? null : { attestation: null, note: NOTE_OF_LEG[attestation] };
  return attestation === null ? { attestation, note: 'call_not_attested' } : { attestation };
}

/** The facts of a call that the screening uses. */
type ScreenedCall = Pick<
  IncomingCall,
  'sourceAddress' | 'attestation' | 'sipCallId' | 'callingNumber' | 'calledNumber' | 'requestUser' | 'receivedAt'
>;

export class InviteAttestations {
  readonly #deps: Pick<PhoneDeps, 'sql' | 'log' | 'settings' | 'checkIdentities'>;
  readonly #isDirectTrunk: (address: string) => boolean;
  readonly #track: (work: Promise<unknown>) => void;

  /** @param track gets work that must end before the database is closed */
  constructor(
    deps: Pick<PhoneDeps, 'sql' | 'log' | 'settings' | 'checkIdentities'>,
    track: (work: Promise<unknown>) => void,
  ) {
    this.#deps = deps;
    this.#isDirectTrunk = addressMatcher(deps.settings.directTrunks);
    this.#track = track;
  }

  /**
   * Stores the INVITE's attestation in the background.
   * @returns the session for this call: without saved cards if the INVITE steps the caller up
   */
  screenCall(call: ScreenedCall, { found, by }: FoundSession): SessionForCall {
    const answer = attestationOfCall(call, by, this.#isDirectTrunk);
    const checking = this.#identityCheck(call, by);
    if (checking !== null) this.#track(checking.then((checked) => this.#save(call, found, 'identity', checked)));
    // The Identity header may add what the carrier does not say.
    if (answer === null || (answer.attestation === null && checking !== null)) return found;
    this.#track(this.#save(call, found, 'invite', answer));
    return isStepUp(answer) ? { ...found, savedCards: [] } : found;
  }

  /**
   * Checks the signature of a call that the caller dialed. Certificates are fetched for no other calls. Null: there is
   * nothing to check.
   */
  #identityCheck(call: ScreenedCall, by: FoundSession['by']): Promise<AttestationAnswer> | null {
    const { settings, checkIdentities } = this.#deps;
    const { identities } = call.attestation;
    if (checkIdentities === undefined || identities.length === 0) return null;
    const callingNumber = e164(call.callingNumber, settings);
    if (by !== 'number' || callingNumber === null || !this.#isDirectTrunk(call.sourceAddress)) return null;
    const dialed = [call.requestUser, call.calledNumber].flatMap((text) => e164(text, settings) ?? []);
    return checkIdentities(identities, { callingNumber, dialed, receivedAt: call.receivedAt });
  }

  /** Never rejects. */
  async #save(
    { sipCallId }: ScreenedCall,
    { session }: SessionForCall,
    source: AttestationSourceName,
    answer: AttestationAnswer,
  ): Promise<void> {
    const { sql, log } = this.#deps;
    const save = () => saveAttestation(sql, session.id, source, answer);
    await withRetries(WRITE_LIMIT_MS, isTransient, save).catch((error: unknown) =>
      log.error({ err: error, sipCallId }, 'attestation of a call could not be stored'),
    );
  }
}

function isStepUp({ attestation }: AttestationAnswer): boolean {
  const stored = { source: 'invite', attestation, note: null, attestedAtMs: Date.now() };
  return isSteppedUp({ lookup: null, attestations: [stored] });
}
