/** Records events in order, and waits for future ones. */
export class EventLog<T> {
  readonly entries: T[] = [];
  readonly #waiting = new Set<() => void>();

  push(entry: T): void {
    this.entries.push(entry);
    for (const look of this.#waiting) look();
  }

  /** Resolves to the first matching entry, past or future. Only the test's time limit ends the wait. */
  waitFor(fits: (entry: T) => boolean): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.entries.find(fits);
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Resolves when `entry` has been pushed `count` times. */
  waitForCount(entry: T, count = 1): Promise<T> {
    return this.waitFor(() => this.entries.filter((item) => item === entry).length >= count).then(() => entry);
  }
}
