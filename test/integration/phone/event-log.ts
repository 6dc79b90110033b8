/** What has happened, in order, and a way to wait for what will. */
export class EventLog<T> {
  readonly entries: T[] = [];
  readonly #waiting = new Set<() => void>();

  push(entry: T): void {
    this.entries.push(entry);
    for (const look of this.#waiting) look();
  }

  /** The first entry, past or to come, that fits. Bounded by the test's own limit. */
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

  /** When it has been told `entry` for the `count`th time. */
  waitForCount(entry: T, count = 1): Promise<T> {
    return this.waitFor(() => this.entries.filter((item) => item === entry).length >= count).then(() => entry);
  }
}
