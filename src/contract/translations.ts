/** Words for the person on the call in other languages than English, by language. */
import { primaryLanguage } from '../domain/language.ts';
import { GERMAN } from './translations/de.ts';
import { SPANISH } from './translations/es.ts';
import { FRENCH } from './translations/fr.ts';
import type { Translation } from './translations/translation.ts';

/** By primary language subtag. */
const TRANSLATIONS: ReadonlyMap<string, Translation> = new Map([
  ['de', GERMAN],
  ['es', SPANISH],
  ['fr', FRENCH],
]);

/** Primary language subtags that there are words for, English first. */
export const SPOKEN_LANGUAGES: readonly string[] = ['en', ...TRANSLATIONS.keys()];

/** Whether callers can be spoken and written to in it. @param language BCP 47 */
export function isSpoken(language: string): boolean {
  return SPOKEN_LANGUAGES.includes(primaryLanguage(language));
}

/**
 * @param language BCP 47, a merchant's. @returns null for English, which also stands in for any language without words
 */
export function translationFor(language: string | null): Translation | null {
  return TRANSLATIONS.get(primaryLanguage(language ?? '')) ?? null;
}
