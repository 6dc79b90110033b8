/**
 * Chooses the page's language: that of `?lang`, otherwise that of the session, otherwise the browser's.
 */
import { cached } from '../../domain/cached-formats.ts';
import { acceptedLanguages } from '../../domain/language.ts';
import { type LanguageTag, languageTag } from '../../languages/index.ts';

interface LanguagePreferences {
  /** `?lang`. */
  requested: string | null;
  /** The language that the caller hears (BCP 47). Null if there is no session. */
  session: string | null;
  /** `Accept-Language`. */
  accepted: string | undefined;
}

interface ChosenLanguage {
  language: LanguageTag;
  /** For amounts and dates. Has the session's region if it is the session's language. */
  locale: string;
}

export function chooseLanguage({ requested, session, accepted = '' }: LanguagePreferences): ChosenLanguage {
  const preferences = [requested, session, ...acceptedLanguages(accepted)];
  const language = preferences.map((preference) => languageTag(preference ?? '')).find((tag) => tag !== null) ?? 'en';
  const isSessions = session !== null && languageTag(session) === language && isLocale(session);
  return { language, locale: isSessions ? session : language };
}

const isLocale = cached((tag) => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
});
