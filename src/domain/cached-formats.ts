/** A cache of Intl formatters: creating one takes longer than the rest of a text or page. */

/** More than the languages, regions, currencies and time zones of one installation's merchants. */
const MAX_CACHED = 500;

/** Caches what `make` returns for each key. A full cache is emptied. */
export function cached<T>(make: (...key: string[]) => T): (...key: string[]) => T {
  const made = new Map<string, T>();
  return (...key) => {
    const name = key.join(' ');
    const known = made.get(name);
    if (known !== undefined) return known;
    if (made.size >= MAX_CACHED) made.clear();
    const one = make(...key);
    made.set(name, one);
    return one;
  };
}

export const currencyFormat = cached(
  (locale, currency) => new Intl.NumberFormat(locale, { style: 'currency', currency }),
);

/** The number of decimals of a currency. */
export const minorDigits = cached(
  (currency) => currencyFormat('en', currency).resolvedOptions().maximumFractionDigits ?? 2,
);

/** A time zone by its IANA name. An unknown one counts as UTC. */
export const knownZone = cached((timeZone) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return 'UTC';
    throw error;
  }
});
