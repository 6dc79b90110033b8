/**
 * The payment line's phone numbers. A call to one is found by the caller's number alone, so each belongs to one account
 * and mode: else whoever opens a checkout for somebody's number would get that person's next call to anybody.
 */
import type { Scope } from './account.ts';
import { parseId } from './ids.ts';
import { type E164, parseE164 } from './phone-number.ts';

/** A number and whose sessions its calls may reach. */
export interface OwnedNumber extends Scope {
  number: E164;
}

export interface TransferNumbers {
  /** RINGKEY_TRANSFER_NUMBERS. */
  owned: readonly OwnedNumber[];
  /**
   * RINGKEY_TRANSFER_NUMBER: belongs to the installation's only account, in both modes; to nobody where there are
   * several.
   */
  unassigned: E164 | null;
}

/** Whose sessions a call may reach. */
export type NumberOwner = Scope | 'only_account';

/** Parses `+15550109999=acct_x:live`. Null: not of that form. */
export function parseOwnedNumber(text: string): OwnedNumber | null {
  const [, digits = '', account = '', mode] = /^([^=]*)=([^:]*):(test|live)$/.exec(text) ?? [];
  const number = parseE164(digits);
  const accountId = parseId('Account', account);
  if (number === null || accountId === null) return null;
  return { number, accountId, mode: mode === 'live' ? 'live' : 'test' };
}

/** @returns null when the number is none of the payment line's */
export function ownerOf({ owned, unassigned }: TransferNumbers, dialled: E164): NumberOwner | null {
  const entry = owned.find(({ number }) => number === dialled);
  if (entry !== undefined) return { accountId: entry.accountId, mode: entry.mode };
  return dialled === unassigned ? 'only_account' : null;
}

/** The number that an account's callers of a mode are transferred to; the first of several. Null: there is none. */
export function transferNumberFor(
  { owned, unassigned }: TransferNumbers,
  { accountId, mode }: Scope,
  isOnlyAccount: boolean,
): E164 | null {
  const entry = owned.find((each) => each.accountId === accountId && each.mode === mode);
  return entry?.number ?? (isOnlyAccount ? unassigned : null);
}
