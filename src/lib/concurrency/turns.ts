/**
 * Lets work that became ready all at once continue a few at a time, each in a turn of the event loop. Without it, the
 * rows of 250 webhooks that one statement has read hold up all other work of the process for 75 ms.
 */

interface Turns {
  /** Resolves in the next turn that has room, in the order of the calls. */
  next(): Promise<void>;
}

export function createTurns(perTurn: number): Turns {
  const waiting: (() => void)[] = [];

  function run(): void {
    for (const start of waiting.splice(0, perTurn)) start();
    if (waiting.length > 0) setImmediate(run);
  }

  return {
    next: () =>
      new Promise((resolve) => {
        if (waiting.push(resolve) === 1) setImmediate(run);
      }),
  };
}
