/**
 * Which language the page is in: the one asked for by `?lang`, else that of the session's caller, else the browser's.
 */
import { kept } from '../../domain/kept-formats.ts';
import { type LanguageTag, languageTag } from '../../languages/index.ts';

export interface LanguageWishes {
  /** `?lang`. */
  asked: string | null;
  /** BCP 47, what the caller is spoken to in; null where no session is known. */
  session: string | null;
  /** `Accept-Language`. */
  accepted: string | undefined;
}

export interface ChosenLanguage {
  language: LanguageTag;
  /** For amounts and dates: with the session's region where it is the session's language. */
  locale: string;
}

export function chooseLanguage({ asked, session, accepted = '' }: LanguageWishes): ChosenLanguage {
  const wishes = [asked, session, ...acceptedLanguages(accepted)];
  const language = wishes.map((wish) => languageTag(wish ?? '')).find((tag) => tag !== null) ?? 'en';
  const isSessions = session !== null && languageTag(session) === language && isLocale(session);
  return { language, locale: isSessions ? session : language };
}

const MAX_LISTED = 20;

/** RFC 9110, 12.5.4: the best first. */
function acceptedLanguages(header: string): string[] {
  return header
    .split(',')
    .slice(0, MAX_LISTED)
    .map((item) => {
      const [tag = '', quality] = item.trim().split(/\s*;\s*q=/);
      return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

const isLocale = kept((tag) => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
});
