/** How long another part takes to answer, smoothed: measured on what the calls ask of it anyway. */

/** Of a new reading in the smoothed value. */
const WEIGHT = 0.2;
/**
 * Without readings the value halves in this time: a part that is asked nothing any more must not count as slow for
 * ever.
 */
const HALF_LIFE_MS = 1_000;

export class ResponseTime {
  readonly #now: () => number;
  /** Since when each unanswered request waits, the oldest first. */
  readonly #waiting = new Set<{ since: number }>();
  #smoothedMs = 0;
  #readAt = 0;

  /** @param now milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds: the smoothed time of the answers, or how long the oldest request waits, whichever is longer. */
  get ms(): number {
    const [oldest] = this.#waiting;
    const waitingMs = oldest === undefined ? 0 : this.#now() - oldest.since;
    return Math.max(waitingMs, this.#smoothedNow());
  }

  /**
   * Measures until `work` has ended, well or badly; work that never ends counts as slow for ever. @returns the same
   * promise
   */
  track<T>(work: Promise<T>): Promise<T> {
    const request = { since: this.#now() };
    this.#waiting.add(request);
    const end = () => {
      this.#waiting.delete(request);
      this.note(this.#now() - request.since);
    };
    void work.then(end, end);
    return work;
  }

  /** An answer has come after so long. */
  note(ms: number): void {
    const before = this.#smoothedNow();
    this.#smoothedMs = before + (ms - before) * WEIGHT;
    this.#readAt = this.#now();
  }

  #smoothedNow(): number {
    return this.#smoothedMs * 0.5 ** ((this.#now() - this.#readAt) / HALF_LIFE_MS);
  }
}
