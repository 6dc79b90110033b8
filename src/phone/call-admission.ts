/** Answers the phone: who calls, may they come in, and in they come; or the SIP status that decisions.md has for it. */
import { newId } from '../domain/ids.ts';
import type { OutcomeKind } from '../domain/outcome.ts';
import { vocabularyOf } from '../speech/vocabulary.ts';
import { openCall } from '../db/calls/calls.ts';
import type { SessionForCall } from '../db/sessions/sessions.ts';
import { waitAtMost } from '../concurrency/time-limit.ts';
import { InFlight } from '../concurrency/in-flight.ts';
import { LiveCall } from './call.ts';
import { CallRecord } from './call-record.ts';
import { limitsOf, type PhoneDeps } from './deps.ts';
import { endLostCalls } from './lost-calls.ts';
import { CallerGone, type CallLeg, type IncomingCall, type MediaLeg, NoMedia } from './ports.ts';
import { addressMatcher } from '../domain/address-range.ts';
import { type Who, whoCalls } from './session-lookup.ts';

/** Why a call is not taken: the status the caller's side gets. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, cause?: unknown) {
    super('the call is not taken', { cause });
    this.name = 'Refusal';
    this.status = status;
  }
}

/** Seconds after which a full, draining or crippled line may be tried again. */
const RETRY_AFTER_SECONDS = '5';

export class Reception {
  readonly #deps: PhoneDeps;
  readonly #trusted: (address: string) => boolean;
  readonly #live = new Set<LiveCall>();
  /** Work that has to be done before the record may be closed: calls, and rows still to be written. */
  readonly #unfinished = new InFlight();
  /** From the INVITE to the end of its legs. */
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

  /** From now on new calls get 503. */
  stopTaking(): void {
    this.#draining = true;
  }

  /** Asks the calls to come to their end politely. May be said again. */
  wrapUp(): void {
    for (const call of this.#live) call.wrapUp();
  }

  /** Ends what is still up. */
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
      live.begin();
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

  /** The call, answered; null when the caller went away meanwhile. @throws Refusal */
  async #admit(call: IncomingCall): Promise<LiveCall | null> {
    const { pool, settings, speech } = this.#deps;
    if (this.#draining || this.#calls > settings.maxCalls || !pool.connected) throw new Refusal(503);
    const facts = await this.#lookUp(call);
    if (call.canceled.aborted) return null;
    const vocabulary = vocabularyOf(facts.session, facts.merchant);
    // Side by side, the longest first; what one has made is given back when the other fails.
    const opening = this.#openMedia(call);
    const greeting = speech.files({ name: 'greeting' }, vocabulary);
    const [row, media] = await Promise.allSettled([this.#openRow(call, facts), opening]);
    if (row.status === 'rejected' || media.status === 'rejected') {
      // First the row: a caller's side that tries again at once must not find its own call in the way.
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

  async #lookUp(call: IncomingCall): Promise<SessionForCall> {
    const asked = whoCalls(this.#deps.sql, this.#trusted, call);
    const who: Who | null = await waitAtMost(limitsOf(this.#deps).lookUpMs, asked);
    if (who === null) throw new Refusal(503, new Error('the record does not answer'));
    if ('status' in who) throw new Refusal(who.status);
    return who.found;
  }

  /** The call's row, which also holds its session's line. @throws Refusal 486 when another call is up */
  async #openRow(call: IncomingCall, { session }: SessionForCall): Promise<CallRecord> {
    const { sql, life, log } = this.#deps;
    const { id: sessionId, accountId, mode } = session;
    const { sipCallId, dialogId, sourceAddress } = call;
    const id = newId('Call');
    const sipDialogs = [dialogId];
    const names = { instance: life.instance, lifeId: life.id, sipCallId, sipDialogs, sourceAddress };
    const record = new CallRecord(sql, id, sipDialogs, log, this.#deps.onCall);
    const open = () => openCall(sql, { id, accountId, mode, sessionId, ...names });
    const work = async () => (await open()) || ((await endLostCalls(this.#deps, sessionId)) > 0 && (await open()));
    const opening = work();
    try {
      const opened = await waitAtMost(limitsOf(this.#deps).lookUpMs, opening);
      if (opened === true) return record;
      if (opened === false) throw new Refusal(486);
      throw new Error('the record does not answer');
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.#closeLate(record, opening);
      throw new Refusal(503, error);
    }
  }

  /** A row that may have been written all the same, or may yet be, would keep its session busy. */
  #closeLate(record: CallRecord, opening: Promise<boolean>): void {
    const settled = opening.catch(() => false);
    void settled.then(() => this.#finish(record, 'record away', 'failed'));
  }

  async #openMedia(call: IncomingCall): Promise<MediaLeg> {
    try {
      return await (call.offerSdp === null ? this.#deps.pool.makeOffer() : this.#deps.pool.answerOffer(call.offerSdp));
    } catch (error) {
      if (!(error instanceof NoMedia)) throw error;
      throw new Refusal(error.reason === 'no_common_codec' ? 488 : 503);
    }
  }

  /** 200 OK to ACK. Null when the caller is gone. */
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
      // An answer that can't be used: there is no way left to say so but to hang up.
      await leg.hangUp();
      throw new CallerGone();
    }
  }

  /** The end of a call that never came to a conversation. Resolves when it is written, or takes too long. */
  async #finish(record: CallRecord, step: string, outcome: OutcomeKind): Promise<void> {
    record.note(step);
    record.set({ outcome });
    const written = this.#unfinished.track(record.close());
    await waitAtMost(limitsOf(this.#deps).lookUpMs, written);
  }
}
