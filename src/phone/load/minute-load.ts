/** How loaded a process was in the last minute, as a share of its limits: the highest of the averages. */

/** Weight of a sample in the average, of four a second: it follows a change within a minute. */
const WEIGHT = 1 / 240;

export class MinuteLoad {
  readonly #averages: number[] = [];

  /** @param shares each reading as a share of its limit; always the same readings */
  note(shares: readonly number[]): void {
    for (const [place, share] of shares.entries()) {
      const average = this.#averages[place] ?? 0;
      this.#averages[place] = average + (share - average) * WEIGHT;
    }
  }

  /** 0: idle. 1: at the limit. Higher: calls are refused. */
  get share(): number {
    return Math.max(0, ...this.#averages);
  }
}
