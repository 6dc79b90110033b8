/** Languages: BCP 47 tags, compared by their primary subtag, and the language of a caller. */

/** Lower case, such as `es` for `es-MX`. */
export function primaryLanguage(tag: string): string {
  return (tag.split('-', 1)[0] ?? '').toLowerCase();
}

export function isSameLanguage(one: string, other: string): boolean {
  return primaryLanguage(one) === primaryLanguage(other);
}

/** `en-us` becomes `en-US`. @returns null for a malformed tag */
export function canonicalLanguage(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** More of a header are not read. */
const MAX_LISTED = 20;

/** The tags of the header `Accept-Language` (RFC 9110, 12.5.4), best first. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',')
    .slice(0, MAX_LISTED)
    .map((item) => {
      const [tag = '', weight] = item.split(';', 2);
      const quality = weight?.trim().replace(/^q=/i, '');
      return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

/** The languages of a session. */
export interface SessionLanguages {
  /** From `create_checkout`; null: the merchant's. */
  language: string | null;
  /** The caller's choice on a call; null if there was none. */
  chosenLanguage: string | null;
}

/** The languages of a merchant. */
export interface MerchantLanguages {
  language: string;
  /** Offered to callers; null if there is none. */
  secondLanguage: string | null;
}

/** The language of everything that a session's caller hears and reads. */
export function languageOf(session: SessionLanguages, merchant: Pick<MerchantLanguages, 'language'>): string;
export function languageOf(
  session: SessionLanguages,
  merchant: Pick<MerchantLanguages, 'language'> | null,
): string | null;
export function languageOf(
  { language, chosenLanguage }: SessionLanguages,
  merchant: Pick<MerchantLanguages, 'language'> | null,
): string | null {
  return chosenLanguage ?? language ?? merchant?.language ?? null;
}

/** The other language of the merchant that a caller can change to; null if there is none. */
export function languageToChangeTo(language: string, merchant: MerchantLanguages): string | null {
  const { secondLanguage } = merchant;
  if (secondLanguage === null || isSameLanguage(secondLanguage, merchant.language)) return null;
  return isSameLanguage(language, secondLanguage) ? merchant.language : secondLanguage;
}
