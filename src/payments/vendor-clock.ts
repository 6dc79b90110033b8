/**
 * Compares a processor's clock with ours. Payments are looked up by time: where the clocks differ, we look in the wrong
 * hour, and a payment that was taken seems never to have been. Each HTTP answer has a Date (RFC 9110, 6.6.1).
 */

/** Less than the look-ups' margin around the time of a charge (five minutes). */
const TOLERANCE_MS = 240_000;

export class VendorClock {
  #date: Date | null = null;

  /** To be called with each answer of the processor. */
  readonly observe = ({ headers }: Pick<Response, 'headers'>): void => {
    const date = new Date(headers.get('date') ?? Number.NaN);
    if (!Number.isNaN(date.getTime())) this.#date = date;
  };

  /** Whether the last answer's time and ours are the same, as far as both are known. @param ours what time it is now */
  agreesWith(ours: Date | undefined): boolean {
    if (this.#date === null || ours === undefined) return true;
    return Math.abs(this.#date.getTime() - ours.getTime()) <= TOLERANCE_MS;
  }
}
