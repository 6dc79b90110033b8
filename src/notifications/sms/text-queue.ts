/**
 * The text queue. Texts start in the process that has committed or found them, without Redis in between; those that it
 * has no room for are BullMQ jobs, for any worker. The row is marked as sending before the carrier is asked, so a
 * crash never sends a text twice. A text with an unknown outcome is looked up at the carrier, and resent only if the
 * carrier never received it. If the carrier has no lookup, such a text is not resent: no text is better than two.
 */
import pLimit from 'p-limit';
import type { BaseLogger } from 'pino';
import type { Sql } from '../../db/pool.ts';
import { claimText, type DueText, dueTexts, optOut, type TextOutcome, writeTextOutcome } from '../../db/texts/texts.ts';
import type { Mode } from '../../domain/session.ts';
import { InFlight } from '../../lib/concurrency/in-flight.ts';
import { type JobQueue, openJobQueue } from '../../lib/concurrency/job-queue.ts';
import { stopwatch, withinLimit } from '../../lib/concurrency/time-limit.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { SendAnswer, SmsCarrier, Text } from './ports.ts';
import { openBody } from './sealed-body.ts';

interface TextQueueDeps {
  sql: Sql;
  redisUrl: string;
  /** Decrypts texts; null without encryption keys. */
  vault: Vault | null;
  carriers: Readonly<Record<Mode, SmsCarrier>>;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** For metrics: the status of a text, as far as known. */
  onText?: (observed: { carrier: string; status: TextOutcome['status'] }) => void;
  /** Aborts waits. Call it before {@link TextQueue.close}. */
  stop: AbortSignal;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const CONCURRENCY = 10;
/** A carrier takes one in a second or two, and another worker may have time. */
const MOST_STARTED = 5 * CONCURRENCY;
const CLOSE_LIMIT_MS = 2 * SECOND;
const SWEEP = 100;
/** Longer than `fetch` tries to connect (10 s), so a text that was never sent is not in doubt. */
const CARRIER_LIMIT_MS = 15 * SECOND;
/** Longer than lookup and send together. */
const HOLD_MS = 60 * SECOND;
/** Not sent later than this after the claim, so that sending ends while the text is held. */
const SEND_WITHIN_MS = 40 * SECOND;
/** The carrier's own list may lag behind. */
const LOOK_UP_AFTER_MS = 30 * SECOND;
const RETRY_DELAYS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
const LATE_RETRY_MS = 60 * MINUTE;
/** A receipt from yesterday is useless. */
const GIVEN_UP_AFTER_MS = 24 * 60 * MINUTE;

export class TextQueue {
  readonly #deps: TextQueueDeps;
  readonly #jobs: JobQueue<string>;
  readonly #limited = pLimit(CONCURRENCY);
  readonly #started = new Set<string>();
  readonly #inFlight = new InFlight();

  constructor(deps: TextQueueDeps) {
    this.#deps = deps;
    const { redisUrl, log } = deps;
    this.#jobs = openJobQueue({
      name: '{ringkey-texts}',
      redisUrl,
      log,
      concurrency: CONCURRENCY,
      run: (id: string) => this.#run(id),
    });
  }

  /** Starts due texts in this process, as far as it has room for them. Never rejects. */
  async start(ids: readonly string[]): Promise<void> {
    const fresh = ids.filter((id) => !this.#started.has(id));
    const free = Math.max(0, MOST_STARTED - this.#started.size);
    for (const id of fresh.slice(0, free)) {
      this.#started.add(id);
      const work = this.#limited(() => this.#run(id)).finally(() => this.#started.delete(id));
      void this.#inFlight.track(work);
    }
    if (fresh.length > free) await this.#jobs.add(fresh.slice(free).map((id) => ({ id, data: id })));
  }

  /** Starts due texts: requested ones, retries, unknown outcomes, and those that a dead process has left. */
  async sweep(): Promise<void> {
    await this.start(await dueTexts(this.#deps.sql, SWEEP));
  }

  /** Texts with an aborted lookup or send are looked up by the next worker. */
  async close(): Promise<void> {
    await Promise.all([this.#jobs.close(), this.#inFlight.idle(CLOSE_LIMIT_MS)]);
  }

  async #run(id: string): Promise<null> {
    const sinceClaimMs = stopwatch();
    try {
      const due = this.#deps.stop.aborted ? null : await claimText(this.#deps.sql, id, HOLD_MS);
      if (due !== null) await this.#send(due, sinceClaimMs);
    } catch (error) {
      this.#deps.log.warn({ err: error, textId: id }, 'text not sent, will retry');
    }
    return null;
  }

  async #send(due: DueText, sinceClaimMs: () => number): Promise<void> {
    const { sql, log, carriers, onText } = this.#deps;
    const carrier = carriers[due.mode];
    const outcome = await this.#outcomeOf(carrier, due, sinceClaimMs);
    const { status, errorCode } = outcome;
    const isTooLate = due.tooLate !== null && errorCode === due.tooLate;
    if (status === 'opted_out') await optOut(sql, due.recipient, 'carrier');
    await writeTextOutcome(sql, due, outcome);
    onText?.({ carrier: carrier.name, status });
    if (isTooLate) log.info({ textId: due.id, kind: due.kind, errorCode }, 'text not sent: too late');
    else if (status === 'failed' || status === 'unknown') {
      log.error({ textId: due.id, kind: due.kind, carrier: carrier.name, status, errorCode }, 'text given up');
    }
  }

  async #outcomeOf(carrier: SmsCarrier, due: DueText, sinceClaimMs: () => number): Promise<TextOutcome> {
    const body = openBody(this.#deps.vault, due);
    if (body === null) return ended(carrier, 'failed', 'cannot_be_opened');
    const text: Text = { id: due.id, kind: due.kind, to: due.recipient, body, firstSentAt: due.firstSentAt };
    if (due.inDoubt) {
      const found = await this.#askCarrier((signal) => carrier.find(text, signal));
      if (found === null) return ended(carrier, 'unknown', 'no_look_up');
      if (found.status !== 'not_found') return this.#read(carrier, due, found);
    }
    if (due.optedOut) return ended(carrier, 'opted_out', null);
    if (due.ageMs > GIVEN_UP_AFTER_MS) return ended(carrier, 'failed', 'too_old');
    if (due.tooLate !== null) return ended(carrier, 'failed', due.tooLate);
    // This process was suspended, or the database was slow. Another worker may send the text soon.
    if (sinceClaimMs() > SEND_WITHIN_MS) {
      return this.#read(carrier, due, { status: 'not_taken', cause: 'too_late', retryAfterMs: null });
    }
    return this.#read(carrier, due, await this.#askCarrier((signal) => carrier.send(text, signal)));
  }

  #read(carrier: SmsCarrier, due: DueText, answer: SendAnswer): TextOutcome {
    const { log } = this.#deps;
    switch (answer.status) {
      case 'accepted':
        return { ...ended(carrier, 'sent', null), carrierMessageId: answer.carrierMessageId };
      case 'refused':
        return ended(carrier, answer.optedOut ? 'opted_out' : 'failed', answer.code);
      case 'not_taken': {
        const nextInMs = Math.max(RETRY_DELAYS_MS[due.attempts - 1] ?? LATE_RETRY_MS, answer.retryAfterMs ?? 0);
        log.warn({ textId: due.id, cause: answer.cause }, 'text not accepted by the carrier, will retry');
        return { ...ended(carrier, 'waiting', answer.cause), nextInMs };
      }
      case 'unknown':
        if (due.ageMs > GIVEN_UP_AFTER_MS) return ended(carrier, 'unknown', answer.cause);
        log.warn({ textId: due.id, cause: answer.cause }, 'outcome of a text unknown, will look it up');
        return { ...ended(carrier, 'sending', answer.cause), nextInMs: LOOK_UP_AFTER_MS };
    }
  }

  #askCarrier<T>(question: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withinLimit(CARRIER_LIMIT_MS, question, this.#deps.stop);
  }
}

function ended({ name }: SmsCarrier, status: TextOutcome['status'], errorCode: string | null): TextOutcome {
  return { status, errorCode, carrier: name, carrierMessageId: null, nextInMs: 0 };
}
