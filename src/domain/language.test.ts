/** The language of a caller, and the one the caller can change to. */
import { describe, expect, it } from 'vitest';
import { acceptedLanguages, canonicalLanguage, languageOf, languageToChangeTo } from './language.ts';

const own = (language: string | null, chosenLanguage: string | null = null) => ({ language, chosenLanguage });
const merchant = (language: string, secondLanguage: string | null = null) => ({ language, secondLanguage });

describe('the language of a caller', () => {
  it.each([
    [own(null), merchant('en-US'), 'en-US'],
    [own('es-MX'), merchant('en-US'), 'es-MX'],
    [own('es-MX', 'en-US'), merchant('en-US', 'es'), 'en-US'],
    [own(null, 'es'), merchant('en-US', 'es'), 'es'],
  ])('of %o at %o is %s', (session, at, language) => expect(languageOf(session, at)).toBe(language));

  it('of a session without a merchant is the session’s own, or none', () => {
    expect(languageOf(own('fr'), null)).toBe('fr');
    expect(languageOf(own(null), null)).toBeNull();
  });
});

describe('the language to change to', () => {
  it.each([
    ['en-US', merchant('en-US', 'es'), 'es'],
    ['es', merchant('en-US', 'es-MX'), 'en-US'],
    ['fr', merchant('en-US', 'es'), 'es'],
    ['en-US', merchant('en-US'), null],
    ['es', merchant('en-US'), null],
    // A merchant whose settings were edited in the database.
    ['en-US', merchant('en-US', 'en-GB'), null],
  ])('from %s at %o is %s', (language, at, other) => expect(languageToChangeTo(language, at)).toBe(other));
});

it('is canonical, or not a language', () => {
  expect(canonicalLanguage('EN-us')).toBe('en-US');
  for (const wrong of ['', 'x', 'english language', 'en_US', 'es-', '1'])
    expect(canonicalLanguage(wrong), wrong).toBeNull();
});

describe('the languages that a browser accepts', () => {
  it.each([
    ['de-CH, en;q=0.5 , fr;q=0.8', ['de-CH', 'fr', 'en']],
    ['de ; Q=0.1, es', ['es', 'de']],
    ['de;q=0, fr;q=zzz, es;', []],
    ['', ['']],
  ])('of %s are %j', (header, languages) => expect(acceptedLanguages(header)).toEqual(languages));

  it('are read from a header of a million spaces in one pass', () => {
    expect(acceptedLanguages(`de${' '.repeat(1_000_000)}x`)).toHaveLength(1);
  });
});
