/** An answered call: its conversation, its return to the agent, and its end, which happens once. */
import { deferred } from '../concurrency/deferred.ts';
import type { SessionForCall } from '../db/sessions/sessions.ts';
import type { CardConsent } from '../domain/consent.ts';
import type { CallStage } from '../domain/call-stage.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { isDialable } from '../domain/return-target.ts';
import type { AskLine, FlowEvent, Line, OfferedCard, Terms } from '../flow/types.ts';
import type { PaymentCard } from '../payments/card.ts';
import type { PayingCall } from '../payments/signals.ts';
import { LanguageOfCall } from './call-language.ts';
import type { CallRecord } from './call-record.ts';
import { CallerKeys } from './caller-keys.ts';
import { Conversation } from './conversation.ts';
import type { PhoneDeps } from './deps.ts';
import { callingBack, firstEvent } from './first-event.ts';
import { textLink } from './link-text.ts';
import { failOverMedia } from './media-failover.ts';
import { paymentEvent } from './payment-event.ts';
import { PaymentWatch } from './payment-watch.ts';
import type { CallLeg, LegEnd, MediaLeg } from './ports.ts';
import { type ReturningCall, returnToAgent } from './return-to-agent.ts';
import { isOnHold } from './session-description.ts';

export interface AnsweredCall {
  facts: SessionForCall;
  leg: CallLeg;
  media: MediaLeg;
  record: CallRecord;
  allowsRefer: boolean;
  callingNumber: string | null;
  /** Counts against card testing. */
  payingCall: PayingCall;
  /** A text can go out to the caller: only then is one promised. */
  canText: boolean;
  /** On offer to this caller; saved-cards.ts. */
  savedCards: readonly OfferedCard[];
  /** Files of the greeting, looked up before the answer so that it starts right after the ACK. */
  greeting: Promise<readonly string[]>;
}

/** The outcome of a call that failed on our side. */
const FAILED: CallOutcome = { kind: 'failed', reason: 'error' };
/** Names of the ends of the caller's leg, for the timeline. */
const LEG_ENDS = {
  them: 'caller hung up',
  engine_lost: 'SIP server lost',
  session_expired: 'session timer expired',
} as const;
/** After so many media failovers the caller returns to the agent instead. */
const MAX_FAILOVERS = 3;

export class LiveCall {
  readonly #deps: PhoneDeps;
  readonly #call: AnsweredCall;
  readonly #conversation: Conversation;
  readonly #watch: PaymentWatch;
  readonly #language: LanguageOfCall;
  readonly #ending = new AbortController();
  #media: MediaLeg;
  #failovers = 0;
  readonly #keys: CallerKeys;
  #audible = true;
  #connected = true;
  #returning = false;
  #hasTextedLink = false;
  /** What the agent was told. */
  #toldOutcome: CallOutcome | null = null;
  #closing: Promise<void> | null = null;
  readonly #over = deferred<void>();
  readonly #done = deferred<void>();
  /** Resolves when the legs are down. */
  readonly over = this.#over.promise;
  /** Resolves when the row is written as well. */
  readonly done = this.#done.promise;

  constructor(deps: PhoneDeps, call: AnsweredCall) {
    this.#deps = deps;
    this.#call = call;
    this.#media = call.media;
    this.#language = new LanguageOfCall(deps, call.facts, call.canText);
    const terms = { ...termsOf(deps, call), offersLanguage: this.#language.isOffered };
    this.#conversation = new Conversation(terms, {
      media: call.media,
      files: (line) => this.#files(line),
      charge: (card, agreedTo) =>
        this.#charge({ kind: 'keyed', card }, agreedTo === null ? null : this.#consent(agreedTo)),
      chargeSaved: (instrumentId) => this.#charge({ kind: 'saved', instrumentId, at: new Date() }, null),
      sendLink: () => textLink(deps, call.facts.session),
      returnToAgent: (outcome) => this.#returnToAgent(outcome),
      changeLanguage: (to) => this.#language.change(to),
      note: (step) => call.record.note(step),
      stage: (stage) => this.#stageChanged(stage),
      ended: (outcome, brokeOff) => void this.#end(outcome, { cutShort: !this.#audible, brokeOff }),
      failed: (error) => {
        deps.log.error({ err: error, callId: call.record.id }, 'conversation failed');
        void this.#end(FAILED, { cutShort: true, brokeOff: true });
      },
    });
    this.#keys = new CallerKeys({
      onKey: (key) => this.#conversation.handleKey(key),
      note: (step) => call.record.note(step),
    });
    this.#watch = new PaymentWatch(deps, {
      ...{ sessionId: call.facts.session.id, first: call.facts.standing, conversation: this.#conversation },
      onPageOpened: () => void this.#showStage(),
    });
  }

  /** Starts the conversation. The ACK is here and media is up. */
  start(): void {
    const { leg, media } = this.#call;
    void leg.ended.then(({ by }) => this.#legEnded(by));
    leg.onOffer((sdp) => this.#offered(sdp));
    // First: keys that came before the answer are handled after it.
    this.#conversation.handle(this.#watch.start() ?? firstEvent(this.#call.facts));
    if (this.#watch.isPageOpened) this.#publishStage();
    this.#listenOn(media);
    leg.onKey((key) => this.#keys.press(key, 'sip_info'));
  }

  #stageChanged(stage: CallStage): void {
    this.#call.record.set({ stage });
    // By it the agent is told of the link if this process dies (process-leases.ts).
    this.#hasTextedLink ||= stage === 'by_link';
    // Most calls have no page to show it on: then it is written with the next milestone.
    if (this.#watch.isPageOpened || this.#hasTextedLink) void this.#showStage();
  }

  async #showStage(): Promise<void> {
    await this.#call.record.saved();
    this.#publishStage();
  }

  #publishStage(): void {
    this.#deps.progress.publish(this.#call.facts.session.id, 'call_stage');
  }

  #listenOn(media: MediaLeg): void {
    this.#media = media;
    void media.lost.then(({ cause }) => this.#mediaLost(cause));
    this.#keys.listenTo(media, this.#call.leg.remoteSdp);
  }

  /** Says the last sentence and returns to the agent; ignored while a charge is in flight. */
  wrapUp(): void {
    if (this.#conversation.charging) return;
    this.#conversation.handle({ type: 'refused', reason: 'unavailable' });
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
    // A lost SIP server is our failure; the caller has not canceled.
    this.#conversation.handle({ type: by === 'engine_lost' ? 'media_lost' : 'hung_up' });
    // Whoever was cut off while paying calls again at once: the answer to this charge may take half a minute.
    if (by !== 'us' && this.#closing === null && this.#conversation.charging) this.#call.record.free('pending');
  }

  #mediaLost(cause: 'media_timeout' | 'engine_lost' | 'destroyed'): void {
    this.#audible = false;
    if (this.#closing === null) this.#call.record.note(cause === 'media_timeout' ? 'no audio' : 'media server lost');
    if (cause === 'engine_lost' && this.#canFailOver()) void this.#failOver();
    else this.#conversation.handle({ type: 'media_lost' });
  }

  /** Not during a return to the agent: a bridge has lost its other leg, too, and a REFER needs no media. */
  #canFailOver(): boolean {
    return this.#connected && !this.#returning && this.#closing === null && this.#failovers < MAX_FAILOVERS;
  }

  /** Moves the call to another media server. Without one the conversation ends with `media_lost`. Never rejects. */
  async #failOver(): Promise<void> {
    const { leg, record } = this.#call;
    this.#failovers += 1;
    const media = await failOverMedia(this.#deps, leg, this.#media);
    if (media === null) return this.#conversation.handle({ type: 'media_lost' });
    if (!this.#connected || this.#closing !== null) return media.destroy();
    this.#audible = true;
    record.note('media moved');
    record.set({ mediaLegId: media.id });
    record.save();
    this.#listenOn(media);
    this.#conversation.switchMedia(media);
  }

  #files(line: Line): Promise<readonly string[]> {
    const { greeting, record } = this.#call;
    record.note(lineNote(line));
    if (line.name === 'ask' && line.error === 'nothing_keyed') this.#keys.suspectTones();
    if (line.name === 'greeting' && this.#language.isFirst) return greeting;
    return this.#deps.speech.files(line, this.#language.vocabulary);
  }

  async #charge(card: PaymentCard, consent: CardConsent | null): Promise<FlowEvent> {
    const { session } = this.#call.facts;
    const result = await this.#deps.pay({
      sessionId: session.id,
      scope: { accountId: session.accountId, mode: session.mode },
      source: 'phone',
      card,
      consent,
      call: { ...this.#call.payingCall, record: this.#call.record },
    });
    this.#watch.answered(result);
    return paymentEvent(result);
  }

  /** The caller's consent to keep the card, with the words that were heard. */
  #consent(line: AskLine): CardConsent {
    const { record } = this.#call;
    const { speech } = this.#deps;
    const { vocabulary } = this.#language;
    const wordingId = line.field === 'keep_card' ? `keep_card.${line.attempt}` : 'confirmation.keep';
    const [language, wording] = [speech.spokenLanguage(vocabulary), speech.words(line, vocabulary)];
    return { channel: 'phone', callId: record.id, wordingId, language, wording };
  }

  async #returnToAgent(outcome: CallOutcome): Promise<FlowEvent> {
    this.#returning = true;
    const call: ReturningCall = {
      ...this.#call,
      media: this.#media,
      audible: () => this.#audible,
      over: this.#ending.signal,
    };
    const told = await this.#watch.corrected(outcome);
    this.#toldOutcome = told;
    return { type: (await returnToAgent(this.#deps, call, told)) ? 'returned' : 'return_failed' };
  }

  /**
   * Ends the call once, whatever happened: the caller's leg, the media and the row.
   * @param how `cutShort`: the conversation ended before it could return the caller to the agent; `brokeOff`: in the middle
   */
  #end(outcome: CallOutcome, how: { cutShort: boolean; brokeOff: boolean }): Promise<void> {
    this.#closing ??= this.#close(outcome, how).finally(this.#done.resolve);
    return this.#closing;
  }

  async #close(outcome: CallOutcome, { cutShort, brokeOff }: { cutShort: boolean; brokeOff: boolean }): Promise<void> {
    const { leg, record, facts } = this.#call;
    this.#recordOutcome(outcome);
    // The media is lost, but the caller is still connected and can be sent to the agent by REFER.
    if (cutShort && this.#connected && !this.#returning && isDialable(facts.session.returnTo)) {
      record.save();
      await this.#returnToAgent(outcome).catch((error: unknown) => {
        this.#deps.log.error({ err: error, callId: record.id }, 'return to agent failed');
      });
    }
    this.#ending.abort();
    await Promise.all([leg.hangUp(), this.#media.destroy()]);
    this.#over.resolve();
    const ended = this.#toldOutcome ?? (await this.#watch.corrected(outcome));
    this.#recordOutcome(ended);
    this.#watch.stop();
    const isUnpaid = ended.kind === 'failed' || ended.kind === 'canceled';
    await record.close({ textsLink: brokeOff && isUnpaid && facts.merchant.textAfterDrop });
    if (this.#watch.isPageOpened) this.#publishStage();
  }

  #recordOutcome({ kind, reason, chargeId }: CallOutcome): void {
    this.#call.record.set({ outcome: kind, reason: reason ?? null, chargeId: chargeId ?? null });
  }
}

/** Name and variant of a line, for the timeline; without brand and last four digits. */
function lineNote(line: Line): string {
  if (line.name !== 'ask') return `say ${line.name}`;
  return `say ask ${line.field} ${line.attempt}${line.error === null ? '' : ` ${line.error}`}`;
}

function termsOf(
  { canKeepCards, takesKeypad, links }: Pick<PhoneDeps, 'canKeepCards' | 'takesKeypad' | 'links'>,
  {
    facts: { session, merchant, standing },
    canText,
    savedCards,
  }: Pick<AnsweredCall, 'facts' | 'canText' | 'savedCards'>,
): Omit<Terms, 'offersLanguage'> {
  // A card is good to the end of its month, in the time zone where that month lasts longest (UTC-12).
  const today = new Date(Date.now() - 12 * 3_600_000);
  return {
    asksPostalCode: merchant.asksPostalCode,
    asksConfirmation: merchant.asksConfirmation,
    asksToKeepCard: merchant.cardSaving === 'ask' && session.callerPhone !== null && canKeepCards(merchant),
    acceptedBrands: merchant.acceptedBrands,
    takesKeypad: takesKeypad(merchant),
    canTextLink: canText && links.canSend(session.mode),
    today: { month: today.getUTCMonth() + 1, year: today.getUTCFullYear() },
    returns: isDialable(session.returnTo),
    back: callingBack(standing),
    savedCards,
  };
}
