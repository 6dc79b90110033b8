/** Runs many actions, some at once. */
import { until } from '../support/until.ts';

/** Longer than everything between two actions. */
const LIMIT_MS = 1_800_000;

/** Counts the actions that have begun. */
export class Progress {
  readonly #total: number;
  #begun = 0;

  constructor(total: number) {
    this.#total = total;
  }

  begin(): void {
    this.#begun += 1;
  }

  /** Resolves when this share of all actions has begun: 0 to 1. */
  reached(share: number): Promise<void> {
    return until(LIMIT_MS, () => this.#begun >= share * this.#total);
  }
}

/** @param lanes how many run at once */
export async function runInLanes(lanes: number, actions: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = actions.toReversed();
  const lane = async () => {
    for (let action = waiting.pop(); action !== undefined; action = waiting.pop()) await action();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
