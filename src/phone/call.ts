/** A call that has been answered: its conversation, its way back, its one end. */
import type { CardConsent } from '../domain/consent.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { isDialable } from '../domain/return-target.ts';
import type { Secret } from '../domain/secret.ts';
import type { AskLine, FlowEvent, KeyedCard, Line, Terms } from '../flow/types.ts';
import type { PaymentRefusal, PaymentResult } from '../payments/take-payment.ts';
import { vocabularyOf } from '../speech/vocabulary.ts';
import type { SessionForCall } from '../db/sessions/sessions.ts';
import type { CallRecord } from './call-record.ts';
import { Conversation } from './conversation.ts';
import type { PhoneDeps } from './deps.ts';
import { moveMedia } from './media-failover.ts';
import type { CallLeg, MediaLeg } from './ports.ts';
import { type ReturningCall, takeBack } from './return-to-agent.ts';

export interface AnsweredCall {
  facts: SessionForCall;
  leg: CallLeg;
  media: MediaLeg;
  record: CallRecord;
  allowsRefer: boolean;
  callingNumber: string | null;
  /** Looked up before the answer, so that the first words follow the ACK at once. */
  greeting: Promise<readonly string[]>;
}

/** Of a call that we broke. */
const BROKEN: CallOutcome = { kind: 'failed', reason: 'error' };
/** A call whose every media server dies is better off with its agent. */
const MAX_MOVES = 3;

export class LiveCall {
  readonly #deps: PhoneDeps;
  readonly #call: AnsweredCall;
  readonly #conversation: Conversation;
  readonly #ending = new AbortController();
  #media: MediaLeg;
  #moves = 0;
  /** Which way keys come: a sender that uses both would key everything twice. */
  #keysFrom: 'media' | 'info' | null = null;
  #hearing = true;
  #connected = true;
  #told = false;
  #closing: Promise<void> | null = null;
  /** Resolves when the legs are down. */
  readonly over: Promise<void>;
  /** Resolves when the row is written, too. */
  readonly done: Promise<void>;
  #resolveOver: () => void = () => undefined;
  #resolveDone: () => void = () => undefined;

  constructor(deps: PhoneDeps, call: AnsweredCall) {
    this.#deps = deps;
    this.#call = call;
    this.#media = call.media;
    this.over = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
    this.done = new Promise((resolve) => {
      this.#resolveDone = resolve;
    });
    this.#conversation = new Conversation(termsOf(deps, call.facts), {
      media: call.media,
      files: (line) => this.#files(line),
      charge: (card, agreedTo) => this.#charge(card, agreedTo),
      takeBack: (outcome) => this.#takeBack(outcome),
      note: (step) => call.record.note(step),
      ended: (outcome) => void this.#end(outcome, !this.#hearing),
      failed: (error) => {
        deps.log.error({ err: error, callId: call.record.id }, 'conversation failed');
        void this.#end(BROKEN, true);
      },
    });
  }

  /** Media is up and the ACK is here: speaks. */
  begin(): void {
    const { leg, media } = this.#call;
    void leg.ended.then(({ by }) => this.#legEnded(by));
    leg.onOffer((sdp) => this.#media.negotiate(sdp));
    // Keys of before the answer come after it.
    this.#conversation.tell({ type: 'answered' });
    this.#listenOn(media);
    leg.onKey((key) => this.#key('info', key));
  }

  #listenOn(media: MediaLeg): void {
    this.#media = media;
    void media.lost.then(({ cause }) => this.#mediaLost(cause));
    media.onKey((key) => this.#key('media', key));
  }

  /** Asks the call to come to its end politely; one that has a charge on its way is left in peace until its answer. */
  wrapUp(): void {
    if (this.#conversation.charging) return;
    this.#conversation.tell({ type: 'refused', reason: 'unavailable' });
  }

  /** Ends the call now, as it stands. Idempotent. */
  close(): Promise<void> {
    const outcome: CallOutcome = this.#conversation.charging ? { kind: 'pending' } : BROKEN;
    this.#conversation.close();
    return this.#end(outcome, false);
  }

  #key(source: 'media' | 'info', key: Secret): void {
    this.#keysFrom ??= source;
    if (this.#keysFrom === source) this.#conversation.key(key);
    else key.wipe();
  }

  #legEnded(by: 'them' | 'us' | 'engine_lost'): void {
    this.#connected = false;
    if (by !== 'us') this.#call.record.note(by === 'them' ? 'caller hung up' : 'SIP server lost');
    this.#conversation.tell({ type: 'hung_up' });
  }

  #mediaLost(cause: 'media_timeout' | 'engine_lost' | 'destroyed'): void {
    this.#hearing = false;
    if (this.#closing === null) this.#call.record.note(cause === 'media_timeout' ? 'no audio' : 'media server lost');
    if (cause === 'engine_lost' && this.#canMove()) void this.#move();
    else this.#conversation.tell({ type: 'media_lost' });
  }

  /** Not from a bridge, whose other leg is lost too, nor while a REFER is out. */
  #canMove(): boolean {
    return this.#connected && !this.#told && this.#closing === null && this.#moves < MAX_MOVES;
  }

  /** To another media server; without one the conversation ends as it must. Never rejects. */
  async #move(): Promise<void> {
    const { leg, record } = this.#call;
    this.#moves += 1;
    const media = await moveMedia(this.#deps, leg, this.#media);
    if (media === null) return this.#conversation.tell({ type: 'media_lost' });
    if (!this.#connected || this.#closing !== null) return media.destroy();
    this.#hearing = true;
    record.note('media moved');
    record.set({ mediaLegId: media.id });
    record.save();
    this.#listenOn(media);
    this.#conversation.moveTo(media);
  }

  #files(line: Line): Promise<readonly string[]> {
    const { facts, greeting, record } = this.#call;
    record.note(lineNote(line));
    if (line.name === 'greeting') return greeting;
    return this.#deps.speech.files(line, vocabularyOf(facts.session, facts.merchant));
  }

  async #charge(card: KeyedCard, agreedTo: AskLine | null): Promise<FlowEvent> {
    const { session } = this.#call.facts;
    const result = await this.#deps.pay({
      sessionId: session.id,
      scope: { accountId: session.accountId, mode: session.mode },
      source: 'phone',
      card: { kind: 'keyed', card },
      consent: agreedTo === null ? null : this.#consent(agreedTo),
    });
    return paymentEvent(result);
  }

  /** In the words that the caller heard. */
  #consent(line: AskLine): CardConsent {
    const { facts, record } = this.#call;
    const { speech } = this.#deps;
    const vocabulary = vocabularyOf(facts.session, facts.merchant);
    const wordingId = line.field === 'keep_card' ? `keep_card.${line.attempt}` : 'confirmation.keep';
    const [language, wording] = [speech.spokenLanguage(vocabulary), speech.words(line, vocabulary)];
    return { channel: 'phone', callId: record.id, wordingId, language, wording };
  }

  async #takeBack(outcome: CallOutcome): Promise<FlowEvent> {
    this.#told = true;
    const call: ReturningCall = {
      ...this.#call,
      media: this.#media,
      audible: () => this.#hearing,
      over: this.#ending.signal,
    };
    return { type: (await takeBack(this.#deps, call, outcome)) ? 'returned' : 'return_failed' };
  }

  /**
   * The one end: whatever happened, the caller's leg, the media and the row are closed once.
   * @param cutShort the conversation could not take the caller back itself
   */
  #end(outcome: CallOutcome, cutShort: boolean): Promise<void> {
    this.#closing ??= this.#close(outcome, cutShort).finally(this.#resolveDone);
    return this.#closing;
  }

  async #close(outcome: CallOutcome, cutShort: boolean): Promise<void> {
    const { leg, record, facts } = this.#call;
    record.set({ outcome: outcome.kind, reason: outcome.reason ?? null, chargeId: outcome.chargeId ?? null });
    // We can't speak any more, but the caller is still there, and the agent a REFER away.
    if (cutShort && this.#connected && !this.#told && isDialable(facts.session.returnTo)) {
      record.save();
      await this.#takeBack(outcome).catch((error: unknown) => {
        this.#deps.log.error({ err: error, callId: record.id }, 'way back failed');
      });
    }
    this.#ending.abort();
    await Promise.all([leg.hangUp(), this.#media.destroy()]);
    this.#resolveOver();
    await record.close();
  }
}

/** Name and variant of a line, for the timeline. A brand or last four digits are no part of it. */
function lineNote(line: Line): string {
  if (line.name !== 'ask') return `say ${line.name}`;
  return `say ask ${line.field} ${line.attempt}${line.error === null ? '' : ` ${line.error}`}`;
}

function termsOf({ canKeepCards }: Pick<PhoneDeps, 'canKeepCards'>, { session, merchant }: SessionForCall): Terms {
  // Cards are good to the end of their month; the last place on earth where it still is that month decides.
  const today = new Date(Date.now() - 12 * 3_600_000);
  return {
    asksPostalCode: merchant.asksPostalCode,
    asksConfirmation: merchant.asksConfirmation,
    asksToKeepCard: merchant.cardSaving === 'ask' && session.callerPhone !== null && canKeepCards(merchant),
    acceptedBrands: merchant.acceptedBrands,
    today: { month: today.getUTCMonth() + 1, year: today.getUTCFullYear() },
    returns: isDialable(session.returnTo),
  };
}

function paymentEvent(result: PaymentResult): FlowEvent {
  switch (result.type) {
    case 'succeeded':
      return { type: 'paid', chargeId: result.charge.id, cardKept: result.cardKept };
    case 'declined':
      return { type: 'declined', chargeId: result.charge.id, code: result.declineCode };
    case 'pending':
      return { type: 'unconfirmed', chargeId: result.charge.id };
    case 'refused':
      return refusal(result);
  }
}

function refusal({ reason, charge }: PaymentRefusal): FlowEvent {
  switch (reason) {
    case 'expired':
      return { type: 'refused', reason };
    case 'too_many_declines':
    case 'too_many_attempts':
      return { type: 'refused', reason: 'too_many_attempts' };
    case 'already_paid':
      return { type: 'refused', reason, ...(charge !== null && { chargeId: charge.id }) };
    case 'in_progress':
      // Another charge of the session may yet succeed: the caller must not pay again.
      if (charge !== null) return { type: 'unconfirmed', chargeId: charge.id };
  }
  return { type: 'refused', reason: 'unavailable' };
}
