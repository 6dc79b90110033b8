import { describe, expect, test } from 'vitest';
import type { Scope } from './account.ts';
import { type AccountId, parseId } from './ids.ts';
import { type E164, parseE164 } from './phone-number.ts';
import { ownerOf, parseOwnedNumber, type TransferNumbers, transferNumberFor } from './transfer-number.ts';

const number = (text: string) => parseE164(text) as E164;
const A = parseId('Account', 'acct_a') as AccountId;
const B = parseId('Account', 'acct_b') as AccountId;
const scope = (accountId: AccountId, mode: Scope['mode']): Scope => ({ accountId, mode });

test('a number is written with its account and mode', () => {
  const accountId = A;
  expect(parseOwnedNumber('+15550109999=acct_a:live')).toEqual({ number: '+15550109999', accountId, mode: 'live' });
});

test.each([
  '',
  '+15550109999',
  '+15550109999=',
  '+15550109999=acct_a',
  '+15550109999=acct_a:',
  '+15550109999=acct_a:both',
  '15550109999=acct_a:live',
  '+15550109999=mer_a:live',
  '+15550109999=acct_a:live:test',
  '+1=acct_a:live',
])('%j is rejected', (text) => {
  expect(parseOwnedNumber(text)).toBeNull();
});

const NUMBERS: TransferNumbers = {
  owned: [
    { number: number('+15550109991'), accountId: A, mode: 'live' },
    { number: number('+15550109992'), accountId: A, mode: 'test' },
    { number: number('+15550109993'), accountId: A, mode: 'live' },
  ],
  unassigned: number('+15550109999'),
};

test('a number has one owner', () => {
  expect(ownerOf(NUMBERS, number('+15550109991'))).toEqual(scope(A, 'live'));
  expect(ownerOf(NUMBERS, number('+15550109992'))).toEqual(scope(A, 'test'));
  expect(ownerOf(NUMBERS, number('+15550109999'))).toBe('only_account');
  expect(ownerOf(NUMBERS, number('+15550109998'))).toBeNull();
  expect(ownerOf({ owned: [], unassigned: null }, number('+15550109999'))).toBeNull();
});

describe('callers are transferred to', () => {
  test.each([
    [A, 'live', false, '+15550109991'],
    [A, 'test', false, '+15550109992'],
    [B, 'live', false, null],
    [B, 'live', true, '+15550109999'],
    [B, 'test', true, '+15550109999'],
  ] as const)('%s, %s, the only account: %s: %s', (accountId, mode, isOnlyAccount, expected) => {
    expect(transferNumberFor(NUMBERS, scope(accountId, mode), isOnlyAccount)).toBe(expected);
  });
});
