/**
 * The documented test bank accounts, for the sandbox, the documentation and the scripted caller. Test mode refuses all
 * others. The routing number is the Federal Reserve's own, as in other sandboxes.
 */
import type { DeclineCode } from '../../domain/charge.ts';

export const TEST_ROUTING_NUMBER = '110000000';

/** What the sandbox does with a debit of the account. `returnCode`: Nacha's, if the bank returns it. */
export interface TestAccount {
  /** Of the sandbox's payment. */
  name: string;
  accountNumber: string;
  ends: 'at_once' | 'later' | 'never';
  /** Null: it is settled. */
  code: DeclineCode | null;
  returnCode?: string;
  /** The bank returns it after it was paid, with this code of Nacha. */
  laterReturn?: { code: string; afterMs: number };
  /** For the documentation. */
  about: string;
}

export const TEST_ACCOUNTS: readonly TestAccount[] = [
  {
    name: 'bank_settles',
    accountNumber: '000123456789',
    ends: 'later',
    code: null,
    about: 'Pending, then settled after 3 seconds',
  },
  {
    name: 'bank_settles_at_once',
    accountNumber: '000777777771',
    ends: 'at_once',
    code: null,
    about: 'Settled at once',
  },
  {
    name: 'bank_insufficient_funds',
    accountNumber: '000222222227',
    ends: 'later',
    code: 'insufficient_funds',
    returnCode: 'R01',
    about: 'Pending, then returned after 3 seconds: not enough money (R01)',
  },
  {
    name: 'bank_closed',
    accountNumber: '000111111113',
    ends: 'later',
    code: 'generic_decline',
    returnCode: 'R02',
    about: 'Pending, then returned after 3 seconds: the account is closed (R02)',
  },
  {
    name: 'bank_unknown',
    accountNumber: '000111111116',
    ends: 'at_once',
    code: 'generic_decline',
    returnCode: 'R03',
    about: 'Declined at once: no such account (R03)',
  },
  {
    name: 'bank_returns_later',
    accountNumber: '000888888881',
    ends: 'later',
    code: null,
    laterReturn: { code: 'R10', afterMs: 10_000 },
    about: 'Pending, settled after 3 seconds, returned 10 seconds later: the payer did not authorize it (R10)',
  },
  {
    name: 'bank_dawdles',
    accountNumber: '000666666661',
    ends: 'never',
    code: null,
    about: 'Stays pending for 24 days',
  },
];

/** The documented account with these numbers; null if there is none. */
export function testAccountOf(routingNumber: string, accountNumber: string): TestAccount | null {
  if (routingNumber !== TEST_ROUTING_NUMBER) return null;
  return TEST_ACCOUNTS.find((account) => account.accountNumber === accountNumber) ?? null;
}

/** @param name of a sandbox payment's card or account */
export const isTestAccount = (name: string | null) => TEST_ACCOUNTS.some((account) => account.name === name);

export const returnCodeOf = (name: string | null) =>
  TEST_ACCOUNTS.find((account) => account.name === name)?.returnCode ?? null;

export const laterReturnOf = (name: string | null) =>
  TEST_ACCOUNTS.find((account) => account.name === name)?.laterReturn ?? null;
