/** Work in flight, counted so that a shutdown can wait for it, and background work within a limit. */

import type { BaseLogger } from 'pino';
import { endsWithin } from './time-limit.ts';

export class InFlight {
  readonly #live = new Set<Promise<unknown>>();

  get size(): number {
    return this.#live.size;
  }

  /** Counts `work` until it has settled. @returns the same promise */
  track<T>(work: Promise<T>): Promise<T> {
    this.#live.add(work);
    const done = () => this.#live.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when nothing is in flight, including work that starts meanwhile. Never rejects. */
  async ended(): Promise<void> {
    while (this.size > 0) await Promise.allSettled(this.#live);
  }

  /** Waits until nothing is in flight, at most `limitMs`. @returns whether nothing is */
  idle(limitMs: number): Promise<boolean> {
    return endsWithin(limitMs, this.ended());
  }
}

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
