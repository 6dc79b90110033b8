/** One call's row: kept in memory, written at milestones and at the end. No write ever holds a call up. */
import type { CallId } from '../domain/ids.ts';
import type { OutcomeKind } from '../domain/outcome.ts';
import { type CallSnapshot, saveCall, type TimelineStep } from '../db/calls/calls.ts';
import type { Sql } from '../db/pool.ts';
import { isTransient } from '../db/transient.ts';
import type { Log } from './deps.ts';

/** A conversation has some 60; a caller who plays with `*` may have more. */
const MAX_STEPS = 300;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** How long a finished call waits for the record to come back; after it the next start closes the row as lost. */
const GIVE_UP_MS = 15 * 60_000;

/** How an answered call ended. */
export type OnCallEnd = (outcome: OutcomeKind) => void;

export class CallRecord {
  readonly id: CallId;
  readonly #sql: Sql;
  readonly #log: Log;
  readonly #startedAt = performance.now();
  readonly #timeline: TimelineStep[] = [{ step: 'invite', atMs: 0 }];
  #facts: Omit<CallSnapshot, 'timeline'> = {
    ...{ mediaLegId: null, returnSipCallId: null, outcome: null, reason: null, chargeId: null },
    ...{ returnMode: null, answeredAt: null, endedAt: null, sipDialogs: [] },
  };
  #saving: Promise<void> | null = null;
  #changed = false;
  readonly #onEnd: OnCallEnd;

  /** @param onEnd for the counts: how the call ended */
  constructor(sql: Sql, id: CallId, sipDialogs: readonly string[], log: Log, onEnd: OnCallEnd = () => undefined) {
    this.#onEnd = onEnd;
    this.#sql = sql;
    this.id = id;
    this.#facts = { ...this.#facts, sipDialogs };
    this.#log = log;
  }

  get timeline(): readonly TimelineStep[] {
    return this.#timeline;
  }

  /** A step reached. `step` is one of ours: never anything a caller keyed. */
  note(step: string): void {
    if (this.#timeline.length >= MAX_STEPS) return;
    this.#timeline.push({ step, atMs: Math.round(performance.now() - this.#startedAt) });
  }

  set(facts: Partial<Omit<CallSnapshot, 'timeline'>>): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  /** A milestone: written in the background, once; if that fails the next one writes it too. */
  save(): void {
    this.#changed = true;
    this.#saving ??= this.#write().finally(() => {
      this.#saving = null;
    });
  }

  /** The end. Resolves when it is written, or given up. */
  async close(): Promise<void> {
    if (this.#facts.endedAt === null && this.#facts.outcome !== null) this.#onEnd(this.#facts.outcome);
    this.set({ endedAt: new Date() });
    const waitedFrom = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      this.save();
      await this.#saving;
      if (!this.#changed) return;
      if (performance.now() - waitedFrom > GIVE_UP_MS) break;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#log.error({ callId: this.id }, 'end of a call not recorded');
  }

  async #write(): Promise<void> {
    while (this.#changed) {
      this.#changed = false;
      try {
        await saveCall(this.#sql, this.id, { ...this.#facts, timeline: this.#timeline });
      } catch (error) {
        // What can't be written at all is not tried again.
        this.#changed = isTransient(error);
        this.#log.warn({ err: error, callId: this.id }, 'call not recorded');
        return;
      }
    }
  }
}
