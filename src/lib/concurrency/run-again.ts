/** Runs work for many callers, one run at a time. Requests during a run cause one more run after it. */

export interface Rerunner {
  /** Requests a run. Never throws. */
  wake(): void;
  /** Starts no more runs. Resolves when the current run has ended. */
  close(): Promise<void>;
}

/** @param work never throws */
export function createRerunner(work: () => Promise<void>): Rerunner {
  let running: Promise<void> | null = null;
  let again = false;
  let closed = false;

  async function run(): Promise<void> {
    // Not within `wake`: work that asks for itself at once would begin a second time.
    await null;
    do {
      again = false;
      await work();
    } while (again && !closed);
    running = null;
  }

  return {
    wake() {
      again = true;
      if (!closed) running ??= run();
    },
    async close() {
      closed = true;
      await running;
    },
  };
}
