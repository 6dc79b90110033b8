/** Headers as the libraries of HTTP and SIP give them. */

/** Names in any case. */
export type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Signatures must be this recent, so that an old message cannot be sent again. */
const TOLERANCE_SECONDS = 300;

/** Reads a header by its name in lower case. An absent header, or one that is there twice, is empty. */
export function headerReader(headers: GivenHeaders): (name: string) => string {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const values = new Map<string, string>();
  for (const [name, value] of entries) {
    const key = name.toLowerCase();
    values.set(key, typeof value === 'string' && !values.has(key) ? value.trim() : '');
  }
  return (name) => values.get(name) ?? '';
}

/** @param unixSeconds text of a header */
export function isRecent(unixSeconds: string, now: Date): boolean {
  return /^\d{1,12}$/.test(unixSeconds) && Math.abs(now.getTime() / 1_000 - Number(unixSeconds)) <= TOLERANCE_SECONDS;
}
