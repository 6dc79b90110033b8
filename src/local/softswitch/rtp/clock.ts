/**
 * The media clock of the process. It ticks every stream once per 20 ms since its start, by absolute deadlines: after a
 * late timer it makes up for the missed ticks, so streams do not drift. (A `setInterval(20)` per endpoint plays 1.1 %
 * slow.)
 */
import { performance } from 'node:perf_hooks';
import { FRAME_MS } from './g711.ts';

/** After a longer stall, the missed time is skipped instead of sent as a burst. */
const MAX_CATCH_UP_TICKS = 10;

/** Called every 20 ms. */
export interface Ticked {
  /**
   * @param nowMs monotonic time, of `performance.now()`
   * @param skipped ticks that are skipped after a stall and that this tick replaces; nearly always 0
   */
  tick(nowMs: number, skipped: number): void;
}

/** Runs only while at least one stream is registered. */
export class MediaClock {
  readonly #ticked = new Set<Ticked>();
  readonly #now: () => number;
  #deadlineMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Number of registered streams. */
  get size(): number {
    return this.#ticked.size;
  }

  add(ticked: Ticked): void {
    this.#ticked.add(ticked);
    if (this.#timer) return;
    this.#deadlineMs = this.#now() + FRAME_MS;
    this.#arm();
  }

  /** Idempotent; stops the timer with the last stream. */
  remove(ticked: Ticked): void {
    this.#ticked.delete(ticked);
    if (this.#ticked.size > 0 || !this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    // A timer fires on whole milliseconds, never early: floor, and let the loop below wait out the rest with a zero
    // timer.
    const waitMs = Math.max(0, Math.floor(this.#deadlineMs - this.#now()));
    this.#timer = setTimeout(() => this.#wake(), waitMs);
  }

  #wake(): void {
    const nowMs = this.#now();
    const due = nowMs < this.#deadlineMs ? 0 : Math.floor((nowMs - this.#deadlineMs) / FRAME_MS) + 1;
    this.#deadlineMs += due * FRAME_MS;
    let skipped = Math.max(0, due - MAX_CATCH_UP_TICKS);
    for (let run = due - skipped; run > 0; run--) {
      for (const ticked of this.#ticked) ticked.tick(nowMs, skipped);
      skipped = 0;
    }
    if (this.#ticked.size > 0) this.#arm();
    else this.#timer = undefined;
  }
}
