import { expect, test } from 'vitest';
import { UsageError } from './usage-error.ts';
import { readAdminOptions } from './options.ts';

test.each([
  ['account list', { kind: 'account list' }],
  ['account create --name Acme', { kind: 'account create', name: 'Acme', currency: 'USD' }],
  ['account create --name Acme --currency EUR', { kind: 'account create', name: 'Acme', currency: 'EUR' }],
  ['key create --account acct_1', { kind: 'key create', accountId: 'acct_1', mode: 'test', name: null }],
  [
    'key create --account acct_1 --mode live --name bot',
    { kind: 'key create', accountId: 'acct_1', mode: 'live', name: 'bot' },
  ],
  ['key list --account acct_1', { kind: 'key list', accountId: 'acct_1', modes: ['test', 'live'] }],
  ['key list --account acct_1 --mode live', { kind: 'key list', accountId: 'acct_1', modes: ['live'] }],
  ['key roll key_1', { kind: 'key roll', keyId: 'key_1', overlapSeconds: 86_400 }],
  ['key roll key_1 --expires-in 0', { kind: 'key roll', keyId: 'key_1', overlapSeconds: 0 }],
  ['key roll key_1 --expires-in 90m', { kind: 'key roll', keyId: 'key_1', overlapSeconds: 5_400 }],
  ['key roll key_1 --expires-in 7d', { kind: 'key roll', keyId: 'key_1', overlapSeconds: 604_800 }],
  ['key revoke key_1', { kind: 'key revoke', keyId: 'key_1' }],
  ['merchant list --account acct_1 --mode live', { kind: 'merchant list', accountId: 'acct_1', modes: ['live'] }],
  [
    'merchant create --account acct_1 --name Shop --slug the-shop --number +15550100001 --policy above --threshold 2000',
    {
      ...{ kind: 'merchant create', accountId: 'acct_1', mode: 'test', name: 'Shop', slug: 'the-shop' },
      ...{ numbers: ['+15550100001'], currency: undefined, policy: 'above', thresholdCents: 2_000 },
    },
  ],
])('%s', (line, command) => {
  expect(readAdminOptions(line.split(' '))).toEqual({ command, json: false });
});

test.each([
  'account',
  'account create',
  'account create --name Acme --currency XXX',
  'key create',
  'key create --account mer_1',
  'key create --account acct_1 --mode prod',
  'key create --account acct_1 more',
  'key roll',
  'key roll key_1 key_2',
  'key roll key_1 --expires-in 8d',
  'key roll key_1 --expires-in soon',
  'key revoke acct_1',
  'key destroy key_1',
  'account create --name=',
  `account create --name ${'x'.repeat(101)}`,
  'account create --name a\nb',
  'account create --nome Acme',
  'account list more',
  'merchant create --account acct_1',
  'merchant create --name Shop',
  'merchant create --account acct_1 --name Shop --slug The-Shop',
  'merchant create --account acct_1 --name Shop --number 5550100001',
  'merchant create --account acct_1 --name Shop --policy sometimes',
  'merchant create --account acct_1 --name Shop --policy above --threshold 0',
  'merchant status mer_1',
])('not %s', (line) => {
  expect(() => readAdminOptions(line.split(' '))).toThrow(UsageError);
});
