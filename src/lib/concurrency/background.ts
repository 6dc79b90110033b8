/**
 * Background work: nobody waits for its result, but there is a limit to it, its failures are logged, and a shutdown
 * waits.
 */
import type { BaseLogger } from 'pino';
import { InFlight } from './in-flight.ts';

export interface Background {
  /** Starts `work` unless too much is in flight. A failure goes to `log` and is never thrown. */
  start(name: string, log: Pick<BaseLogger, 'warn' | 'error'>, work: () => Promise<void>): void;
  /** Resolves when all work has ended, or after `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

const MAX_IN_FLIGHT = 200;

export function createBackground(): Background {
  const inFlight = new InFlight();
  return {
    start(name, log, work) {
      if (inFlight.size >= MAX_IN_FLIGHT) {
        log.warn({ work: name }, 'background work skipped: too much is running');
        return;
      }
      const started = new Promise<void>((resolve) => resolve(work()));
      void inFlight.track(
        started.catch((error: unknown) => log.error({ error, work: name }, 'background work failed')),
      );
    },
    async drain(limitMs) {
      await inFlight.idle(limitMs);
    },
  };
}
