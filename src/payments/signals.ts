/**
 * What a payment shows of who pays and with which card, for the velocity rules: keyed hashes, never the thing itself.
 */

import type { CallHolder } from '../db/calls/calls.ts';
import type { VelocitySignals } from '../db/charges/attempts.ts';
import type { AccountId } from '../domain/ids.ts';
import { Secret } from '../domain/secret.ts';
import type { Fingerprint } from '../lib/vault/fingerprint.ts';
import type { HeldCard } from './card.ts';

/** The call on which a card was keyed. */
export interface PayingCall {
  /** As the INVITE says it, believed or not, in E.164 where it can be read as that; null where it is withheld. */
  number: string | null;
  /** The trunk, or else the address, that the call came from. */
  source: string;
  /** Of the process that has the call: once another has taken it over, nothing is charged on it any more. */
  record?: CallHolder;
}

/** Before the session is known, which may have a number of its own. */
export interface PaymentSignals extends Omit<VelocitySignals, 'callerPhone'> {
  /** In place of `callSourceHash` for a call of which no number is known. */
  withheldSourceHash: Buffer | null;
}

/** @param fingerprint without it only callers' numbers are counted */
export function signalsOf(
  fingerprint: Fingerprint | undefined,
  accountId: AccountId,
  means: HeldCard['means'],
  { origin, call }: { origin?: string; call?: PayingCall },
): PaymentSignals {
  const hash = (kind: Parameters<Fingerprint>[1], text: string | null | undefined) =>
    text == null ? null : (fingerprint?.(accountId, kind, Secret.of(text)) ?? null);
  return {
    cardFingerprint: cardFingerprint(fingerprint, accountId, means),
    originHash: hash('origin', origin),
    callingNumberHash: hash('calling_number', call?.number),
    callSourceHash: hash('call_source', call?.source),
    withheldSourceHash: hash('call_source', call && `${call.source} withheld`),
  };
}

/** @param callerPhone the session's; it wins over what the INVITE says */
export function signalsAtSession(
  { withheldSourceHash, ...signals }: PaymentSignals,
  callerPhone: string | null,
): VelocitySignals {
  if (callerPhone !== null) return { ...signals, callerPhone, callingNumberHash: null };
  const callSourceHash = signals.callingNumberHash === null ? withheldSourceHash : signals.callSourceHash;
  return { ...signals, callerPhone, callSourceHash };
}

/** A saved card is known by its id: its number is the processor's. A token is another one each time. */
function cardFingerprint(
  fingerprint: Fingerprint | undefined,
  accountId: AccountId,
  means: HeldCard['means'],
): Buffer | null {
  switch (means.kind) {
    case 'keyed':
      return fingerprint?.(accountId, 'card', means.card.number) ?? null;
    case 'saved':
      return fingerprint?.(accountId, 'instrument', Secret.of(means.instrumentId ?? '')) ?? null;
    case 'token':
      return null;
  }
}
