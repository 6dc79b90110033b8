/** A few jobs at a time, the urgent ones first, and no more waiting than can be worth it. */

/** `live`: a caller is listening. `ahead`: for a call to come. */
export type Lane = 'live' | 'ahead';

/** Too much is waiting already; the sentence is rendered when it is needed. */
export class LaneFull extends Error {
  constructor() {
    super('too many sentences are waiting to be rendered');
    this.name = 'LaneFull';
  }
}

export interface Lanes {
  /** Runs `job` when its turn comes. @throws LaneFull, or what the job throws. */
  run<T>(lane: Lane, job: () => Promise<T>): Promise<T>;
}

/** @param atOnce jobs running at the same time. @param maxWaiting bound of each lane. */
export function createLanes(atOnce: number, maxWaiting: number): Lanes {
  const waiting: Record<Lane, (() => void)[]> = { live: [], ahead: [] };
  let running = 0;

  const turn = (lane: Lane): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting[lane].length >= maxWaiting) return Promise.reject(new LaneFull());
    return new Promise((resolve) => waiting[lane].push(resolve));
  };
  const done = () => {
    const next = waiting.live.shift() ?? waiting.ahead.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    async run(lane, job) {
      await turn(lane);
      try {
        return await job();
      } finally {
        done();
      }
    },
  };
}
