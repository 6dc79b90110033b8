/** Work in flight: counted until it has ended, so that a shutdown can wait for it. */
import { endsWithin } from './time-limit.ts';

export class InFlight {
  readonly #live = new Set<Promise<unknown>>();

  get size(): number {
    return this.#live.size;
  }

  /** Counts `work` until it has ended, well or badly. @returns the same promise */
  track<T>(work: Promise<T>): Promise<T> {
    this.#live.add(work);
    const done = () => this.#live.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when nothing is in flight, work that starts meanwhile included. Never rejects. */
  async ended(): Promise<void> {
    while (this.size > 0) await Promise.allSettled(this.#live);
  }

  /** Waits until nothing is in flight, at most `limitMs`. @returns whether nothing is */
  idle(limitMs: number): Promise<boolean> {
    return endsWithin(limitMs, this.ended());
  }
}
