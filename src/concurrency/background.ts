/** Work that nobody waits for: it has an owner, a bound, and an end. */
import { Places } from '../domain/places.ts';
import type { Log } from '../observability/log.ts';

export interface Background {
  /** Starts `work` unless too much is under way; its failure goes to `log`, the asker's, and is never thrown. */
  start(name: string, log: Pick<Log, 'warn' | 'error'>, work: () => Promise<void>): void;
  /** Resolves when all is done, or after `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

const MAX_UNDER_WAY = 200;

export function createBackground(): Background {
  const underWay = new Places<Promise<void>>();
  return {
    start(name, log, work) {
      if (underWay.size >= MAX_UNDER_WAY) {
        log.warn({ work: name }, 'background work skipped: too much is under way');
        return;
      }
      const done = new Promise<void>((resolve) => resolve(work()))
        .catch((error: unknown) => log.error({ error, work: name }, 'background work failed'))
        .finally(() => underWay.leave(place));
      const place = underWay.take(done);
    },
    async drain(limitMs) {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs);
      });
      await Promise.race([Promise.all(underWay), limit]);
      clearTimeout(timer);
    },
  };
}
