import { expect, test } from 'vitest';
import { parseId } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import { cardEntries, statusAt } from './resources.ts';

const EXPIRES_AT = new Date('2030-01-01T00:00:00Z');
const BEFORE = new Date(EXPIRES_AT.getTime() - 1);

test.each([
  ['open', null, BEFORE, 'open'],
  ['open', null, EXPIRES_AT, 'expired'],
  ['open', 'failed', EXPIRES_AT, 'expired'],
  ['open', 'pending', EXPIRES_AT, 'open'],
  ['complete', 'succeeded', EXPIRES_AT, 'complete'],
  ['expired', null, BEFORE, 'expired'],
] as const)('%s with charge %s at %s is %s', (status, charge, now, expected) => {
  const session = { status, expiresAt: EXPIRES_AT };
  expect(statusAt(session, charge === null ? null : { status: charge }, now)).toBe(expected);
});

test('a card shows its month with two digits, and the default is one that is shown', () => {
  const id = parseId('Instrument', 'card_1');
  if (id === null) throw new Error('no card id');
  const card: SavedCard = { id, brand: 'VISA', lastFour: '4242', expiryMonth: 3, expiryYear: 2031, isDefault: false };
  expect(cardEntries([card])).toEqual({
    cards: [{ instrument_id: 'card_1', brand: 'VISA', last_four: '4242', expiry: '03/2031' }],
    default_card_id: null,
  });
  expect(cardEntries([{ ...card, isDefault: true }]).default_card_id).toBe('card_1');
});
