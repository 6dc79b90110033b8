/** Reading amounts in each language: what has one reading, and what is refused because it has two. */
import { describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../../languages/index.ts';
import { moneyText } from '../words/formats.ts';
import { inLanguage } from '../words/language.ts';
import { exampleTyped, parseAmount, readAmount, typedAmount } from './amounts.ts';

const OTHERS = LANGUAGE_TAGS.filter((tag) => tag !== 'en');

describe.each(OTHERS)('in the language %s', (tag) => {
  const parsed = (text: string, currency = 'EUR') => inLanguage(tag, () => parseAmount(text, currency));

  test.each([
    ['12,50', 1_250],
    ['12,5', 1_250],
    ['12.50', 1_250],
    ['1234', 123_400],
    ['1234,50', 123_450],
    ['1.234,50', 123_450],
    ['1,234.50', 123_450],
    ['1 234,50', 123_450],
    ['1\u00a0234,50', 123_450],
    ['1\u202f234,50', 123_450],
    ['1 234', 123_400],
    ['1’234.50', 123_450],
    ["1'234", 123_400],
    ['123.456,78', 12_345_678],
    ['€ 12,50', 1_250],
    [' 12,50\u00a0€ ', 1_250],
    ['12,50 EUR', 1_250],
    ['0,01', 1],
    ['01,50', 150],
  ])('reads %j as %i cents', (text, cents) => expect(parsed(text)).toBe(cents));

  test.each([
    '1.234',
    '1,234',
    '0.123',
    '123.456 €',
    '1.234.50',
    '1,234,50',
    '1.234,567',
    '1.23,50',
    '12.34,50',
    '1 2345,00',
    '1234.567,00',
    '1. 234,50',
    '1  234',
    '12,',
    ',50',
    '12,5,0',
    '-12,50',
    '+12,50',
    '1e3',
    '0x10',
    '12,50 12,50',
    '12,50%',
    '$€12',
    '١٢',
    '１２,50',
    '0,00',
    '',
    ' ',
    '€',
    'NaN',
    `1${'.000'.repeat(200_000)}`,
    `1${' '.repeat(1_000_000)}x`,
  ])('refuses an amount that has two readings or none (%#)', (text) => expect(parsed(text)).toBeNull());

  test('reads amounts of a currency without decimals', () => {
    expect(parsed('4250', 'JPY')).toBe(4_250);
    expect(parsed('4 250', 'JPY')).toBe(4_250);
    expect(parsed('1.234.567', 'JPY')).toBe(1_234_567);
    for (const refused of ['4.250', '4,250', '42,50', '42.5']) expect(parsed(refused, 'JPY')).toBeNull();
  });
});

test.each(LANGUAGE_TAGS)('reads what the dashboard itself writes, in the language %s', (tag) => {
  inLanguage(tag, () => {
    for (const cents of [1, 99, 100, 1_250, 123_450, 1_234_567, 99_999_999]) {
      for (const currency of ['EUR', 'USD', 'GBP'])
        expect(parseAmount(typedAmount(cents, currency), currency)).toBe(cents);
      expect(parseAmount(typedAmount(cents, 'JPY'), 'JPY')).toBe(cents);
      expect(parseAmount(moneyText(cents, 'EUR'), 'EUR')).toBe(cents);
    }
    expect(parseAmount(exampleTyped('EUR'), 'EUR')).toBe(4_250);
  });
});

test('writes amounts in fields as the language does', () => {
  expect(LANGUAGE_TAGS.map((tag) => inLanguage(tag, () => typedAmount(123_450, 'EUR')))).toEqual([
    '1234.50',
    '1234,50',
    '1234,50',
    '1234,50',
  ]);
});

test('reads English amounts with a decimal point only', () => {
  const read = (text: string) => readAmount(text, 'USD');
  expect(['12.50', '1,234.5', '1,234', '$0'].map(read)).toEqual([1_250, 123_450, 123_400, 0]);
  expect(['12,50', '1.234', '1.234,50', '1 234', '1’234'].map(read)).toEqual([null, null, null, null, null]);
});
