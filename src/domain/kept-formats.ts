/** What Intl makes, kept: to make it takes longer than all the rest of a text or a page. */

/** More than the languages, regions, currencies and time zones of one installation's merchants come to. */
const MAX_KEPT = 500;

/** Keeps what `make` makes of a key; begins anew where that are too many. */
export function kept<T>(make: (...key: string[]) => T): (...key: string[]) => T {
  const made = new Map<string, T>();
  return (...key) => {
    const name = key.join(' ');
    const known = made.get(name);
    if (known !== undefined) return known;
    if (made.size >= MAX_KEPT) made.clear();
    const one = make(...key);
    made.set(name, one);
    return one;
  };
}

export const currencyFormat = kept(
  (locale, currency) => new Intl.NumberFormat(locale, { style: 'currency', currency }),
);

/** How many digits of an amount are behind its decimal point. */
export const minorDigits = kept(
  (currency) => currencyFormat('en', currency).resolvedOptions().maximumFractionDigits ?? 2,
);

/** A time zone by its IANA name; one that is none counts as UTC. */
export const knownZone = kept((timeZone) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return 'UTC';
    throw error;
  }
});
