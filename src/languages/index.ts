/**
 * The languages in which Ringkey speaks and writes to callers: the payment line, the agent, the pay page and the texts.
 * To add one, write its folder and add it to `LANGUAGES`.
 */
import { primaryLanguage } from '../domain/language.ts';
import { german } from './de/index.ts';
import { english } from './en/index.ts';
import { spanish } from './es/index.ts';
import { french } from './fr/index.ts';
import type { Language } from './language.ts';

/** By primary language subtag. English replaces all others. */
const LANGUAGES = { en: english, de: german, es: spanish, fr: french } satisfies Record<string, Language>;

export type LanguageTag = keyof typeof LANGUAGES;

/** Primary language subtags, English first. */
export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as readonly LanguageTag[];

export { english };

/** @param language BCP 47 @returns null if Ringkey does not speak it */
export function languageTag(language: string): LanguageTag | null {
  const primary = primaryLanguage(language);
  return LANGUAGE_TAGS.find((tag) => tag === primary) ?? null;
}

/** Whether Ringkey speaks this language. @param language BCP 47 */
export function isSpoken(language: string): boolean {
  return languageTag(language) !== null;
}

/** @param language BCP 47. @returns English if it is null, or if Ringkey does not speak it */
export function languageFor(language: string | null): Language {
  return LANGUAGES[languageTag(language ?? '') ?? 'en'];
}
