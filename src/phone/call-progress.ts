/** Tells the integrator how a call goes, once the call has a session. */
import { type CallEvent, type CallEventType, FIRST_AFTER_LOSS, type ProgressStep } from '../domain/call-progress.ts';
import { type CallId, endEventIdOf, newId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import type { CallProgress } from '../notifications/progress/ports.ts';
import type { CallSession } from './call-session.ts';

type Facts = Pick<CallSession['facts'], 'session' | 'merchant'>;
type Details = Partial<Pick<CallEvent, 'step' | 'returnRoute' | 'outcome'>>;

export class CallProgressReport {
  readonly #progress: Pick<CallProgress, 'publishCall'>;
  readonly #callId: CallId;
  readonly #facts: Facts;
  #sequence = 0;
  #last: ProgressStep | null = null;

  constructor(progress: Pick<CallProgress, 'publishCall'>, callId: CallId, facts: Facts) {
    this.#progress = progress;
    this.#callId = callId;
    this.#facts = facts;
  }

  /** For the last events of a call whose process has died. */
  static afterLoss(progress: Pick<CallProgress, 'publishCall'>, callId: CallId, facts: Facts): CallProgressReport {
    const report = new CallProgressReport(progress, callId, facts);
    report.#sequence = FIRST_AFTER_LOSS - 1;
    return report;
  }

  /** The call is answered, and its session is known. */
  answered(): void {
    this.#publish('call.answered');
  }

  /** Ignored if it is the same as the last one. */
  step(step: ProgressStep): void {
    if (this.#last?.name === step.name && this.#last.attempt === step.attempt) return;
    this.#last = step;
    this.#publish('call.step', { step });
  }

  /** The caller is with the agent. */
  returned(returnRoute: 'refer' | 'bridge'): void {
    this.#publish('call.returned', { returnRoute });
  }

  ended({ kind, reason, chargeId }: CallOutcome): void {
    this.#publish('call.ended', { outcome: { kind, reason: reason ?? null, chargeId: chargeId ?? null } });
  }

  #publish(type: CallEventType, { step = null, returnRoute = null, outcome = null }: Details = {}): void {
    const { session, merchant } = this.#facts;
    this.#sequence += 1;
    this.#progress.publishCall({
      id: type === 'call.ended' ? endEventIdOf(this.#callId) : newId('Event'),
      type,
      at: new Date().toISOString(),
      sequence: this.#sequence,
      accountId: session.accountId,
      mode: session.mode,
      callId: this.#callId,
      sessionId: session.id,
      merchantId: merchant.id,
      platformCallId: session.platformCallId,
      step,
      returnRoute,
      outcome,
    });
  }
}
