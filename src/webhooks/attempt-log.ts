/** Attempts of one lane that are not in the record yet. */
import type { AttemptRecord, DueDelivery, Lane, LaneClaim } from '../db/webhooks/webhook-lanes.ts';
import type { AttemptReport } from './attempt.ts';
import type { LaneRecord } from './lane-record.ts';
import type { Verdict } from './attempt-result.ts';

export class AttemptLog {
  /** In a row. */
  failures: number;
  readonly #record: LaneRecord;
  readonly #claim: LaneClaim;
  #attempts: AttemptRecord[] = [];

  constructor(record: LaneRecord, claim: LaneClaim, failures: number) {
    this.#record = record;
    this.#claim = claim;
    this.failures = failures;
  }

  add({ eventId, relayedAt }: DueDelivery, { result, latencyMs, answer }: AttemptReport, verdict: Verdict): void {
    this.failures = verdict.status === 'delivered' ? 0 : this.failures + 1;
    this.#attempts.push({
      ...{ eventId, relayedAt, status: verdict.status, latencyMs, answer },
      nextInMs: verdict.status === 'waiting' ? verdict.nextInMs : null,
      statusCode: result.type === 'answered' ? result.status : null,
      failure: verdict.status === 'delivered' ? null : verdict.failure,
    });
  }

  /** It has waited behind a circuit until nobody needs it any more. */
  giveUp({ eventId, relayedAt }: DueDelivery): Verdict {
    const nothing = { latencyMs: 0, answer: null, nextInMs: null, statusCode: null };
    this.#attempts.push({ ...nothing, eventId, relayedAt, status: 'failed', failure: 'too_old' });
    return { status: 'failed', failure: 'connection', gone: false, pauseMs: 0 };
  }

  /**
   * Into the record with them, and the lease is renewed.
   * @param goesOn whether the lane is told what is due next
   * @returns null when the lane is another's by now
   */
  flush(pauseMs: number, goesOn: boolean): Promise<Lane | null> {
    const attempts = this.#attempts;
    this.#attempts = [];
    const circuit = { failures: this.failures, pauseMs };
    return this.#record.report({ ...this.#claim, attempts, circuit, goesOn });
  }
}
