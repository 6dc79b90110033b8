/** The language of a request, and words, numbers and plurals in it. */
import { describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS, type LanguageTag } from '../../../languages/index.ts';
import { listText, moneyText, numberText, plural, timeText } from './formats.ts';
import { inLanguage, language, languageOfRequest, wordsOf } from './language.ts';

const requestOf = (accepted?: string, chosen?: string | null) => ({
  headers: accepted === undefined ? {} : { 'accept-language': accepted },
  user: chosen === undefined ? undefined : { language: chosen },
});
const inEach = <T>(run: () => T) => LANGUAGE_TAGS.map((tag) => inLanguage(tag, run));

describe('the language of a request', () => {
  test.each<[accepted: string | undefined, chosen: string | null | undefined, LanguageTag]>([
    [undefined, undefined, 'en'],
    ['de-AT,de;q=0.9,en;q=0.8', undefined, 'de'],
    ['en;q=0.5, fr-CA', null, 'fr'],
    ['ja, es;q=0.1', null, 'es'],
    ['ja', null, 'en'],
    ['*', null, 'en'],
    ['de;q=0, fr;q=0.1', null, 'fr'],
    ['de', 'es', 'es'],
    ['de', 'ja', 'de'],
    [',;q=,de-de-de-de-de;q=x', null, 'en'],
    ['constructor, __proto__;q=1e999, <b>de</b>', null, 'en'],
    [`${'ja,'.repeat(2_000)}de`, null, 'en'],
    ['DE-ch;Q=0.5, es;q=0.4', null, 'de'],
  ])('the browser accepts %s and the user chose %s: %s', (accepted, chosen, expected) => {
    expect(languageOfRequest(requestOf(accepted, chosen))).toBe(expected);
  });

  test('code outside of a request speaks English', () => {
    expect(language()).toBe('en');
  });

  test('what a request starts later keeps its language beside other requests', async () => {
    const later = () => new Promise<string>((resolve) => setImmediate(() => resolve(language())));
    expect(await Promise.all(inEach(later))).toEqual(LANGUAGE_TAGS);
  });

  test('words are those of the language in which they are asked for', () => {
    const words = wordsOf({ en: 'charge', de: 'Abbuchung', es: 'cobro', fr: 'débit' });
    expect(inEach(words)).toEqual(['charge', 'Abbuchung', 'cobro', 'débit']);
  });
});

describe('formats', () => {
  const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll(/[\u00a0\u202f]/g, ' '));

  test('amounts, numbers and lists follow the language', () => {
    expect(plain(inEach(() => moneyText(123_456, 'EUR')))).toEqual([
      '€1,234.56',
      '1.234,56 €',
      '1234,56 €',
      '1 234,56 €',
    ]);
    expect(plain(inEach(() => numberText(12_345)))).toEqual(['12,345', '12.345', '12.345', '12 345']);
    expect(inEach(() => listText(['A', 'B', 'C']))).toEqual(['A, B and C', 'A, B und C', 'A, B y C', 'A, B et C']);
  });

  test('times follow the language, with 24 hours', () => {
    const times = inEach(() => timeText('2026-11-26T14:02:31Z', 'short'));
    expect(times[0]).toBe('26 Nov, 14:02');
    for (const time of times) expect(time).toMatch(/^26\.? nov\.?,? 14:02$/i);
    expect(inEach(() => timeText('2026-11-26T14:02:31Z', 'month'))[1]).toBe('November 2026');
  });

  test('a plural has the form of its number in each language', () => {
    const forms = { one: '# one', other: '# other' };
    const ofNumbers = () => [0, 1, 2, 1_000].map((count) => plural(count, forms));
    expect(inLanguage('en', ofNumbers)).toEqual(['0 other', '1 one', '2 other', '1,000 other']);
    expect(inLanguage('de', ofNumbers)).toEqual(['0 other', '1 one', '2 other', '1.000 other']);
    expect(inLanguage('fr', ofNumbers)[0]).toBe('0 one');
    expect(inLanguage('es', () => plural(1_000_000, { ...forms, many: 'many' }))).toBe('many');
    expect(inLanguage('es', () => plural(1_000_000, forms))).toBe('1.000.000 other');
  });
});
