/** Times in the answers of processors. */

/** ISO 8601 or RFC 3339. Null if it is absent or malformed. */
export function timeOrNull(text: string | null | undefined): Date | null {
  const time = new Date(text ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}
