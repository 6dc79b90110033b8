import { describe, expect, it } from 'vitest';
import { newId } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import { parseCountry } from '../domain/phone-number.ts';
import { MAX_SAVED_CARDS } from '../flow/limits.ts';
import { payingCallOf, savedCardsOnCall } from './call-session.ts';

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

describe('the saved cards on offer', () => {
  it.each<[string, Case]>([
    ['the session’s number calls through a trunk', {}],
    ['the trunk writes the number without plus', { callingNumber: '14155550101' }],
    ['the number is withheld', { callingNumber: 'anonymous' }],
    ['the trunk names no number', { callingNumber: null }],
    ['another number calls from an address that is not a trunk', { callingNumber: '+14155550199', fromTrunk: false }],
  ])('are those of the session if %s', (_when, given) => expect(lastFours(given)).toEqual(['1111', '2222']));

  it.each<[string, Case]>([
    ['the caller has no saved cards', { savedCards: [] }],
    ['the session has no number', { callerPhone: null }],
    ['another number calls through a trunk', { callingNumber: '+14155550199' }],
    ['a trunk names something other than a number', { callingNumber: 'reception' }],
    ['the merchant’s processor charges no saved cards', { takesSavedCards: false }],
    ['the merchant’s processor accepts no keypad', { takesKeypad: false }],
  ])('are none if %s', (_when, given) => expect(lastFours(given)).toEqual([]));

  it('are the five newest at most', () => {
    expect(lastFours({ savedCards: CARDS })).toEqual(['1111', '2222', '3333', '4444', '5555']);
    expect(MAX_SAVED_CARDS).toBe(5);
  });
});

const rules = { trunks: ['192.0.2.0/24'], trunkCountry: parseCountry('US') };
const seen = (callingNumber: string | null, sourceAddress = '192.0.2.7') =>
  payingCallOf({ callingNumber, sourceAddress }, rules);

describe('payingCallOf', () => {
  it.each(['+15550101234', '15550101234', '5550101234', '01115550101234'])(
    'reads %s as the same number',
    (spelling) => {
      expect(seen(spelling).number).toBe('+15550101234');
    },
  );

  it.each([
    ['extension-7', 'extension-7'],
    ['anonymous', null],
    [null, null],
  ])('reads %j as the number %j', (callingNumber, number) => {
    expect(seen(callingNumber).number).toBe(number);
  });

  it('counts a trunk by its block and any other source by its address', () => {
    expect(seen(null).source).toBe('192.0.2.0/24');
    expect(seen(null, '198.51.100.7').source).toBe('198.51.100.7');
  });
});
