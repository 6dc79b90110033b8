import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../../domain/ids.ts';
import { Secret } from '../../domain/secret.ts';
import { createFingerprint } from './fingerprint.ts';

const NUMBER = '4242424242424242';
const account = newId('Account');
const key = randomBytes(32);
const print = (over: { key?: Buffer; account?: typeof account; kind?: 'card' | 'instrument'; number?: string } = {}) =>
  createFingerprint(over.key ?? key)(
    over.account ?? account,
    over.kind ?? 'card',
    Secret.of(over.number ?? NUMBER),
  ).toString('hex');

test('the same card has the same fingerprint, in every process', () => {
  expect(print()).toBe(print());
  expect(print()).toMatch(/^[0-9a-f]{64}$/);
});

test('another card, account, kind or key has another', () => {
  const others = [
    { number: '4242424242424243' },
    { account: newId('Account') },
    { kind: 'instrument' as const },
    { key: randomBytes(32) },
  ];
  expect(new Set([print(), ...others.map(print)]).size).toBe(others.length + 1);
});
