/**
 * Call admission: finds the session of an INVITE, inserts the call's row, sets up media and answers, or refuses with a
 * SIP status: 403, 404, 410 (no payable session, see session-lookup.ts), 403 (the session had ten calls), 486 (the
 * session has a live call), 488 (no common codec, or audio to a host name), 503 (this process or the account is full,
 * or the process is overloaded, draining, or without a connection it needs).
 */

import { type CallInsertion, insertCall, type NewCall } from '../db/calls/calls.ts';
import { assignNumber, type SessionForCall } from '../db/sessions/sessions.ts';
import { addressMatcher } from '../domain/address-range.ts';
import { type CallId, newId } from '../domain/ids.ts';
import type { OutcomeKind } from '../domain/outcome.ts';
import { type NumberOwner, ownerOf } from '../domain/transfer-number.ts';
import { InFlight } from '../lib/concurrency/in-flight.ts';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import { type AnsweredCall, LiveCall } from './call.ts';
import { completeOffer, createCallMedia } from './call-media.ts';
import { CallRecord } from './call-record.ts';
import { callSessionOf, payingCallOf } from './call-session.ts';
import { CallTrace } from './call-trace.ts';
import { codeListeningFor } from './code-entry.ts';
import { limitsOf, type PhoneDeps } from './deps.ts';
import { InviteAttestations } from './invite-attestation.ts';
import { KeyBuffer } from './key-buffer.ts';
import { endLostCalls } from './lost-calls.ts';
import { MerchantChoice } from './merchant-choice.ts';
import { CallerGone, type CallLeg, type IncomingCall, type MediaLeg } from './ports.ts';
import { Refusal } from './refusal.ts';
import {
  e164,
  isByToken,
  lookUpSession,
  type NumberRules,
  type SessionLookup,
  type WaitingSessions,
} from './session-lookup.ts';
import { type NamedCall, UnknownCallers } from './unknown-caller.ts';

export class CallAdmission {
  readonly #deps: PhoneDeps;
  readonly #numberRules: NumberRules;
  readonly #live = new Set<LiveCall>();
  readonly #attestations: InviteAttestations;
  readonly #unknownCallers: UnknownCallers;
  /** Work that must end before the database is closed: calls, and rows still being written. */
  readonly #unfinished = new InFlight();
  /** Counts a call from its INVITE to the end of its legs. */
  #calls = 0;
  #draining = false;

  constructor(deps: PhoneDeps) {
    this.#deps = deps;
    const { trunks, transferNumbers, trunkCountry } = deps.settings;
    this.#numberRules = { isTrunk: addressMatcher(trunks), transferNumbers, trunkCountry };
    this.#attestations = new InviteAttestations(deps, (work) => void this.#unfinished.track(work));
    this.#unknownCallers = new UnknownCallers(deps);
    deps.edge.onCall((call) => this.#unfinished.track(this.#receive(call)));
    deps.pool.onChange(() => this.#register());
    deps.lease.onChange(() => this.#register());
    this.#register();
  }

  /** Live and arriving calls. */
  get calls(): number {
    return this.#calls;
  }

  /** From now on refuses new calls with 503, if the SIP server still sends any. */
  stopTaking(): void {
    this.#draining = true;
    this.#register();
  }

  /** Makes all calls say their last sentence and return to the agent. May be called again. */
  wrapUp(): void {
    for (const call of this.#live) call.wrapUp();
  }

  /** Makes these calls say their last sentence and return to the agent, if they are live. May be called again. */
  endCalls(ids: readonly CallId[]): void {
    for (const call of this.#live) if (ids.includes(call.id)) call.requestEnd();
  }

  /** Ends all calls now. */
  closeAll(): void {
    for (const call of this.#live) void call.close();
    this.#unknownCallers.closeAll();
  }

  /** Resolves when no call is live and every row is written. */
  idle(): Promise<void> {
    return this.#unfinished.ended();
  }

  /**
   * Unregisters from the SIP server while this process can take no calls, so that another process takes them. If there
   * is none, this process answers 503 with a Retry-After.
   */
  #register(): void {
    const { edge, pool, lease, settings } = this.#deps;
    const isFull = this.#calls >= settings.maxCalls;
    edge.takeCalls(!this.#draining && !isFull && pool.connected && lease.held, lease.alone);
  }

  #count(change: 1 | -1): void {
    this.#calls += change;
    this.#register();
  }

  async #receive(call: IncomingCall): Promise<void> {
    this.#count(1);
    const trace = new CallTrace();
    try {
      const live = await trace.answer(() => this.#admit(call, trace));
      if (live === null) return trace.end({ outcome: 'canceled' });
      this.#live.add(live);
      void this.#unfinished.track(live.done);
      trace.run(() => live.start());
      await live.over;
      this.#live.delete(live);
    } catch (error) {
      trace.run(() => this.#refuse(call, error, trace));
    } finally {
      this.#count(-1);
    }
  }

  #refuse(call: IncomingCall, error: unknown, trace: CallTrace): void {
    const { status, reason, headers, overload } = error instanceof Refusal ? error : new Refusal(503, { cause: error });
    const { log } = this.#deps;
    const fields = {
      sipCallId: call.sipCallId,
      source: call.sourceAddress,
      status,
      ...(reason !== null && { reason }),
      ...(overload !== null && { overload }),
    };
    if (!(error instanceof Refusal) || error.cause !== undefined)
      log.error({ ...fields, err: error }, 'call could not be accepted');
    else log.info(fields, 'call refused');
    this.#deps.onRefusal?.(status, overload);
    trace.end({ outcome: 'refused', reason, sipStatus: status });
    call.reject(status, headers);
  }

  /** Answers the call. @returns null if the caller left meanwhile. @throws Refusal */
  async #admit(call: IncomingCall, trace: CallTrace): Promise<LiveCall | null> {
    const { pool, settings, lease } = this.#deps;
    const isReady = pool.connected && lease.held;
    if (this.#draining || this.#calls > settings.maxCalls || !isReady) throw new Refusal(503);
    // Before any other work: a late refusal costs the live calls.
    const overload = this.#deps.load?.refuses(this.#calls) ?? null;
    if (overload !== null) throw new Refusal(503, { overload });
    const found = await this.#findSession(call);
    if (call.canceled.aborted) return null;
    if ('dialed' in found) return this.#admitUnknown(call, found, trace);
    const keys = new KeyBuffer(call.offerSdp);
    const live = await this.#connect(call, found, keys, trace).catch((error: unknown) => {
      keys.close();
      throw error;
    });
    if (live === null) keys.close();
    return live;
  }

  /** @returns null if the caller left meanwhile. @throws Refusal */
  async #connect(
    call: IncomingCall,
    found: SessionForCall | WaitingSessions,
    keys: KeyBuffer,
    trace: CallTrace,
  ): Promise<LiveCall | null> {
    // Both start together, the slower one first. If one fails, the other one is undone.
    const creating = createCallMedia(this.#deps.pool, call, keys.sink);
    const subject = this.#subjectOf(found, call);
    const [row, media] = await Promise.allSettled([this.#insertRow(call, subject), creating]);
    if (row.status === 'rejected' || media.status === 'rejected') {
      // The row first: a caller's side that retries at once must not find its own call busy.
      if (row.status === 'fulfilled') await this.#finish(row.value, 'no media', 'failed');
      if (media.status === 'fulfilled') await media.value.destroy();
      throw row.status === 'rejected' ? row.reason : (media as PromiseRejectedResult).reason;
    }
    trace.set({ callId: row.value.id, ...ownerOfCall(subject) });
    const leg = await this.#answer(call, row.value, media.value, keys);
    if (leg === null) return null;
    const payingCall = payingCallOf(call, this.#deps.settings);
    const { allowsRefer } = call;
    const answered = {
      subject,
      leg,
      media: media.value,
      keys,
      record: row.value,
      allowsRefer,
      payingCall,
      trace,
      isByNumber: !isByToken(call),
    };
    return new LiveCall(this.#deps, answered);
  }

  #subjectOf(found: SessionForCall | WaitingSessions, call: IncomingCall): AnsweredCall['subject'] {
    const [deps, rules] = [this.#deps, this.#numberRules];
    if ('session' in found) return { session: callSessionOf(deps, rules, found, call) };
    const take = (facts: SessionForCall) =>
      callSessionOf(deps, rules, this.#attestations.screenCall(call, { found: facts, by: 'number' }), call);
    return { choice: new MerchantChoice(deps, found, take) };
  }

  /**
   * @returns several sessions if the caller has to choose; an unknown call if the caller has no waiting session
   * @throws Refusal
   */
  async #findSession(call: IncomingCall): Promise<SessionForCall | WaitingSessions | UnknownCall> {
    const lookup = lookUpSession(this.#deps.sql, this.#numberRules, call);
    const result = await waitAtMost(limitsOf(this.#deps).lookUpMs, lookup);
    if (result === null) throw new Refusal(503, { cause: new Error('the database does not answer') });
    if ('status' in result) return withoutSession(result);
    if ('choice' in result) return result.choice;
    return this.#withAssignedNumber(this.#attestations.screenCall(call, result), call);
  }

  /**
   * A call to the number whose caller has no waiting session: listens for a transfer code, says that no payment is
   * waiting, or refuses the call.
   * @returns null if no session was named. @throws Refusal
   */
  async #admitUnknown(call: IncomingCall, unknown: UnknownCall, trace: CallTrace): Promise<LiveCall | null> {
    const { dialed, refusal } = unknown;
    const listening = await codeListeningFor(this.#deps, call, dialed);
    if (listening === null && this.#deps.settings.numberUnknown === 'reject')
      throw new Refusal(refusal.status, refusal);
    if (!this.#unknownCallers.hasRoom(listening !== null))
      throw new Refusal(listening === null ? 404 : 503, { reason: 'too_many_unknown_callers' });
    const createMedia = () => createCallMedia(this.#deps.pool, call, listening?.keys.sink ?? null);
    try {
      const named = await this.#unknownCallers.answer(call, dialed, listening, createMedia);
      const live = named === null ? null : await this.#connectNamed(call, named, listening?.keys ?? null, trace);
      if (live === null) listening?.keys.close();
      return live;
    } catch (error) {
      listening?.keys.close();
      throw error;
    }
  }

  /** The call was answered before its session was known. @returns null if the session cannot have this call */
  async #connectNamed(
    call: IncomingCall,
    { found, leg, media, refuse }: NamedCall,
    keys: KeyBuffer | null,
    trace: CallTrace,
  ): Promise<LiveCall | null> {
    if (keys === null) return null;
    const { allowsRefer } = call;
    // A platform transferred the caller, as with a token: the trunk's number is the platform's, not the caller's.
    const facts = this.#attestations.screenCall(call, { found, by: 'token' });
    const { callerPhone } = facts.session;
    const session = { ...callSessionOf(this.#deps, this.#numberRules, facts, call), callingNumber: callerPhone };
    const payingCall = { ...payingCallOf(call, this.#deps.settings), number: callerPhone };
    try {
      const record = await this.#insertRow(call, { session });
      trace.set({ callId: record.id, ...ownerOfCall({ session }) });
      record.set({ mediaLegId: media.id, answeredAt: new Date(), localContact: leg.localContact });
      record.set({ dialogFacts: [leg.facts] });
      record.note('answered');
      record.note('transfer code');
      record.save();
      return new LiveCall(this.#deps, {
        subject: { session },
        leg,
        media,
        keys,
        record,
        allowsRefer,
        payingCall,
        trace,
        isByNumber: false,
      });
    } catch (error) {
      const reason = error instanceof Refusal ? error.reason : null;
      this.#deps.log.warn({ err: error, sipCallId: call.sipCallId, reason }, 'session of a transfer code not taken');
      await refuse();
      return null;
    }
  }

  /**
   * Lends the call's number to a session without one, for its texts. If that fails, the call continues without
   * promising texts.
   */
  async #withAssignedNumber(found: SessionForCall, call: IncomingCall): Promise<SessionForCall> {
    const { isTrunk, transferNumbers } = this.#numberRules;
    const number = e164(call.callingNumber, this.#numberRules);
    if (found.session.callerPhone !== null || number === null || !isTrunk(call.sourceAddress)) return found;
    if (ownerOf(transferNumbers, number) !== null) return found;
    const { sql, log } = this.#deps;
    const assigning = assignNumber(sql, found.session.id, number).catch((error: unknown) => {
      log.warn({ err: error, sipCallId: call.sipCallId }, 'number of the call not attached to its session');
      return null;
    });
    return { ...found, ...(await waitAtMost(limitsOf(this.#deps).lookUpMs, assigning)) };
  }

  /**
   * Inserts the call's row.
   * @throws Refusal 486 if the session has a live call of a running process, 403 if it had ten calls, 503 if the
   *   account has too many
   */
  async #insertRow(call: IncomingCall, subject: AnsweredCall['subject']): Promise<CallRecord> {
    const { sql, lease, log } = this.#deps;
    const { sipCallId, dialogId, sourceAddress, allowsRefer } = call;
    const names = { id: newId('Call'), leaseId: lease.id, sipDialogs: [dialogId] };
    const named = { ...names, ...ownerOfCall(subject), sipCallId };
    const record = new CallRecord(sql, named, log, this.#deps.onCall);
    const facts = { instance: lease.instance, sourceAddress, allowsRefer };
    const row = { ...named, ...facts };
    const inserting = this.#insertBesideLive(row);
    try {
      const inserted = await waitAtMost(limitsOf(this.#deps).lookUpMs, inserting);
      if (inserted === 'inserted') return record;
      if (inserted === 'busy') throw new Refusal(486);
      if (inserted === 'too_many') throw new Refusal(403, { reason: 'too_many_calls' });
      if (inserted === 'full') throw new Refusal(503, { reason: 'account_full' });
      throw new Error('the database does not answer');
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // A row that was inserted nevertheless, or will be, would keep its session busy.
      const finish = () => this.#finish(record, 'database away', 'failed');
      void inserting.then(finish, finish);
      throw new Refusal(503, { cause: error });
    }
  }

  /** Closes the rows of dead processes first, because they must not block a call. */
  async #insertBesideLive(row: NewCall): Promise<CallInsertion> {
    const { sql, settings } = this.#deps;
    const insert = () => insertCall(sql, row, settings.maxCallsPerAccount);
    const first = await insert();
    if (first === 'inserted') return first;
    const closed = await endLostCalls(this.#deps, first === 'busy' ? row.sessionId : null);
    return closed > 0 ? insert() : first;
  }

  /** Sends the 200 OK and waits for the ACK. @returns null if the caller is gone */
  async #answer(call: IncomingCall, record: CallRecord, media: MediaLeg, keys: KeyBuffer): Promise<CallLeg | null> {
    record.set({ mediaLegId: media.id });
    try {
      const leg = await call.answer(media.localSdp, keys.sink);
      if (call.offerSdp === null) await completeOffer(leg, media);
      record.note('answered');
      this.#deps.onAnswer?.((Date.now() - call.receivedAt.getTime()) / 1_000);
      record.set({ answeredAt: new Date(), localContact: leg.localContact, dialogFacts: [leg.facts] });
      record.save();
      return leg;
    } catch (error) {
      await media.destroy();
      const isLost = error instanceof CallerGone && error.by === 'engine_lost';
      if (isLost) record.set({ reason: 'error' });
      void this.#finish(record, isLost ? 'SIP server lost' : 'caller gone', isLost ? 'failed' : 'canceled');
      if (error instanceof CallerGone) return null;
      throw error;
    }
  }

  /** Records the end of a call without a conversation. Resolves when it is written, or takes too long. */
  async #finish(record: CallRecord, step: string, outcome: OutcomeKind): Promise<void> {
    record.note(step);
    record.set({ outcome });
    const written = this.#unfinished.track(record.close());
    await waitAtMost(limitsOf(this.#deps).lookUpMs, written);
  }
}

/** A call to the number of `dialed`, whose caller has no waiting session. */
interface UnknownCall {
  dialed: NumberOwner;
  /** If the line does not answer such calls. */
  refusal: { status: number; reason?: string };
}

/** @throws Refusal if the number is not ours, or the call's source is not a trunk */
function withoutSession(result: Extract<SessionLookup, { status: number }>): UnknownCall {
  const { dialed, ...refusal } = result;
  if (dialed === undefined) throw new Refusal(result.status, refusal);
  return { dialed, refusal };
}

/** The owner of the call. No session yet if the caller has to choose. */
function ownerOfCall(
  subject: AnsweredCall['subject'],
): Pick<NewCall, 'accountId' | 'mode' | 'sessionId' | 'merchantId'> {
  if ('choice' in subject) return { accountId: subject.choice.accountId, mode: subject.choice.mode, sessionId: null };
  const { session, merchant } = subject.session.facts;
  return { accountId: session.accountId, mode: session.mode, sessionId: session.id, merchantId: merchant.id };
}
