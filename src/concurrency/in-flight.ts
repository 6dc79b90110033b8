/** Payments under way in this process: a shutdown waits for them. */
export class InFlight {
  readonly #live = new Set<Promise<unknown>>();

  get size(): number {
    return this.#live.size;
  }

  /** Counts `work` until it has ended, well or badly. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#live.add(work);
    const done = () => this.#live.delete(work);
    work.then(done, done);
    return work;
  }

  /** Waits until nothing is under way, at most `limitMs`. @returns whether nothing is */
  async idle(limitMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.#drained(), over]);
    clearTimeout(timer);
    return this.size === 0;
  }

  async #drained(): Promise<void> {
    while (this.size > 0) await Promise.allSettled(this.#live);
  }
}
