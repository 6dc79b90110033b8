/** Logs retried work: the first failure, a line per minute while it keeps failing, and its recovery. */
import type { BaseLogger } from 'pino';

export interface FailureLog {
  failed(error: unknown): void;
  worked(): void;
}

/** The static log messages. */
interface FailureWords {
  failed: string;
  works: string;
}

const REMIND_EVERY_MS = 60_000;
/** Kinds of errors in an outage that are logged at once. Messages that contain an address or a slot can be many. */
const MOST_KINDS = 5;

/**
 * An outage is logged once a minute, not at each attempt. A new kind of error is logged at once.
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
  let loggedAtMs = 0;
  const messages = new Set<string>();
  return {
    failed(error) {
      const [message, atMs] = [error instanceof Error ? error.message : String(error), now()];
      failures += 1;
      if (failures === 1) sinceMs = atMs;
      const isNew = !messages.has(message) && messages.size < MOST_KINDS;
      if (!isNew && atMs - loggedAtMs < REMIND_EVERY_MS) return;
      loggedAtMs = atMs;
      if (isNew) messages.add(message);
      log.warn({ ...fields, err: error, failures }, words.failed);
    },
    worked() {
      if (failures === 0) return;
      log.info({ ...fields, failures, seconds: Math.round((now() - sinceMs) / 1_000) }, words.works);
      failures = 0;
      messages.clear();
    },
  };
}
