/** The smoothed response time of another component, measured on requests that the calls send anyway. */

/** Weight of a new reading in the smoothed value. */
const WEIGHT = 0.2;
/**
 * Without readings the value halves in this time. Otherwise a component without requests would count as slow forever.
 */
const HALF_LIFE_MS = 1_000;

export class ResponseTime {
  readonly #now: () => number;
  /** The start of each unanswered request, the oldest first. */
  readonly #waiting = new Set<{ since: number }>();
  #smoothedMs = 0;
  #readAt = 0;

  /** @param now milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** In milliseconds: the smoothed response time, or the age of the oldest unanswered request if that is longer. */
  get ms(): number {
    const [oldest] = this.#waiting;
    const waitingMs = oldest === undefined ? 0 : this.#now() - oldest.since;
    return Math.max(waitingMs, this.#smoothedNow());
  }

  /**
   * Measures until `work` has succeeded or failed. Work that never ends counts as slow forever. @returns the same
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

  /** Adds a response time. */
  note(ms: number): void {
    const before = this.#smoothedNow();
    this.#smoothedMs = before + (ms - before) * WEIGHT;
    this.#readAt = this.#now();
  }

  #smoothedNow(): number {
    return this.#smoothedMs * 0.5 ** ((this.#now() - this.#readAt) / HALF_LIFE_MS);
  }
}
