/** Work that many may ask for, done one at a time: what is asked for meanwhile is done once more, after it. */

export interface Rerunner {
  /** Asks for the work. Never throws. */
  wake(): void;
  /** Nothing is begun any more. Resolves when what is under way has ended. */
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
