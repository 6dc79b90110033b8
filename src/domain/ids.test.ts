import { expect, test } from 'vitest';
import { newId, parseId, randomToken } from './ids.ts';

test('a new ID parses as its own kind only', () => {
  const id = newId('CheckoutSession');
  expect(id).toMatch(/^cs_[a-z2-9]{26}$/);
  expect(parseId('CheckoutSession', id)).toBe(id);
  expect(parseId('Charge', id)).toBeNull();
});

test('a token uses all 32 characters, and no two tokens are equal', () => {
  const tokens = Array.from({ length: 1_000 }, randomToken);
  expect(new Set(tokens).size).toBe(1_000);
  expect(new Set(tokens.join(''))).toEqual(new Set('abcdefghijkmnpqrstuvwxyz23456789'));
  for (const token of tokens) expect(token).toMatch(/^[a-z2-9]{26}$/);
});

test.each(['cs_', 'cs', 'CS_abc', 'cs_A', 'cs_a-b', 'cs_a\u0000', `cs_${'a'.repeat(65)}`, ' cs_a', 'cs_a\n', ''])(
  '%j is no session id',
  (text) => {
    expect(parseId('CheckoutSession', text)).toBeNull();
  },
);

test('a seeded ID is valid', () => {
  expect(parseId('Merchant', 'mer_demo_diner')).toBe('mer_demo_diner');
});
