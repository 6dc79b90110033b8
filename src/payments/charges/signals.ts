/** What the velocity rules know about the payer and the card of a payment. Only keyed hashes are stored. */

import type { CallHolder } from '../../db/calls/calls.ts';
import type { VelocitySignals } from '../../db/charges/attempts.ts';
import type { KeyedBankAccount } from '../../domain/bank-account.ts';
import type { AccountId } from '../../domain/ids.ts';
import { Secret } from '../../domain/secret.ts';
import type { Fingerprint } from '../../lib/vault/fingerprint.ts';
import type { HeldCard } from '../shared/card.ts';

/** The call on which a card was keyed. */
export interface PayingCall {
  /** The calling number of the INVITE, verified or not, in E.164 if it can be parsed. Null if withheld. */
  number: string | null;
  /** The trunk, or otherwise the address, that the call came from. */
  source: string;
  /** Of the process that has the call. Once another process has taken the call over, nothing more is charged on it. */
  record?: CallHolder;
}

/** Before the session is known. It may have a number of its own. */
export interface PaymentSignals extends Omit<VelocitySignals, 'callerPhone'> {
  /** Replaces `callSourceHash` for a call without a number. */
  withheldSourceHash: Buffer | null;
}

/** @param fingerprint without it, only callers' numbers are counted */
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

/** @param callerPhone of the session; it takes precedence over the INVITE's */
export function signalsAtSession(
  { withheldSourceHash, ...signals }: PaymentSignals,
  callerPhone: string | null,
): VelocitySignals {
  if (callerPhone !== null) return { ...signals, callerPhone, callingNumberHash: null };
  const callSourceHash = signals.callingNumberHash === null ? withheldSourceHash : signals.callSourceHash;
  return { ...signals, callerPhone, callSourceHash };
}

/** Of both numbers: banks have accounts with the same number. */
function accountFingerprint(
  fingerprint: Fingerprint | undefined,
  accountId: AccountId,
  { routingNumber, accountNumber }: KeyedBankAccount,
): Buffer | null {
  const both = routingNumber.copy().append(accountNumber);
  try {
    return fingerprint?.(accountId, 'bank_account', both) ?? null;
  } finally {
    both.wipe();
  }
}

/** A saved card is identified by its ID, because the processor has its number. A token is different each time. */
function cardFingerprint(
  fingerprint: Fingerprint | undefined,
  accountId: AccountId,
  means: HeldCard['means'],
): Buffer | null {
  switch (means.kind) {
    case 'keyed':
      return fingerprint?.(accountId, 'card', means.card.number) ?? null;
    case 'bank_account':
      return accountFingerprint(fingerprint, accountId, means.account);
    case 'saved':
      return fingerprint?.(accountId, 'instrument', Secret.of(means.instrumentId ?? '')) ?? null;
    case 'token':
      return null;
  }
}
