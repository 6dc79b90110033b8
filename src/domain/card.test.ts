import { inspect } from 'node:util';
import creditCardType from 'credit-card-type';
import { describe, expect, it } from 'vitest';
import {
  brandOf,
  brandText,
  expiryFrom,
  expiryParts,
  expiryProgress,
  lastFourOf,
  numberFault,
  numberProgress,
  passesLuhn,
  securityCodeLength,
} from './card.ts';
import { Secret } from './secret.ts';

const ACCEPTED = ['visa', 'mastercard', 'american-express', 'discover'];
const VISA = '4242424242424242';
const VISA_13 = '4222222222222';
const MASTERCARD = '5555555555554444';
const AMEX = '378282246310005';
const DISCOVER = '6011111111111117';
const JCB = '3530111333300000';

it.each([
  ['AMERICAN_EXPRESS', 'American Express'],
  ['SOME_NEW_BRAND', 'Some New Brand'],
  ['UNKNOWN', null],
  [null, null],
])('shows the brand %s as %s', (label, text) => {
  expect(brandText(label)).toBe(text);
});

describe('a card number', () => {
  it.each([
    [VISA, 'VISA', 3],
    [MASTERCARD, 'MASTERCARD', 3],
    ['2223003122003222', 'MASTERCARD', 3],
    [AMEX, 'AMERICAN_EXPRESS', 4],
    [DISCOVER, 'DISCOVER', 3],
    ['6500000000000002', 'DISCOVER', 3],
  ])('%s is complete at its last digit, and usable', (digits, label, codeLength) => {
    const number = Secret.of(digits);
    expect(brandOf(number, ACCEPTED)?.label).toBe(label);
    expect(securityCodeLength(number, ACCEPTED)).toBe(codeLength);
    expect(numberProgress(number, ACCEPTED)).toBe('complete');
    expect(numberProgress(Secret.of(digits.slice(0, -1)), ACCEPTED)).toBe('incomplete');
    expect(numberFault(number, ACCEPTED)).toBeNull();
    expect(lastFourOf(number)).toBe(digits.slice(-4));
  });

  it('of 13 digits may be an old Visa', () => {
    expect(numberProgress(Secret.of(VISA_13), ACCEPTED)).toBe('may_be_complete');
    expect(numberFault(Secret.of(VISA_13), ACCEPTED)).toBeNull();
  });

  it.each([
    ['', 'incomplete'],
    ['4242', 'incomplete'],
    ['424242424242424', 'incomplete'],
    ['4242424242424243', 'looks_wrong'],
    ['0000000000000000', 'looks_wrong'],
    [JCB, 'card_not_accepted'],
  ])('%s: %s', (digits, fault) => {
    expect(numberFault(Secret.of(digits), ACCEPTED)).toBe(fault);
  });

  it('of an unknown or rejected network may have up to 19 digits', () => {
    expect(numberProgress(Secret.of('0000000000000000'), ACCEPTED)).toBe('may_be_complete');
    expect(numberProgress(Secret.of(JCB), ACCEPTED)).toBe('may_be_complete');
    expect(numberProgress(Secret.of('9'.repeat(19)), ACCEPTED)).toBe('complete');
  });

  it('fails the check for every single mistyped digit', () => {
    for (let place = 0; place < VISA.length; place += 1) {
      for (let digit = 0; digit <= 9; digit += 1) {
        const mistyped = VISA.slice(0, place) + digit + VISA.slice(place + 1);
        expect(passesLuhn(Secret.of(mistyped))).toBe(mistyped === VISA);
      }
    }
    expect(passesLuhn(Secret.empty())).toBe(false);
  });
});

it('has the brand that credit-card-type names, if it names one', () => {
  let named = 0;
  for (let prefix = 100_000; prefix < 1_000_000; prefix += 37) {
    const digits = `${prefix}0000000000`;
    const [only, other] = creditCardType(digits);
    if (only === undefined || other !== undefined) continue;
    named += 1;
    expect(brandOf(Secret.of(digits))?.id, digits).toBe(only.type);
  }
  expect(named).toBeGreaterThan(5_000);
});

describe('an expiry', () => {
  const today = { month: 9, year: 2026 };

  it.each(['0928', '092028', '0926', '0946'])('%s is valid', (digits) => {
    const expiry = expiryFrom(Secret.of(digits), today);
    if (!(expiry instanceof Secret)) throw new Error(expiry);
    expect(expiry.reveal((text) => text)).toBe(digits.slice(0, 2) + digits.slice(-2));
    expect(expiryParts(expiry)).toEqual({ month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(-2)) });
  });

  it.each([
    ['', 'incomplete'],
    ['092', 'incomplete'],
    ['09202', 'incomplete'],
    ['0826', 'in_the_past'],
    ['0920', 'in_the_past'],
    ['082026', 'in_the_past'],
    ['1326', 'looks_wrong'],
    ['0028', 'looks_wrong'],
    ['091928', 'looks_wrong'],
    ['1047', 'looks_wrong'],
  ])('%s: %s', (digits, fault) => {
    expect(expiryFrom(Secret.of(digits), today)).toBe(fault);
  });

  it.each([
    ['092', 'incomplete'],
    ['0928', 'complete'],
    ['0920', 'may_be_complete'],
    ['9202', 'may_be_complete'],
    ['09202', 'may_be_complete'],
    ['092028', 'complete'],
  ])('%s is %s', (digits, progress) => {
    expect(expiryProgress(Secret.of(digits))).toBe(progress);
  });
});

it('contains no digit of a rejected input', () => {
  const number = Secret.of(VISA);
  const expiry = expiryFrom(Secret.of('0928'), { month: 1, year: 2026 });
  const shown = inspect([number, expiry, brandOf(number)], { depth: 9 }) + JSON.stringify([number, expiry]);
  expect(shown).not.toMatch(/4242|0928/);
});
