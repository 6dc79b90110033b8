/** The orderly shutdown: started parts are closed in reverse order, each within a time limit. */
import type { Logger } from 'pino';
import { stopwatch, waitAtMost } from '../lib/concurrency/time-limit.ts';

/** For a part without much to finish. */
export const CLOSE_LIMIT_MS = 10_000;

export interface Lifecycle {
  /** Whether {@link close} was called. */
  readonly closing: boolean;
  /** Milliseconds since then; 0 before. */
  readonly closingForMs: number;
  /** Registers `close` for the shutdown, which continues without it after `limitMs`. */
  add(part: string, limitMs: number, close: () => Promise<void>): void;
  /** Closes everything once, the last started first. Never rejects. False if a part failed or took too long. */
  close(): Promise<boolean>;
}

/** @param log for parts that failed to close */
export function createLifecycle(log: Logger): Lifecycle {
  const parts: { part: string; limitMs: number; close: () => Promise<void> }[] = [];
  let closing: Promise<boolean> | undefined;
  let closingForMs = () => 0;
  return {
    get closing() {
      return closing !== undefined;
    },
    get closingForMs() {
      return closingForMs();
    },
    add(part, limitMs, close) {
      parts.push({ part, limitMs, close });
    },
    close() {
      if (closing === undefined) {
        closingForMs = stopwatch();
        closing = closeAll();
      }
      return closing;
    },
  };

  async function closeAll(): Promise<boolean> {
    let clean = true;
    for (let entry = parts.pop(); entry; entry = parts.pop()) {
      const failure = await within(entry.limitMs, entry.close());
      if (failure) {
        clean = false;
        log.error({ part: entry.part, err: failure }, 'part did not close');
      }
    }
    return clean;
  }
}

/** Null if `work` finished in time, otherwise the error. */
function within(limitMs: number, work: Promise<void>): Promise<Error | null> {
  const failure = work.then(
    () => null,
    (error: Error) => error,
  );
  return waitAtMost(limitMs, failure, new Error(`not closed in ${limitMs} ms`));
}
