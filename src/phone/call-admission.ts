/**
 * Call admission: finds the session of an INVITE, inserts the call's row, sets up media and answers; or refuses with a SIP
 * status: 403, 404, 410 (no payable session, see session-lookup.ts), 486 (the session has a live call), 488 (no common codec),
 * 503 (full, draining, or a part is down).
 */
import { newId } from '../domain/ids.ts';
import type { OutcomeKind } from '../domain/outcome.ts';
import { vocabularyOf } from '../speech/vocabulary.ts';
import { insertCall } from '../db/calls/calls.ts';
import type { SessionForCall } from '../db/sessions/sessions.ts';
import { waitAtMost } from '../concurrency/time-limit.ts';
import { InFlight } from '../concurrency/in-flight.ts';
import { LiveCall } from './call.ts';
import { CallRecord } from './call-record.ts';
import { limitsOf, type PhoneDeps } from './deps.ts';
import { endLostCalls } from './lost-calls.ts';
import { CallerGone, type CallLeg, type IncomingCall, type MediaLeg, NoMedia } from './ports.ts';
import { addressMatcher } from '../domain/address-range.ts';
import { lookUpSession } from './session-lookup.ts';

/** The call is refused with this SIP status. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, cause?: unknown) {
    super('the call is refused', { cause });
    this.name = 'Refusal';
    this.status = status;
  }
}

/** Seconds after which a caller that got 503 may try again. */
const RETRY_AFTER_SECONDS = '5';

export class CallAdmission {
  readonly #deps: PhoneDeps;
  readonly #trusted: (address: string) => boolean;
  readonly #live = new Set<LiveCall>();
  /** What must end before the database is closed: calls, and rows still being written. */
  readonly #unfinished = new InFlight();
  /** Counts a call from its INVITE to the end of its legs. */
  #calls = 0;
  #draining = false;

  constructor(deps: PhoneDeps) {
    this.#deps = deps;
    this.#trusted = addressMatcher(deps.settings.trunks);
    deps.edge.onCall((call) => this.#unfinished.track(this.#receive(call)));
  }

  /** Calls that are up or arriving. */
  get calls(): number {
    return this.#calls;
  }

  /** Refuses new calls with 503 from now on. */
  stopTaking(): void {
    this.#draining = true;
  }

  /** Asks all calls to say their last sentence and return to the agent. May be called again. */
  wrapUp(): void {
    for (const call of this.#live) call.wrapUp();
  }

  /** Ends all calls now. */
  closeAll(): void {
    for (const call of this.#live) void call.close();
  }

  /** Resolves when no call is up and every row is written. */
  idle(): Promise<void> {
    return this.#unfinished.ended();
  }

  async #receive(call: IncomingCall): Promise<void> {
    this.#calls += 1;
    try {
      const live = await this.#admit(call);
      if (live === null) return;
      this.#live.add(live);
      void this.#unfinished.track(live.done);
      live.start();
      await live.over;
      this.#live.delete(live);
    } catch (error) {
      this.#refuse(call, error);
    } finally {
      this.#calls -= 1;
    }
  }

  #refuse(call: IncomingCall, error: unknown): void {
    const status = error instanceof Refusal ? error.status : 503;
    const { log } = this.#deps;
    const fields = { sipCallId: call.sipCallId, source: call.sourceAddress, status };
    if (!(error instanceof Refusal) || error.cause !== undefined)
      log.error({ ...fields, err: error }, 'call not taken');
    else log.info(fields, 'call refused');
    this.#deps.onRefusal?.(status);
    call.reject(status, status === 503 ? { 'Retry-After': RETRY_AFTER_SECONDS } : {});
  }

  /** Answers the call. @returns null when the caller went away meanwhile. @throws Refusal */
  async #admit(call: IncomingCall): Promise<LiveCall | null> {
    const { pool, settings, speech } = this.#deps;
    if (this.#draining || this.#calls > settings.maxCalls || !pool.connected) throw new Refusal(503);
    const facts = await this.#findSession(call);
    if (call.canceled.aborted) return null;
    const vocabulary = vocabularyOf(facts.session, facts.merchant);
    // Started together, the slowest first. When one fails, what the other has made is undone.
    const creating = this.#createMedia(call);
    const greeting = speech.files({ name: 'greeting' }, vocabulary);
    const [row, media] = await Promise.allSettled([this.#insertRow(call, facts), creating]);
    if (row.status === 'rejected' || media.status === 'rejected') {
      // The row first: a caller's side that tries again at once must not meet its own call as busy.
      if (row.status === 'fulfilled') await this.#finish(row.value, 'no media', 'failed');
      if (media.status === 'fulfilled') await media.value.destroy();
      throw row.status === 'rejected' ? row.reason : (media as PromiseRejectedResult).reason;
    }
    const leg = await this.#answer(call, row.value, media.value);
    if (leg === null) return null;
    const { allowsRefer, callingNumber } = call;
    const answered = { facts, leg, media: media.value, record: row.value, allowsRefer, callingNumber, greeting };
    return new LiveCall(this.#deps, answered);
  }

  async #findSession(call: IncomingCall): Promise<SessionForCall> {
    const lookup = lookUpSession(this.#deps.sql, this.#trusted, call);
    const result = await waitAtMost(limitsOf(this.#deps).lookUpMs, lookup);
    if (result === null) throw new Refusal(503, new Error('the database does not answer'));
    if ('status' in result) throw new Refusal(result.status);
    return result.found;
  }

  /** Inserts the call's row. @throws Refusal 486 when the session has a live call of a living process */
  async #insertRow(call: IncomingCall, { session }: SessionForCall): Promise<CallRecord> {
    const { sql, lease, log } = this.#deps;
    const { id: sessionId, accountId, mode } = session;
    const { sipCallId, dialogId, sourceAddress } = call;
    const id = newId('Call');
    const sipDialogs = [dialogId];
    const names = { instance: lease.instance, leaseId: lease.id, sipCallId, sipDialogs, sourceAddress };
    const record = new CallRecord(sql, id, sipDialogs, log, this.#deps.onCall);
    const insert = () => insertCall(sql, { id, accountId, mode, sessionId, ...names });
    const insertAfterLostCall = async () => (await endLostCalls(this.#deps, sessionId)) > 0 && insert();
    const inserting = insert().then((inserted) => inserted || insertAfterLostCall());
    try {
      const inserted = await waitAtMost(limitsOf(this.#deps).lookUpMs, inserting);
      if (inserted === true) return record;
      if (inserted === false) throw new Refusal(486);
      throw new Error('the database does not answer');
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // A row that was inserted after all, or will be yet, would keep its session busy.
      const finish = () => this.#finish(record, 'database away', 'failed');
      void inserting.then(finish, finish);
      throw new Refusal(503, error);
    }
  }

  async #createMedia(call: IncomingCall): Promise<MediaLeg> {
    try {
      return await (call.offerSdp === null ? this.#deps.pool.makeOffer() : this.#deps.pool.answerOffer(call.offerSdp));
    } catch (error) {
      if (!(error instanceof NoMedia)) throw error;
      throw new Refusal(error.reason === 'no_common_codec' ? 488 : 503);
    }
  }

  /** Sends the 200 OK and waits for the ACK. @returns null when the caller is gone */
  async #answer(call: IncomingCall, record: CallRecord, media: MediaLeg): Promise<CallLeg | null> {
    record.set({ mediaLegId: media.id });
    try {
      const leg = await call.answer(media.localSdp);
      if (call.offerSdp === null) await this.#completeOffer(leg, media);
      record.note('answered');
      record.set({ answeredAt: new Date() });
      record.save();
      return leg;
    } catch (error) {
      await media.destroy();
      void this.#finish(record, 'caller gone', 'canceled');
      if (error instanceof CallerGone) return null;
      throw error;
    }
  }

  /** An INVITE without an offer: the ACK brings the answer to ours (RFC 3261, 13.2.1). */
  async #completeOffer(leg: CallLeg, media: MediaLeg): Promise<void> {
    try {
      await media.negotiate(leg.remoteSdp);
    } catch {
      // After the ACK the only way to refuse an unusable answer is to hang up.
      await leg.hangUp();
      throw new CallerGone();
    }
  }

  /** Records the end of a call that had no conversation. Resolves when it is written, or takes too long. */
  async #finish(record: CallRecord, step: string, outcome: OutcomeKind): Promise<void> {
    record.note(step);
    record.set({ outcome });
    const written = this.#unfinished.track(record.close());
    await waitAtMost(limitsOf(this.#deps).lookUpMs, written);
  }
}
