/** Languages: BCP 47 tags, compared by their primary subtag, and which of them a caller is spoken and written to in. */

/** E.g. `es` of `es-MX`; lower case. */
export function primaryLanguage(tag: string): string {
  return (tag.split('-', 1)[0] ?? '').toLowerCase();
}

export function isSameLanguage(one: string, other: string): boolean {
  return primaryLanguage(one) === primaryLanguage(other);
}

/** `en-us` becomes `en-US`. @returns null for what is no language tag */
export function canonicalLanguage(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A session's own languages. */
export interface SessionLanguages {
  /** As `create_checkout` was given it; null: the merchant's. */
  language: string | null;
  /** What the caller has changed to on a call; null: it was not changed. */
  chosenLanguage: string | null;
}

/** A merchant's. */
export interface MerchantLanguages {
  language: string;
  /** Offered to callers; null: none is. */
  secondLanguage: string | null;
}

/** The language of everything that the caller of a session hears and reads. */
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

/** The merchant's language that a caller who is spoken to in `language` may change to; null where there is none. */
export function languageToChangeTo(language: string, merchant: MerchantLanguages): string | null {
  const { secondLanguage } = merchant;
  if (secondLanguage === null || isSameLanguage(secondLanguage, merchant.language)) return null;
  return isSameLanguage(language, secondLanguage) ? merchant.language : secondLanguage;
}
