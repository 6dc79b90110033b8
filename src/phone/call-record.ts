/**
 * The record of one call: kept in memory, written to its row at milestones and at the end. No call waits for a write.
 */
import { type CallSnapshot, type NewCall, type TimelineStep, updateCall } from '../db/calls/calls.ts';
import { isTransient } from '../db/error-kinds.ts';
import type { Sql } from '../db/pool.ts';
import type { CallStage } from '../domain/call.ts';
import type { CallId } from '../domain/ids.ts';
import type { OutcomeKind } from '../domain/outcome.ts';
import type { Line } from '../flow/lines.ts';
import { withRetries } from '../lib/concurrency/retries.ts';
import type { Transcript } from '../speech/transcript.ts';
import type { Log } from './deps.ts';

/** A conversation has about 60 steps. A caller who keeps pressing `*` may cause more. */
const MAX_STEPS = 300;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** How long a finished call waits for the database to return. After that the next start closes the row as lost. */
const GIVE_UP_MS = 15 * 60_000;

/** For metrics: how an answered call ended. */
export type OnCallEnd = (outcome: OutcomeKind) => void;

type CallNames = Pick<NewCall, 'id' | 'sessionId' | 'merchantId' | 'sipCallId'>;

/** How the caller's leg ended, for the timeline. */
export const LEG_ENDS = {
  them: 'caller hung up',
  engine_lost: 'SIP server lost',
  session_expired: 'session timer expired',
} as const;

const isAboutPart = (line: Line) => line.name === 'already_paid' && line.remainingCents !== undefined;

/** Name and variant of a line, for the timeline. Without brand and last four digits. */
export function lineNote(line: Line): string {
  if (line.name !== 'ask') return `say ${line.name}${isAboutPart(line) ? ' part' : ''}`;
  return `say ask ${line.field} ${line.attempt}${line.error === null ? '' : ` ${line.error}`}`;
}

/** @param steps stages that the caller reached, see domain/call.ts */
export function callEndFields(
  {
    id: callId,
    sessionId,
    merchantId = null,
    sipCallId,
  }: Omit<CallNames, 'merchantId'> & { merchantId?: string | null },
  ended: Pick<CallSnapshot, 'outcome' | 'reason' | 'chargeId' | 'returnMode' | 'returnSipCallId'> & {
    seconds: number;
    steps: readonly string[];
    /** A user of the account requested the end; the audit trail has the name. */
    endRequested?: true;
  },
): object {
  return { callId, sessionId, merchantId, sipCallId, ...ended };
}

export class CallRecord {
  readonly id: CallId;
  /** The lease of this process. Another one in the row means that another process has taken over the call. */
  readonly leaseId: number;
  readonly #sql: Sql;
  readonly #log: Log;
  readonly #startedAt = performance.now();
  readonly #timeline: TimelineStep[] = [{ step: 'invite', atMs: 0 }];
  /** The latest one in the timeline. */
  #sentence: TimelineStep | null = null;
  #facts: Omit<CallSnapshot, 'timeline'> = {
    mediaLegId: null,
    returnSipCallId: null,
    outcome: null,
    reason: null,
    chargeId: null,
    stage: 'greeting',
    returnMode: null,
    answeredAt: null,
    endedAt: null,
    sipDialogs: [],
    localContact: null,
    dialogFacts: [],
    textsLink: false,
    keyKind: null,
    codec: null,
    packetsReceived: null,
    packetsLost: null,
    jitterMs: null,
  };
  #writing: Promise<void> | null = null;
  #changed = false;
  #isEndRequested = false;
  #isClosed = false;
  /** Called when the caller has returned to the agent. */
  onReturn: (route: 'refer' | 'bridge') => void = () => undefined;
  readonly #onEnd: OnCallEnd;
  #names: CallNames;
  /** In the order in which the caller reached them. */
  readonly #stages = new Set<CallStage>();

  constructor(
    sql: Sql,
    call: CallNames & Pick<NewCall, 'leaseId' | 'sipDialogs'>,
    log: Log,
    onEnd: OnCallEnd = () => undefined,
  ) {
    this.#onEnd = onEnd;
    this.#sql = sql;
    this.id = call.id;
    this.leaseId = call.leaseId;
    this.#facts = { ...this.#facts, sipDialogs: call.sipDialogs };
    this.#log = log;
    const { id, sessionId, merchantId, sipCallId } = call;
    this.#names = { id, sessionId, ...(merchantId !== undefined && { merchantId }), sipCallId };
  }

  /** The caller has chosen the payment. */
  nameSession({ sessionId, merchantId }: Pick<CallNames, 'sessionId' | 'merchantId'>): void {
    this.#names = { ...this.#names, sessionId, ...(merchantId !== undefined && { merchantId }) };
  }

  get timeline(): readonly TimelineStep[] {
    return this.#timeline;
  }

  /** Adds a step to the timeline: a static text, never anything that the caller keyed. */
  note(step: string): void {
    if (this.#timeline.length >= MAX_STEPS) return;
    this.#timeline.push({ step, atMs: this.#nowMs });
  }

  /** Adds a sentence. It ends with {@link noteSentenceEnd} or the next sentence. */
  noteSentence(step: string, { text, language }: Transcript): void {
    this.noteSentenceEnd();
    if (this.#timeline.length >= MAX_STEPS) return;
    this.#sentence = { step, atMs: this.#nowMs, said: { text, language, untilMs: null } };
    this.#timeline.push(this.#sentence);
  }

  /** The sentence has ended or was interrupted. Ignored if none is said. */
  noteSentenceEnd(): void {
    const said = this.#sentence?.said;
    if (said !== undefined) said.untilMs ??= this.#nowMs;
  }

  /** The caller has pressed the first key of an answer to the latest sentence. */
  noteAnswerStart(): void {
    if (this.#sentence !== null) this.#sentence.answerMs ??= this.#nowMs;
  }

  /** The latest sentence asks again for a card number, because the caller had keyed only this many digits. */
  noteWrongDigits(wrongDigits: number): void {
    if (this.#sentence !== null) this.#sentence.wrongDigits = wrongDigits;
  }

  get #nowMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  get isEndRequested(): boolean {
    return this.#isEndRequested;
  }

  /** A user of the account ends the call. */
  noteEndRequest(): void {
    this.#isEndRequested = true;
    this.note('end requested');
    this.save();
  }

  set(facts: Partial<Omit<CallSnapshot, 'timeline'>>): void {
    const { returnMode } = this.#facts;
    this.#facts = { ...this.#facts, ...facts };
    if (returnMode === null && facts.returnMode != null) this.onReturn(facts.returnMode);
    if (facts.answeredAt != null) this.#stages.add('greeting');
    if (facts.stage !== undefined) this.#stages.add(facts.stage);
  }

  /** Writes a milestone in the background. If that fails, the next one writes it, too. */
  save(): void {
    void this.saved();
  }

  /** The same, but resolves when the write has succeeded or failed. Never rejects. */
  async saved(): Promise<void> {
    await this.#write().catch((error: unknown) => this.#warn(error));
  }

  /** The caller has left, and this call is not over yet. Meanwhile the session can be called again. */
  free(outcome: OutcomeKind): void {
    this.set({ outcome, endedAt: new Date() });
    this.save();
  }

  /** Writes the end. Resolves when it is written, or given up. @param how see {@link CallSnapshot} */
  async close({ textsLink }: Pick<CallSnapshot, 'textsLink'> = { textsLink: false }): Promise<void> {
    if (!this.#isClosed && this.#facts.outcome !== null) this.#onEnd(this.#facts.outcome);
    if (!this.#isClosed) this.#logEnd();
    this.#isClosed = true;
    this.set({ endedAt: new Date(), stage: 'ended', textsLink });
    try {
      const pauses = { firstPauseMs: FIRST_PAUSE_MS, longestPauseMs: LONGEST_PAUSE_MS };
      const onFailure = (error: unknown) => this.#warn(error);
      await withRetries(GIVE_UP_MS, isTransient, () => this.#write(), { ...pauses, onFailure });
    } catch {
      this.#log.error({ callId: this.id }, 'end of a call not recorded');
    }
  }

  /** One line per call, which connects the carrier's trace with the webhook. */
  #logEnd(): void {
    const { outcome, reason, chargeId, returnMode, returnSipCallId } = this.#facts;
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    const ended = { outcome, reason, chargeId, returnMode, seconds, steps: [...this.#stages] };
    const endRequest = this.#isEndRequested ? ({ endRequested: true } as const) : {};
    this.#log.info(callEndFields(this.#names, { ...ended, ...endRequest, returnSipCallId }), 'call ended');
  }

  #warn(error: unknown): void {
    this.#log.warn({ err: error, callId: this.id }, 'call not recorded');
  }

  /** Writes the current state of the call. One write at a time: changes during a write are written after it. */
  #write(): Promise<void> {
    this.#changed = true;
    this.#writing ??= this.#writeChanges().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async #writeChanges(): Promise<void> {
    while (this.#changed) {
      this.#changed = false;
      await updateCall(this.#sql, { id: this.id, leaseId: this.leaseId }, { ...this.#facts, timeline: this.#timeline });
    }
  }
}
