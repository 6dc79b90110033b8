import { afterEach, expect, test, vi } from 'vitest';
import { type CheckoutSessionId, chargeIdOf, newId, parseId, randomToken } from './ids.ts';

afterEach(() => vi.useRealTimers());

test('a new ID parses as its own kind only', () => {
  const id = newId('CheckoutSession');
  expect(id).toMatch(/^cs_[a-z2-9]{26}$/);
  expect(parseId('CheckoutSession', id)).toBe(id);
  expect(parseId('Charge', id)).toBeNull();
});

test('IDs sort by the millisecond of their creation, and those of one millisecond differ in 82 random bits', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const idsAt = (at: string) => {
    vi.setSystemTime(new Date(at));
    return Array.from({ length: 1_000 }, () => newId('Event'));
  };
  const [older, younger] = [idsAt('2026-11-25T12:00:00.000Z'), idsAt('2026-11-25T12:00:00.001Z')];
  expect(
    older
      .toSorted()
      .at(-1)
      ?.localeCompare(younger.toSorted()[0] ?? '', 'en'),
  ).toBe(-1);
  expect(new Set(older).size).toBe(1_000);
  expect(new Set(older.map((id) => id.slice(0, 13))).size).toBe(1);
  expect(new Set(older.map((id) => id.slice(13, 14))).size).toBe(4);
  expect(new Set(older.map((id) => id.slice(14)).join('')).size).toBe(32);
  expect(idsAt('2099-12-31T23:59:59.999Z')[0]).toMatch(/^evt_[a-z2-9]{26}$/);
});

test('the ID of a charge follows from session and attempt, and begins with the time of the session', () => {
  const session = newId('CheckoutSession');
  const charge = chargeIdOf(session, 1);
  expect(chargeIdOf(session, 1)).toBe(charge);
  expect(charge).toMatch(/^ch_[a-z2-9]{26}$/);
  expect(charge.slice(3, 13)).toBe(session.slice(3, 13));
  expect(new Set([charge, chargeIdOf(session, 2), chargeIdOf(newId('CheckoutSession'), 1)]).size).toBe(3);
});

test('the ID of a charge stays the same for a session that was created before IDs began with a time', () => {
  const session = 'cs_k7r2m9vqx4hdw6znt3cbyj8pe5' as CheckoutSessionId;
  expect(chargeIdOf(session, 1)).toBe('ch_8ispvmpgr9k4ffngxm96iunh7f');
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
