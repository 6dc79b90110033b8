/**
 * The payment line's phone numbers. Calls to them are matched by the caller's number alone, so each number belongs to
 * one account and mode. Otherwise an attacker could create a checkout for a stranger's number and receive that
 * stranger's next call.
 */
import { randomInt } from 'node:crypto';
import type { Scope } from './account.ts';
import { parseId } from './ids.ts';
import { type E164, parseE164 } from './phone-number.ts';

/** A number, and the sessions that its calls can reach. */
interface OwnedNumber extends Scope {
  number: E164;
}

export interface TransferNumbers {
  /** RINGKEY_TRANSFER_NUMBERS. */
  owned: readonly OwnedNumber[];
  /**
   * RINGKEY_TRANSFER_NUMBER: for the installation's only account, in both modes. Unused if there are several accounts.
   */
  unassigned: E164 | null;
}

/** Whose sessions a call can reach. */
export type NumberOwner = Scope | 'only_account';

/** Parses `+15550109999=acct_x:live`. Null if malformed. */
export function parseOwnedNumber(text: string): OwnedNumber | null {
  const [, digits = '', account = '', mode] = /^([^=]*)=([^:]*):(test|live)$/.exec(text) ?? [];
  const number = parseE164(digits);
  const accountId = parseId('Account', account);
  if (number === null || accountId === null) return null;
  return { number, accountId, mode: mode === 'live' ? 'live' : 'test' };
}

/** @returns null if it is not a number of the payment line */
export function ownerOf({ owned, unassigned }: TransferNumbers, dialed: E164): NumberOwner | null {
  const entry = owned.find(({ number }) => number === dialed);
  if (entry !== undefined) return { accountId: entry.accountId, mode: entry.mode };
  return dialed === unassigned ? 'only_account' : null;
}

/** The number to which an account's callers are transferred in a mode: the first one. Null if there is none. */
export function transferNumberFor(
  { owned, unassigned }: TransferNumbers,
  { accountId, mode }: Scope,
  isOnlyAccount: boolean,
): E164 | null {
  const entry = owned.find((each) => each.accountId === accountId && each.mode === mode);
  return entry?.number ?? (isOnlyAccount ? unassigned : null);
}

/** Digits of a transfer code, which names the session of a call whose calling number does not. */
export const TRANSFER_CODE_DIGITS = 8;

export const newTransferCode = () => String(randomInt(10 ** TRANSFER_CODE_DIGITS)).padStart(TRANSFER_CODE_DIGITS, '0');
