/**
 * US bank accounts that a caller keys: routing number, account number, type. The digits are passed as {@link Secret} and
 * handled like a card number's: only the last four are kept.
 */
import { lastFourOf } from './card.ts';
import type { DeclineCode } from './charge.ts';
import type { CallId } from './ids.ts';
import type { Secret } from './secret.ts';

export const PAYMENT_METHODS = ['card', 'us_bank_account'] as const;
/** What a payment is taken from. */
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export type BankAccountType = 'checking' | 'savings';

/** A keyed account. Its Secrets belong to the owner of this object, which wipes them. */
export interface KeyedBankAccount {
  routingNumber: Secret;
  accountNumber: Secret;
  type: BankAccountType;
  /** The payer's name, as the integrator knows it. */
  holderName: string;
}

/** What the payer authorized on a call, kept with the charge as its proof (Nacha: for two years). */
export interface DebitAuthorization {
  callId: CallId;
  /** BCP 47. */
  language: string;
  /** The terms as they were spoken, with all names, amounts and dates. */
  wording: string;
}

export const ROUTING_NUMBER_LENGTH = 9;
/** DFI account number of an ACH entry: at most 17 characters (Nacha Operating Rules, appendix three). */
export const ACCOUNT_NUMBER_LENGTHS = { min: 4, max: 17 } as const;

/** Prefixes of banks: the twelve Federal Reserve districts, also with 20 or 60 added. */
const DISTRICTS = /^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2])/;
const WEIGHTS = [3, 7, 1];

/** Whether the number has the form and the check digit of a bank's routing number (ABA: weights 3, 7, 1, modulo 10). */
export function isRoutingNumber(number: Secret): boolean {
  return number.reveal((digits) => {
    if (!/^\d{9}$/.test(digits) || !DISTRICTS.test(digits)) return false;
    const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (WEIGHTS[place % 3] ?? 0), 0);
    return sum % 10 === 0;
  });
}

/** Whether a number is long enough to be an account's, and not too long. */
export function isAccountNumber(number: Secret): boolean {
  return number.reveal(
    (digits) =>
      /^\d+$/.test(digits) &&
      digits.length >= ACCOUNT_NUMBER_LENGTHS.min &&
      digits.length <= ACCOUNT_NUMBER_LENGTHS.max,
  );
}

/** Whether two keyed numbers are the same. */
export function isSameNumber(one: Secret, other: Secret): boolean {
  return one.bytes().equals(other.bytes());
}

/** Shorter numbers have no last four that could be shown: they would be most of the number. */
const MIN_LENGTH_TO_SHOW = 8;

/** The digits that may be shown and spoken; null if the number is too short to show any. */
export function shownDigits(accountNumber: Secret): string | null {
  return accountNumber.length < MIN_LENGTH_TO_SHOW ? null : lastFourOf(accountNumber);
}

export function copyBankAccount({ routingNumber, accountNumber, ...rest }: KeyedBankAccount): KeyedBankAccount {
  return { ...rest, routingNumber: routingNumber.copy(), accountNumber: accountNumber.copy() };
}

export function wipeBankAccount({ routingNumber, accountNumber }: KeyedBankAccount): void {
  routingNumber.wipe();
  accountNumber.wipe();
}

/** Nacha's return codes for an account without enough money: R01, and R09 for money that is not available yet. */
const WITHOUT_MONEY: readonly (string | null)[] = ['R01', 'R09'];

/** @param returnCode Nacha's, such as `R01`; null if it is not known */
export const declineOfReturn = (returnCode: string | null): DeclineCode =>
  WITHOUT_MONEY.includes(returnCode) ? 'insufficient_funds' : 'generic_decline';
