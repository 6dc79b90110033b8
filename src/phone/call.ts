/** An answered call: its conversation, its return to the agent, and its end, which happens once. */
import type { CallStage } from '../domain/call.ts';
import type { CallId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { Secret } from '../domain/secret.ts';
import type { FlowEvent } from '../flow/events.ts';
import type { Line } from '../flow/lines.ts';
import { startConversation, startMerchantChoice } from '../flow/table.ts';
import { deferred } from '../lib/concurrency/deferred.ts';
import { endsWithin } from '../lib/concurrency/time-limit.ts';
import type { PayingCall } from '../payments/charges/signals.ts';
import type { Transcript } from '../speech/transcript.ts';
import { CallProgressReport } from './call-progress.ts';
import { type CallRecord, LEG_ENDS, lineNote } from './call-record.ts';
import type { CallSession } from './call-session.ts';
import type { CallTrace } from './call-trace.ts';
import { Conversation } from './conversation.ts';
import { limitsOf, type PhoneDeps } from './deps.ts';
import { type CodeCandidates, DialedCode } from './dialed-code.ts';
import type { KeyBuffer } from './key-buffer.ts';
import { failOverMedia, takeUnendedKeys } from './media-failover.ts';
import type { MerchantChoice } from './merchant-choice.ts';
import type { CallLeg, LegEnd, MediaLeg } from './ports.ts';
import { type ReturningCall, returnToAgent } from './return-to-agent.ts';
import { isOnHold } from './session-description.ts';
import { SessionOnCall } from './session-on-call.ts';

export interface AnsweredCall {
  /** The session of the call, or the choice that the caller has to make first. */
  subject: { session: CallSession } | { choice: MerchantChoice };
  leg: CallLeg;
  media: MediaLeg;
  /** The sink of both legs. */
  keys: KeyBuffer;
  record: CallRecord;
  allowsRefer: boolean;
  /** For the limits against card testing. */
  payingCall: PayingCall;
  /** Ended with the call. */
  trace: CallTrace;
  /** The session was found by the calling number, so a platform may dial a transfer code all the same. */
  isByNumber: boolean;
}

const FAILED: CallOutcome = { kind: 'failed', reason: 'error' };
/** Limit for the move to a leg that recognizes the caller's keys. After it the next sentence starts on the old leg. */
const MOVE_LIMIT_MS = 2_000;
/** After this many media failovers the caller returns to the agent instead. */
const MAX_FAILOVERS = 3;

export class LiveCall {
  readonly #deps: PhoneDeps;
  readonly #call: AnsweredCall;
  readonly #conversation: Conversation;
  /** Null until the caller has chosen a session. */
  #session: SessionOnCall | null = null;
  /** The same. */
  #progress: CallProgressReport | null = null;
  readonly #ending = new AbortController();
  #media: MediaLeg;
  #failovers = 0;
  readonly #keys: KeyBuffer;
  readonly #dialedCode: DialedCode | null;
  #audible = true;
  #connected = true;
  #returning = false;
  #hasTextedLink = false;
  #hasLookedForKeys = false;
  /** A move to another leg of the same media server is in progress. */
  #isMoving = false;
  #isMoveLate = false;
  /** The outcome that the agent got. */
  #returnedOutcome: CallOutcome | null = null;
  #closing: Promise<void> | null = null;
  readonly #over = deferred<void>();
  readonly #done = deferred<void>();
  /** Resolves when both legs have ended. */
  readonly over = this.#over.promise;
  /** Resolves when the row is written, too. */
  readonly done = this.#done.promise;

  constructor(deps: PhoneDeps, call: AnsweredCall) {
    this.#deps = deps;
    this.#call = call;
    this.#media = call.media;
    const { subject, trace } = call;
    if ('session' in subject) this.#session = new SessionOnCall(deps, subject.session, call);
    const start =
      'session' in subject ? startConversation(this.#bound.terms) : startMerchantChoice(subject.choice.merchants);
    this.#conversation = new Conversation(start, {
      media: call.media,
      files: (line) => this.#files(line),
      notPlayed: (line) => this.#session?.notPlayed(line),
      charge: (card, agreedTo, amount) =>
        trace.run(() => this.#bound.charge({ kind: 'keyed', card }, agreedTo, amount)),
      chargeSaved: (instrumentId, amount) =>
        trace.run(() => this.#bound.charge({ kind: 'saved', instrumentId, at: new Date() }, null, amount)),
      chargeAccount: (account, agreedTo) => trace.run(() => this.#bound.chargeAccount(account, agreedTo)),
      sendLink: () => trace.run(() => this.#bound.sendLink()),
      takeSession: (place) => trace.run(() => this.#takeSession(place)),
      returnToAgent: (outcome) => trace.run(() => this.#returnToAgent(outcome)),
      changeLanguage: (to) => {
        this.#progress?.step({ name: 'language', attempt: 1 });
        this.#bound.changeLanguage(to);
      },
      progress: (step) => this.#progress?.step(step),
      note: (step) => call.record.note(step),
      sentenceEnded: () => call.record.noteSentenceEnd(),
      answerStarted: () => call.record.noteAnswerStart(),
      numberIncomplete: (digits) => call.record.noteWrongDigits(digits),
      stage: (stage) => this.#stageChanged(stage),
      ended: (outcome, brokeOff) => void this.#end(outcome, { cutShort: !this.#audible, brokeOff }),
      failed: (error) => {
        deps.log.error({ err: error, callId: call.record.id }, 'conversation failed');
        void this.#end(FAILED, { cutShort: true, brokeOff: true });
      },
    });
    this.#keys = call.keys;
    this.#dialedCode = call.isByNumber ? this.#listenForCode() : null;
    this.#keys.connect({
      onKey: (key) => {
        if (this.#dialedCode === null) this.#conversation.handleKey(key);
        else this.#dialedCode.press(key);
      },
      note: (step) => call.record.note(step),
      kind: (keyKind) => call.record.set({ keyKind }),
    });
  }

  /** Null: no session of the call has a code. */
  #listenForCode(): DialedCode | null {
    const { subject } = this.#call;
    const { codes } = this.#deps;
    const accountId = 'session' in subject ? subject.session.facts.session.accountId : subject.choice.accountId;
    const hashes = 'session' in subject ? [subject.session.facts.transferCodeHash] : subject.choice.codeHashes;
    if (codes === undefined || hashes.every((hash) => hash === null)) return null;
    const candidates: CodeCandidates = {
      placeOf: (code) => {
        const dialed = codes.hash(accountId, code);
        return hashes.findIndex((hash) => hash?.equals(dialed) === true);
      },
      onCode: (place) => {
        this.#call.record.note('transfer code');
        // The code chooses as the key of the merchant would.
        if (this.#session === null) this.#conversation.handleKey(Secret.of(String(place + 1)));
      },
      pass: (key) => this.#conversation.handleKey(key),
      onOver: () => this.#keys.expectAnotherPhone(),
    };
    return new DialedCode(candidates, limitsOf(this.#deps));
  }

  /** @throws if the caller has not chosen a session yet */
  get #bound(): SessionOnCall {
    if (this.#session === null) throw new Error('the call has no session');
    return this.#session;
  }

  get id(): CallId {
    return this.#call.record.id;
  }

  /** Starts the conversation. The ACK has arrived, and media is up. */
  start(): void {
    const { leg, media, trace } = this.#call;
    trace.enter(this.#conversation.stage);
    void leg.ended.then(({ by }) => this.#legEnded(by));
    leg.onOffer((sdp) => this.#offered(sdp));
    if (this.#session === null) this.#conversation.handle({ type: 'answered' });
    else this.#startSession(this.#session);
    this.#listenOn(media);
    // Last, so that keys from before the answer are handled after it.
    this.#keys.release();
  }

  #startSession(session: SessionOnCall): void {
    const progress = new CallProgressReport(this.#deps.progress, this.id, session.facts);
    this.#progress = progress;
    progress.answered();
    this.#call.record.onReturn = (route) => progress.returned(route);
    progress.step({ name: 'greeting', attempt: 1 });
    this.#conversation.handle(session.start(this.#conversation, () => void this.#showStage()));
    if (session.isShown) session.publishStage();
  }

  /** The caller has chosen a merchant. From here on the call is like one to that session. */
  async #takeSession(place: number): Promise<void> {
    const { subject, record } = this.#call;
    // Keys that the caller types ahead belong to the session's greeting.
    this.#keys.hold();
    const claimed = 'choice' in subject ? await subject.choice.take(place, record) : null;
    // The call has ended: the end of its row releases the claim.
    if (this.#closing !== null) return;
    if (claimed === null) this.#conversation.handle({ type: 'session_not_claimed' });
    else this.#bindSession(claimed);
    this.#keys.release();
  }

  #bindSession(chosen: CallSession): void {
    const session = new SessionOnCall(this.#deps, chosen, this.#call);
    this.#session = session;
    const names = { sessionId: session.facts.session.id, merchantId: session.facts.merchant.id };
    this.#call.record.nameSession(names);
    this.#call.trace.set(names);
    this.#conversation.handle({ type: 'session_claimed', terms: session.terms });
    this.#startSession(session);
  }

  #stageChanged(stage: CallStage): void {
    this.#call.record.set({ stage });
    this.#call.trace.enter(stage);
    // The row's stage lets another process tell the agent about the link if this one dies (process-leases.ts).
    this.#hasTextedLink ||= stage === 'by_link';
    // Most calls have no viewers. Their stage is written with the next milestone.
    if (this.#session?.isShown || this.#hasTextedLink) void this.#showStage();
  }

  async #showStage(): Promise<void> {
    await this.#call.record.saved();
    this.#session?.publishStage();
  }

  #listenOn(media: MediaLeg): void {
    this.#media = media;
    // The loss of a leg that the call has left does not matter.
    void media.lost.then(({ cause }) => media === this.#media && this.#mediaLost(cause));
    this.#keys.useMedia(media, this.#call.leg.remoteSdp);
  }

  /** Says the last sentence and returns to the agent. Ignored while a charge is in flight. */
  wrapUp(): void {
    if (this.#conversation.charging) return;
    this.#conversation.handle({ type: 'refused', reason: 'unavailable' });
  }

  /**
   * Ends the call at the request of a user of the account: says the last sentence once no charge is in progress, and
   * returns the caller to the agent. Idempotent.
   */
  requestEnd(): void {
    const { record } = this.#call;
    if (this.#closing !== null || record.isEndRequested) return;
    record.noteEndRequest();
    this.#conversation.handle({ type: 'end_requested' });
  }

  /** Ends the call now. Idempotent. */
  close(): Promise<void> {
    const outcome: CallOutcome = this.#conversation.charging ? { kind: 'pending' } : FAILED;
    this.#conversation.close();
    return this.#end(outcome, { cutShort: false, brokeOff: true });
  }

  async #offered(sdp: string): Promise<string> {
    const answer = await this.#media.negotiate(sdp);
    this.#keys.describe(sdp);
    if (isOnHold(sdp)) this.#conversation.hold();
    else this.#conversation.resume();
    return answer;
  }

  #legEnded(by: LegEnd['by']): void {
    this.#connected = false;
    this.#conversation.resume();
    if (by !== 'us') this.#call.record.note(LEG_ENDS[by]);
    // A lost SIP server is our failure: the caller has not canceled.
    this.#conversation.handle({ type: by === 'engine_lost' ? 'media_lost' : 'hung_up' });
    // A caller who was cut off while paying calls again at once, and the answer to this charge may take half a minute.
    if (by !== 'us' && this.#closing === null && this.#conversation.charging) this.#call.record.free('pending');
  }

  #mediaLost(cause: 'media_timeout' | 'engine_lost' | 'destroyed'): void {
    this.#audible = false;
    if (this.#isMoving) return;
    if (this.#closing === null) this.#call.record.note(cause === 'media_timeout' ? 'no audio' : 'media server lost');
    if (cause === 'engine_lost' && this.#canFailOver()) void this.#failOver();
    else this.#conversation.handle({ type: 'media_lost' });
  }

  /** Not during a return to the agent: a bridge has lost its other leg, too, and a REFER needs no media. */
  #canFailOver(): boolean {
    return this.#connected && !this.#returning && this.#closing === null && this.#failovers < MAX_FAILOVERS;
  }

  /**
   * Moves the call to another media server. If there is none, the conversation ends with `media_lost`. Never rejects.
   */
  async #failOver(): Promise<void> {
    this.#failovers += 1;
    const media = await failOverMedia(this.#deps, this.#call.leg, this.#media, this.#keys.sink);
    if (media === null) return this.#conversation.handle({ type: 'media_lost' });
    if (!this.#connected || this.#closing !== null) return media.destroy();
    this.#moveTo(media, 'media moved');
    this.#conversation.switchMedia(media);
  }

  #moveTo(media: MediaLeg, step: string): void {
    const { record } = this.#call;
    this.#audible = true;
    record.note(step);
    record.set({ mediaLegId: media.id });
    record.save();
    this.#listenOn(media);
  }

  /**
   * The caller pressed no key although asked to. Perhaps the media server did not recognize the keys: checks that once.
   * Never rejects.
   */
  async #findUnheardKeys(): Promise<void> {
    if (this.#keys.hasReceivedKey || this.#isMoving || !this.#canFailOver() || this.#hasLookedForKeys) return;
    this.#hasLookedForKeys = true;
    this.#isMoving = true;
    const moving = this.#takeUnendedKeys();
    // A slow platform must not leave the caller in silence.
    if (!(await endsWithin(MOVE_LIMIT_MS, moving))) this.#isMoveLate = true;
  }

  async #takeUnendedKeys(): Promise<void> {
    const deaf = this.#media;
    const media = await takeUnendedKeys(this.#deps, this.#call.leg, deaf, this.#keys.sink);
    this.#isMoving = false;
    const wasLost = !this.#audible;
    if (media !== null && (!this.#connected || this.#closing !== null)) return media.destroy();
    if (media !== null) {
      this.#moveTo(media, 'keys without an end');
      void deaf.destroy();
      if (wasLost || this.#isMoveLate) this.#conversation.switchMedia(media);
      else this.#conversation.useMedia(media);
    } else if (wasLost) this.#mediaLost('engine_lost');
  }

  async #files(line: Line): Promise<readonly string[]> {
    const { subject, record } = this.#call;
    record.noteSentence(lineNote(line), this.#words(line));
    if ('error' in line && line.error === 'nothing_keyed') await this.#findUnheardKeys();
    if (this.#session === null && 'choice' in subject) return subject.choice.files(line);
    return this.#bound.files(line);
  }

  #words(line: Line): Transcript {
    const { subject } = this.#call;
    if (this.#session === null && 'choice' in subject) return subject.choice.words(line);
    return this.#bound.words(line);
  }

  async #returnToAgent(outcome: CallOutcome): Promise<FlowEvent> {
    this.#returning = true;
    const session = this.#bound;
    const { facts, callingNumber } = session;
    const { leg, record, allowsRefer } = this.#call;
    const media = { media: this.#media, audible: () => this.#audible, over: this.#ending.signal };
    const corrected = await session.corrected(outcome);
    // The caller may be back soon, and this call can stay up until the limit for a ringing agent.
    const onUnheard = () => {
      record.set({ returnMode: 'refer' });
      record.free(corrected.kind);
    };
    const call: ReturningCall = { facts, callingNumber, leg, record, allowsRefer, onUnheard, ...media };
    this.#returnedOutcome = corrected;
    // The agent may ask for the outcome as soon as it has the caller.
    this.#recordOutcome(corrected);
    void this.#showStage();
    return { type: (await returnToAgent(this.#deps, call, corrected)) ? 'returned' : 'return_failed' };
  }

  /**
   * Ends the call once, whatever happened: the caller's leg, the media and the row.
   * @param how `cutShort`: before the conversation could return the caller to the agent; `brokeOff`: before its end
   */
  #end(outcome: CallOutcome, how: { cutShort: boolean; brokeOff: boolean }): Promise<void> {
    this.#closing ??= this.#call.trace
      .run(() => this.#close(outcome, how))
      .finally(() => {
        this.#call.trace.end({});
        this.#done.resolve();
      });
    return this.#closing;
  }

  async #close(outcome: CallOutcome, { cutShort, brokeOff }: { cutShort: boolean; brokeOff: boolean }): Promise<void> {
    const { leg, record, trace } = this.#call;
    this.#keys.close();
    this.#dialedCode?.close();
    this.#recordOutcome(outcome);
    const session = this.#session;
    // The media is lost, but the caller is still connected and can be sent to the agent by REFER.
    if (cutShort && this.#connected && !this.#returning && session?.returns) {
      record.save();
      await this.#returnToAgent(outcome).catch((error: unknown) => {
        this.#deps.log.error({ err: error, callId: record.id }, 'return to agent failed');
      });
    }
    this.#ending.abort();
    await Promise.all([leg.hangUp(), this.#media.destroy()]);
    this.#over.resolve();
    record.set(this.#media.quality ?? {});
    const ended = this.#returnedOutcome ?? (await session?.corrected(outcome)) ?? outcome;
    this.#recordOutcome(ended);
    session?.stopWatching();
    await record.close({ textsLink: brokeOff && (session?.textsLinkAfter(ended) ?? false) });
    this.#progress?.ended(ended);
    session?.publishStage();
    const { kind, reason = null, chargeId = null } = ended;
    trace.set({ outcome: kind, reason, chargeId });
  }

  #recordOutcome({ kind, reason, chargeId }: CallOutcome): void {
    this.#call.record.set({ outcome: kind, reason: reason ?? null, chargeId: chargeId ?? null });
  }
}
