/** The orderly shutdown: parts that were started are closed in reverse order, each within a time limit. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** For a part that has little to wait for. */
export const CLOSE_LIMIT_MS = 10_000;

export interface Lifecycle {
  /** Whether {@link close} was called. */
  readonly closing: boolean;
  /** Has the shutdown call `close`, and go on without it after `limitMs`. */
  add(part: string, limitMs: number, close: () => Promise<void>): void;
  /** Closes everything once, the last started first. Never rejects; false when a part failed or took too long. */
  close(): Promise<boolean>;
}

/** @param log for the parts that did not close, and why */
export function createLifecycle(log: Logger): Lifecycle {
  const parts: { part: string; limitMs: number; close: () => Promise<void> }[] = [];
  let closing: Promise<boolean> | undefined;
  return {
    get closing() {
      return closing !== undefined;
    },
    add(part, limitMs, close) {
      parts.push({ part, limitMs, close });
    },
    close() {
      closing ??= closeAll();
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

/** Null when `work` came to its end in time, else what went wrong. */
async function within(limitMs: number, work: Promise<void>): Promise<Error | null> {
  const limit = new AbortController();
  const timeout = delay(limitMs, new Error(`not closed in ${limitMs} ms`), { signal: limit.signal });
  const done = work.then(
    () => null,
    (error: Error) => error,
  );
  // The timer that lost the race rejects with an AbortError that says nothing.
  timeout.catch(() => undefined);
  const failure = await Promise.race([done, timeout]);
  limit.abort();
  return failure;
}
