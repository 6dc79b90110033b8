/**
 * Attestation of a call by its own INVITE. Believed from trunks in RINGKEY_DIRECT_TRUNKS only: anybody else can write
 * such headers. It counts where the caller dialled the payment line. A platform that sends a caller on places a call of
 * its own, which its carrier signs, mostly B or C: of that leg it is a note.
 */

import { saveAttestation } from '../db/screening/attestations.ts';
import type { SessionForCall } from '../db/sessions/sessions.ts';
import { isTransient } from '../db/transient.ts';
import { addressMatcher } from '../domain/address-range.ts';
import { claimedAttestation } from '../domain/invite-attestation.ts';
import { type Attestation, type AttestationAnswer, type AttestationNote, isSteppedUp } from '../domain/screening.ts';
import { withRetries } from '../lib/concurrency/retries.ts';
import type { PhoneDeps } from './deps.ts';
import type { IncomingCall } from './ports.ts';
import { e164 } from './session-lookup.ts';

/** Among the sources of attestations: the carrier's word, and the signature that we have checked. */
type AttestationSourceName = 'invite' | 'identity';
/** How long the row waits for a database that is away. */
const WRITE_LIMIT_MS = 10_000;

export interface FoundSession {
  found: SessionForCall;
  by: 'token' | 'number';
}

const NOTE_OF_LEG: Readonly<Record<Attestation, AttestationNote>> = {
  A: 'platform_leg_attested_a',
  B: 'platform_leg_attested_b',
  C: 'platform_leg_attested_c',
  Failed: 'platform_leg_attested_failed',
};

/** @returns null where the INVITE says nothing that is worth keeping */
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

/** What a call is judged by. */
type ScreenedCall = Pick<
  IncomingCall,
  'sourceAddress' | 'attestation' | 'sipCallId' | 'callingNumber' | 'calledNumber' | 'requestUser' | 'receivedAt'
>;

export class InviteAttestations {
  readonly #deps: Pick<PhoneDeps, 'sql' | 'log' | 'settings' | 'checkIdentities'>;
  readonly #isDirectTrunk: (address: string) => boolean;
  readonly #track: (work: Promise<unknown>) => void;

  /** @param track is given what must end before the database is closed */
  constructor(
    deps: Pick<PhoneDeps, 'sql' | 'log' | 'settings' | 'checkIdentities'>,
    track: (work: Promise<unknown>) => void,
  ) {
    this.#deps = deps;
    this.#isDirectTrunk = addressMatcher(deps.settings.directTrunks);
    this.#track = track;
  }

  /**
   * Keeps what the INVITE says, beside the call, which does not wait.
   * @returns the session as this call goes on with it: without saved cards where the INVITE steps the caller up
   */
  screenCall(call: ScreenedCall, { found, by }: FoundSession): SessionForCall {
    const answer = attestationOfCall(call, by, this.#isDirectTrunk);
    const checking = this.#identityCheck(call, by);
    if (checking !== null) this.#track(checking.then((checked) => this.#save(call, found, 'identity', checked)));
    // What the carrier leaves unsaid the Identity header may say.
    if (answer === null || (answer.attestation === null && checking !== null)) return found;
    this.#track(this.#save(call, found, 'invite', answer));
    return isStepUp(answer) ? { ...found, savedCards: [] } : found;
  }

  /**
   * Of a call that is signed for its caller alone: certificates are fetched for nobody else. Null: there is nothing to
   * check.
   */
  #identityCheck(call: ScreenedCall, by: FoundSession['by']): Promise<AttestationAnswer> | null {
    const { settings, checkIdentities } = this.#deps;
    const { identities } = call.attestation;
    if (checkIdentities === undefined || identities.length === 0) return null;
    const callingNumber = e164(call.callingNumber, settings);
    if (by !== 'number' || callingNumber === null || !this.#isDirectTrunk(call.sourceAddress)) return null;
    const dialled = [call.requestUser, call.calledNumber].flatMap((text) => e164(text, settings) ?? []);
    return checkIdentities(identities, { callingNumber, dialled, receivedAt: call.receivedAt });
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
  const kept = { source: 'invite', attestation, note: null, attestedAtMs: Date.now() };
  return isSteppedUp({ lookup: null, attestations: [kept] });
}
