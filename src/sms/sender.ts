/**
 * Sends queued texts. That a text is on its way is written before the carrier is asked, so a crash never makes two of
 * one: what it left in doubt is looked up at the carrier and sent only when the carrier has never seen it. Where a
 * carrier can't be asked, a text in doubt is not sent again: better none than two.
 */
import type { BaseLogger } from 'pino';
import type { Mode } from '../domain/session.ts';
import type { Sql } from '../db/pool.ts';
import { claimTexts, type DueText, optOut, recordText, type TextOutcome } from '../db/texts/texts.ts';
import type { SendAnswer, SmsCarrier, Text } from './ports.ts';

export interface TextSenderDeps {
  sql: Sql;
  carriers: Readonly<Record<Mode, SmsCarrier>>;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** For the counts: what became of a text, as far as it is known. */
  onText?: (observed: { carrier: string; status: TextOutcome['status'] }) => void;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const BATCH = 10;
/** Longer than `fetch` tries to connect (10 s): a text that was never sent is not in doubt. */
const CARRIER_LIMIT_MS = 15 * SECOND;
/** Longer than look-up and send together. */
const HOLD_MS = 60 * SECOND;
/** The carrier's own list may lag behind. */
const LOOK_UP_AFTER_MS = 30 * SECOND;
const RETRY_DELAYS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
const LATE_RETRY_MS = 60 * MINUTE;
/** A receipt of yesterday helps nobody. */
const GIVEN_UP_AFTER_MS = 24 * 60 * MINUTE;

export class TextSender {
  readonly #deps: TextSenderDeps;
  readonly #stop = new AbortController();
  #working: Promise<void> | undefined;
  #again = false;

  constructor(deps: TextSenderDeps) {
    this.#deps = deps;
  }

  /** There may be texts to send. */
  wake(): void {
    if (this.#stop.signal.aborted) return;
    this.#again = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Cuts the waits short; what is in doubt then is looked up by whoever comes next. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#again = false;
    await this.#working;
  }

  async #work(): Promise<void> {
    this.#again = false;
    try {
      for (let full = true; full && !this.#stop.signal.aborted; ) {
        const texts = await claimTexts(this.#deps.sql, BATCH, HOLD_MS);
        await Promise.all(texts.map((text) => this.#see(text)));
        full = texts.length === BATCH;
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'texts not sent, will be tried again');
    }
  }

  async #see(due: DueText): Promise<void> {
    const carrier = this.#deps.carriers[due.mode];
    const outcome = await this.#outcomeOf(carrier, due);
    if (outcome.status === 'opted_out') await optOut(this.#deps.sql, due.recipient, 'carrier');
    await recordText(this.#deps.sql, due, outcome);
    this.#deps.onText?.({ carrier: carrier.name, status: outcome.status });
    const fields = { textId: due.id, kind: due.kind, carrier: carrier.name, status: outcome.status };
    if (outcome.status === 'failed' || outcome.status === 'unknown') {
      this.#deps.log.error({ ...fields, errorCode: outcome.errorCode }, 'text given up');
    }
  }

  async #outcomeOf(carrier: SmsCarrier, due: DueText): Promise<TextOutcome> {
    const text: Text = { id: due.id, kind: due.kind, to: due.recipient, body: due.body, firstSentAt: due.firstSentAt };
    const ended = (status: TextOutcome['status'], errorCode: string | null, id: string | null = null): TextOutcome => ({
      ...{ status, errorCode, carrier: carrier.name, carrierMessageId: id, nextInMs: 0 },
    });
    if (due.inDoubt) {
      const found = await this.#ask((signal) => carrier.find(text, signal));
      if (found === null) return ended('unknown', 'no_look_up');
      if (found.status !== 'not_found') return this.#judge(due, found, ended);
    }
    if (due.optedOut) return ended('opted_out', null);
    if (due.ageMs > GIVEN_UP_AFTER_MS) return ended('failed', 'too_old');
    return this.#judge(due, await this.#ask((signal) => carrier.send(text, signal)), ended);
  }

  #judge(
    due: DueText,
    answer: SendAnswer,
    ended: (status: TextOutcome['status'], errorCode: string | null, id?: string | null) => TextOutcome,
  ): TextOutcome {
    switch (answer.status) {
      case 'accepted':
        return ended('sent', null, answer.carrierMessageId);
      case 'refused':
        return ended(answer.optedOut ? 'opted_out' : 'failed', answer.code);
      case 'not_taken': {
        const nextInMs = Math.max(RETRY_DELAYS_MS[due.attempts - 1] ?? LATE_RETRY_MS, answer.retryAfterMs ?? 0);
        this.#deps.log.warn({ textId: due.id, cause: answer.cause }, 'text not taken, will be tried again');
        return { ...ended('waiting', answer.cause), nextInMs };
      }
      case 'unknown':
        if (due.ageMs > GIVEN_UP_AFTER_MS) return ended('unknown', answer.cause);
        this.#deps.log.warn({ textId: due.id, cause: answer.cause }, 'text in doubt, will be looked up');
        return { ...ended('sending', answer.cause), nextInMs: LOOK_UP_AFTER_MS };
    }
  }

  async #ask<T>(question: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), CARRIER_LIMIT_MS);
    try {
      return await question(AbortSignal.any([limit.signal, this.#stop.signal]));
    } finally {
      clearTimeout(timer);
    }
  }
}
