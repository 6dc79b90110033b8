/**
 * Decides from readings whether this process can take more calls. A value counts as too high only after it was over its
 * limit for a while, and as normal only after it was under a lower limit for a while. So a single late timer refuses no
 * caller, and the answer does not change with every call.
 */

/** `event_loop`: this process is busy, or other processes on its machine block it. */
export type OverloadCause = 'event_loop' | 'media_server' | 'database';

export interface LoadReadings extends MediaResponse {
  /** The share of its time that the event loop works, 0 to 1. */
  eventLoopUse: number;
  /** Lateness of its timers. */
  eventLoopDelayMs: number;
  /** Response time of PostgreSQL to a statement of a call. */
  databaseMs: number;
}

/** Response times of the fastest media server. */
export interface MediaResponse {
  /** To our INVITE. */
  mediaAnswerMs: number;
  /** To a command on its event socket. */
  mediaReplyMs: number;
}

interface Limit {
  cause: OverloadCause;
  reading: keyof LoadReadings;
  /** Overloaded from this value on. */
  from: number;
  /** Normal again below this value. */
  until: number;
}

/** How long a value must be over its limit. */
const SUSTAINED_MS = 1_000;
const CALM_MS = 500;
const EVENT_LOOP_MARGIN = 0.1;
/**
 * This many calls are always accepted. With so few, the load comes from something else, such as a start, and may be
 * over soon.
 */
export const ALWAYS_TAKEN = 5;

const TIME_LIMITS: readonly Limit[] = [
  { cause: 'event_loop', reading: 'eventLoopDelayMs', from: 200, until: 100 },
  { cause: 'media_server', reading: 'mediaAnswerMs', from: 1_000, until: 500 },
  { cause: 'media_server', reading: 'mediaReplyMs', from: 200, until: 100 },
  { cause: 'database', reading: 'databaseMs', from: 500, until: 250 },
];

export class Overload {
  readonly #states: { limit: Limit; isOver: boolean; changingSince: number | null }[];

  /** @param maxLoad the share of its time that the event loop may work, 0 to 1; 1: no limits */
  constructor(maxLoad: number) {
    const busy: Limit = {
      cause: 'event_loop',
      reading: 'eventLoopUse',
      from: maxLoad,
      until: maxLoad - EVENT_LOOP_MARGIN,
    };
    const limits = maxLoad < 1 ? [busy, ...TIME_LIMITS] : [];
    this.#states = limits.map((limit) => ({ limit, isOver: false, changingSince: null }));
  }

  /** Why a new call is refused; null: it is accepted. @param calls live and arriving calls, including the new one */
  refuses(calls: number): OverloadCause | null {
    if (calls <= ALWAYS_TAKEN) return null;
    return this.#states.find(({ isOver }) => isOver)?.limit.cause ?? null;
  }

  /** Each reading as a share of its limit. */
  sharesOf(readings: LoadReadings): number[] {
    return this.#states.map(({ limit }) => readings[limit.reading] / limit.from);
  }

  /** @param nowMs of a clock that never goes back */
  note(readings: LoadReadings, nowMs: number): void {
    for (const state of this.#states) {
      const { from, until, reading } = state.limit;
      const isChanging = state.isOver ? readings[reading] < until : readings[reading] >= from;
      if (!isChanging) {
        state.changingSince = null;
        continue;
      }
      state.changingSince ??= nowMs;
      if (nowMs - state.changingSince < (state.isOver ? CALM_MS : SUSTAINED_MS)) continue;
      state.isOver = !state.isOver;
      state.changingSince = null;
    }
  }
}
