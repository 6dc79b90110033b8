import { expect, test } from 'vitest';
import { countriesOf, dialedText, parseCallerSearch } from './caller-search.ts';

const COUNTRIES = ['US', 'DE', 'GB'] as const;

test.each([
  ['+1 555 010 1234', ['+15550101234'], null],
  ['15550101234', ['+15550101234'], null],
  ['(555) 010-1234', ['+15550101234'], '5550101234'],
  ['0170 1234567', ['+491701234567'], null],
  ['020 7946 0018', ['+442079460018'], null],
  ['+49 (0) 170 1234567', ['+491701234567'], null],
  ['0044 20 7946 0018', ['+442079460018'], null],
  ['+49 (0) 170 1234567', ['+491701234567'], null],
  ['+1 (415) 555‑0016', ['+14155550016'], null],
  ['+1–415–555–0016', ['+14155550016'], null],
  ['‪+1 415 555 0016‬', ['+14155550016'], null],
  ['tel:+1-415-555-0016;ext=3', ['+14155550016'], null],
  ['＋１４１５５５５００１６', ['+14155550016'], null],
  ['415 555 0016 x3', ['+14155550016'], '4155550016'],
  ['415.555.0016 ext. 12', ['+14155550016'], '4155550016'],
  ['001 415 555 0016', ['+14155550016'], null],
  ['011 49 170 1234567', ['+491701234567'], null],
  ['four one five, five five five, oh one three two', ['+14155550132'], '4155550132'],
  ['Four-One-Five triple five O one three two', ['+14155550132'], '4155550132'],
  ['415 triple five double zero one six', ['+14155550016'], '4155550016'],
  ['four fifteen, five fifty-five, 0132', ['+14155550132'], '4155550132'],
  ['plus one, four one five, five five five, seven seven seven seven', ['+14155557777'], null],
  ['cero uno siete cero, uno dos tres cuatro cinco seis siete', ['+491701234567'], null],
  ['zéro un sept zéro, un deux trois quatre cinq six sept', ['+491701234567'], null],
  ['null eins sieben null, eins zwei drei vier fünf sechs sieben', ['+491701234567'], null],
  ['más cuatro nueve, uno siete cero, uno dos tres cuatro cinco seis siete', ['+491701234567'], null],
])('%s finds %j and numbers that end in %s', (text, numbers, ending) => {
  const found = parseCallerSearch(text, COUNTRIES);
  expect(found?.numbers).toEqual(expect.arrayContaining(numbers));
  expect(found?.ending).toBe(ending);
});

test.each(['1234', '101-234', '0101234', '5550101234'])('%s also matches the end of a number', (text) => {
  expect(parseCallerSearch(text, [])?.ending).toBe(text.replace('-', ''));
});

test.each([
  ...['', '123', '+1555', 'Ada', '555x1234', '%_%%', "1234' or 1=1"],
  ...['Seven', 'Double', 'Plus', 'Seven Eleven', 'Seven Eleven Store', 'four one five five and', 'double double'],
])('%s finds no caller', (text) => {
  expect(parseCallerSearch(text, COUNTRIES)).toBeNull();
});

test.each([
  ['a number behind many spaces', `${' '.repeat(60)}+14155550016`],
  ['a number before many spaces', `+14155550016${' '.repeat(60)}`],
  ['a number in words behind many spaces', `${' '.repeat(80)}four one five five five`],
])('%s is too long to be read', (_, text) => {
  expect(dialedText(text)).toBeNull();
});

test('the countries of merchants come from currency, language and numbers', () => {
  const origins = {
    currencies: ['GBP'],
    languages: ['es-MX', 'en'],
    numbers: ['+4930123456', '+15550100200'],
  } as const;
  expect(countriesOf(origins).sort()).toEqual(['DE', 'GB', 'MX', 'US'].sort());
  expect(countriesOf({ currencies: ['EUR'], languages: [], numbers: [] })).toEqual(
    expect.arrayContaining(['DE', 'FR']),
  );
});
