/** The spans of a phone call: of the whole call, of its answer, and of each stage of its conversation. */
import type { CallStage } from '../domain/call.ts';
import { type OpenSpan, openSpan, outsideSpans, type SpanAttributes } from '../lib/observability/trace.ts';

export class CallTrace {
  readonly #call: OpenSpan;
  readonly #answer: OpenSpan;
  #step: OpenSpan | null = null;
  #isOver = false;

  /** The INVITE has arrived. */
  constructor() {
    this.#call = outsideSpans(() => openSpan('call', {}, { kind: 'server' }));
    this.#answer = this.#call.run(() => openSpan('answer', {}));
  }

  /** Runs work of the call as part of its current stage. Needed wherever a SIP message, a key or a timer comes first. */
  run<T>(work: () => T): T {
    return (this.#step ?? this.#call).run(work);
  }

  /** Runs the work up to the ACK. */
  async answer<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#answer.run(work);
    } finally {
      this.#answer.end();
    }
  }

  set(attributes: SpanAttributes): void {
    this.#call.set(attributes);
  }

  /** The conversation has reached this stage. */
  enter(stage: CallStage): void {
    this.#step?.end();
    this.#step = stage === 'ended' || this.#isOver ? null : this.#call.run(() => openSpan(`step ${stage}`, { stage }));
  }

  /** Idempotent. */
  end(attributes: SpanAttributes): void {
    this.#isOver = true;
    this.#call.set(attributes);
    this.#step?.end();
    this.#call.end();
  }
}
