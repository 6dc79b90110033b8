/** Messages for the person on the call in languages other than English. */
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

/** Supported primary language subtags, English first. */
export const SPOKEN_LANGUAGES: readonly string[] = ['en', ...TRANSLATIONS.keys()];

/** @param language BCP 47 */
export function isSpoken(language: string): boolean {
  return SPOKEN_LANGUAGES.includes(primaryLanguage(language));
}

/** @param language BCP 47 @returns null for English, which is also used for languages that are not supported */
export function translationFor(language: string | null): Translation | null {
  return TRANSLATIONS.get(primaryLanguage(language ?? '')) ?? null;
}
