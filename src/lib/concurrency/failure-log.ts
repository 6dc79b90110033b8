/**
 * The log of work that is tried again and again: its first failure, a line a minute while it goes on failing, and when
 * it works again.
 */
import type { BaseLogger } from 'pino';

export interface FailureLog {
  failed(error: unknown): void;
  worked(): void;
}

/** Static sentences of the log. */
export interface FailureWords {
  failed: string;
  works: string;
}

const REMIND_EVERY_MS = 60_000;

/**
 * An outage of an hour is two lines and one a minute, not one a try. Another error than the one before is told at once.
 * @param fields of each line @param now milliseconds
 */
export function createFailureLog(
  log: Pick<BaseLogger, 'info' | 'warn'>,
  fields: Readonly<Record<string, unknown>>,
  words: FailureWords,
  now: () => number = () => performance.now(),
): FailureLog {
  let failures = 0;
  let sinceMs = 0;
  let told = { message: '', atMs: 0 };
  return {
    failed(error) {
      const [message, atMs] = [error instanceof Error ? error.message : String(error), now()];
      failures += 1;
      if (failures === 1) sinceMs = atMs;
      else if (message === told.message && atMs - told.atMs < REMIND_EVERY_MS) return;
      told = { message, atMs };
      log.warn({ ...fields, err: error, failures }, words.failed);
    },
    worked() {
      if (failures === 0) return;
      log.info({ ...fields, failures, seconds: Math.round((now() - sinceMs) / 1_000) }, words.works);
      failures = 0;
    },
  };
}
