/** Who is offered saved cards on a call: what the trunk, the merchant and the settings say. */
import { expect, it } from 'vitest';
import { newId } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import { MAX_SAVED_CARDS } from '../flow/limits.ts';
import { savedCardsOnCall } from './saved-cards.ts';

const CALLER = '+14155550101';
const card = (lastFour: string): SavedCard => ({
  id: newId('Instrument'),
  brand: 'VISA',
  lastFour,
  expiryMonth: 12,
  expiryYear: 2049,
  isDefault: false,
});
const CARDS = ['1', '2', '3', '4', '5', '6'].map((digit) => card(digit.repeat(4)));

interface Case {
  savedCards?: SavedCard[];
  callerPhone?: string | null;
  callingNumber?: string | null;
  fromTrunk?: boolean;
  takesKeypad?: boolean;
  takesSavedCards?: boolean;
}

function lastFours(given: Case = {}): string[] {
  const { savedCards = CARDS.slice(0, 2), callerPhone = CALLER, callingNumber = CALLER, fromTrunk = true } = given;
  const { takesKeypad = true, takesSavedCards = true } = given;
  type Facts = Parameters<typeof savedCardsOnCall>[2];
  const facts = { session: { callerPhone }, merchant: {}, savedCards } as unknown as Facts;
  const offered = savedCardsOnCall(
    { takesKeypad: () => takesKeypad, takesSavedCards: () => takesSavedCards },
    { isTrunk: () => fromTrunk, trunkCountry: 'US' },
    facts,
    { callingNumber, sourceAddress: '192.0.2.1' },
  );
  return offered.map(({ lastFour }) => lastFour);
}

it.each<[string, Case]>([
  ['the session’s number calls through a trunk', {}],
  ['the trunk writes the number without plus', { callingNumber: '14155550101' }],
  ['the number is withheld: the token has to do', { callingNumber: 'anonymous' }],
  ['the trunk names no number', { callingNumber: null }],
  [
    'an address that is no trunk’s names another: that says nothing',
    { callingNumber: '+14155550199', fromTrunk: false },
  ],
])('are those of the session where %s', (_when, given) => expect(lastFours(given)).toEqual(['1111', '2222']));

it.each<[string, Case]>([
  ['the caller has none', { savedCards: [] }],
  ['the session has no number', { callerPhone: null }],
  ['a trunk says that another number calls', { callingNumber: '+14155550199' }],
  ['a trunk names what is no number', { callingNumber: 'reception' }],
  ['saved cards are not charged here', { takesSavedCards: false }],
  ['nothing can be keyed here', { takesKeypad: false }],
])('are none where %s', (_when, given) => expect(lastFours(given)).toEqual([]));

it('are five at most, newest first as they come', () => {
  expect(lastFours({ savedCards: CARDS })).toEqual(['1111', '2222', '3333', '4444', '5555']);
  expect(MAX_SAVED_CARDS).toBe(5);
});
