/**
 * The session's part of a live call: the terms of its conversation, its words, its payment, and payments of the session
 * elsewhere.
 */
import { wipeBankAccount } from '../domain/bank-account.ts';
import { minorDigits } from '../domain/cached-formats.ts';
import type { CardConsent } from '../domain/instrument.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { smallestPart } from '../domain/part.ts';
import { isDialable } from '../domain/return-target.ts';
import type { CheckoutSession } from '../domain/session.ts';
import { tipsOn } from '../domain/tip.ts';
import type { ChargedAmount, KeyedAccount } from '../flow/effects.ts';
import type { FlowEvent } from '../flow/events.ts';
import type { AskLine, Line } from '../flow/lines.ts';
import type { CallLanguage, Terms } from '../flow/terms.ts';
import type { PayingCall } from '../payments/charges/signals.ts';
import { type PaymentCard, takeOver } from '../payments/shared/card.ts';
import { type Transcript, transcriptOf } from '../speech/transcript.ts';
import { LanguageOfCall } from './call-language.ts';
import type { CallRecord } from './call-record.ts';
import type { CallSession } from './call-session.ts';
import type { PhoneDeps } from './deps.ts';
import { callingBack, firstEvent, paymentEvent, textLink } from './flow-events.ts';
import { PaymentWatch, type WatchedConversation } from './payment-watch.ts';

/** Three times the interval of `calls_watched`. */
const VIEW_LASTS_MS = 6_000;

export class SessionOnCall {
  readonly facts: CallSession['facts'];
  readonly callingNumber: string | null;
  readonly terms: Terms;
  readonly #deps: PhoneDeps;
  readonly #greeting: CallSession['greeting'];
  readonly #record: CallRecord;
  readonly #payingCall: PayingCall;
  readonly #language: LanguageOfCall;
  /** Null until the conversation starts. */
  #watch: PaymentWatch | null = null;
  /** On `performance.now()`: when a viewer of the account's live calls last reported. */
  #viewedAtMs = Number.NEGATIVE_INFINITY;
  #unsubscribe: (() => void) | null = null;
  /** The merchant's own question about saving the card was said, not the standard one in its place. */
  #saidOwnWords = false;
  /** The terms of a bank debit were said word for word, not a recording without their facts. */
  #saidTerms = false;
  /** The amount of a part was said, not a recording without it. Awaited, because callers press keys over the sentence. */
  #saidPart: Promise<boolean> = Promise.resolve(false);

  constructor(deps: PhoneDeps, session: CallSession, call: { record: CallRecord; payingCall: PayingCall }) {
    const { facts, canText, greeting, callingNumber } = session;
    this.#deps = deps;
    this.facts = facts;
    this.callingNumber = callingNumber;
    this.#greeting = greeting;
    this.#record = call.record;
    this.#payingCall = call.payingCall;
    this.#language = new LanguageOfCall(deps, facts, canText);
    this.terms = { ...termsOf(deps, session), offersLanguage: this.#language.isOffered };
  }

  /**
   * Watches the session from now on.
   * @param onViewer called when a viewer comes to look at the call
   * @returns the first event of the conversation
   */
  start(conversation: WatchedConversation, onViewer: () => void): FlowEvent {
    const { session, sessionState, readAtMs } = this.facts;
    const onPageOpened = onViewer;
    this.#watch = new PaymentWatch(this.#deps, {
      sessionId: session.id,
      first: sessionState,
      readAtMs,
      conversation,
      onPageOpened,
    });
    this.#unsubscribe = this.#deps.progress.subscribe(session.accountId, (news) => {
      if (news !== 'calls_watched') return;
      const isNew = !this.#hasViewer;
      this.#viewedAtMs = performance.now();
      if (isNew) onViewer();
    });
    return this.#watch.start() ?? firstEvent(this.facts);
  }

  /** Whether the call may have a viewer: on the pay page, or of the account's live calls. */
  get isShown(): boolean {
    return this.#hasViewer || (this.#watch?.isPageOpened ?? false);
  }

  get #hasViewer(): boolean {
    return performance.now() - this.#viewedAtMs < VIEW_LASTS_MS;
  }

  /** Whether the caller can return to an agent. */
  get returns(): boolean {
    return isDialable(this.facts.session.returnTo);
  }

  publishStage(): void {
    const { session } = this.facts;
    this.#deps.progress.publish(session.id, 'call_stage');
    if (this.#hasViewer) this.#deps.progress.publish(session.accountId, 'call_stage');
  }

  async files(line: Line): Promise<readonly string[]> {
    if (line.name === 'greeting' && this.#language.isFirst) return this.#greeting;
    const { speech } = this.#deps;
    const { vocabulary } = this.#language;
    if (line.name === 'ask' && line.field === 'debit_terms') return this.#filesOfTerms(line);
    if (line.name === 'ask' && line.remainingCents !== undefined) return this.#filesOfPart(line);
    if (line.name !== 'ask' || line.field !== 'keep_card' || vocabulary.saveSentence == null) {
      return speech.files(line, vocabulary);
    }
    const exact = await speech.exactFiles(line, vocabulary);
    this.#saidOwnWords = exact !== null;
    return exact ?? speech.files(line, { ...vocabulary, saveSentence: null });
  }

  /** For the call's record. */
  words(line: Line): Transcript {
    return transcriptOf(this.#deps.speech, line, this.#language.vocabulary);
  }

  /** Nothing that the caller has not heard is agreed to. */
  notPlayed(line: Line): void {
    if (line.name !== 'ask') return;
    if (line.field === 'debit_terms') this.#saidTerms = false;
    if (line.field === 'confirmation') this.#saidPart = Promise.resolve(false);
    if (line.field === 'keep_card') this.#saidOwnWords = false;
  }

  async #filesOfTerms(line: AskLine): Promise<readonly string[]> {
    const { speech } = this.#deps;
    const { vocabulary } = this.#language;
    const exact = await speech.exactFiles(line, vocabulary);
    this.#saidTerms = exact !== null;
    return exact ?? speech.files(line, vocabulary);
  }

  /** No recording says the amount of a part: without a synthesizer, the caller would not hear what is charged. */
  async #filesOfPart(line: AskLine): Promise<readonly string[]> {
    const { speech } = this.#deps;
    const { vocabulary } = this.#language;
    const rendered = speech.exactFiles(line, vocabulary);
    this.#saidPart = rendered.then((files) => files !== null);
    const exact = await rendered;
    return exact ?? speech.files(line, vocabulary);
  }

  changeLanguage(to: CallLanguage): void {
    this.#language.change(to);
  }

  sendLink(): Promise<FlowEvent> {
    return textLink(this.#deps, this.facts.session);
  }

  /** @param agreedTo the question to which the caller answered yes, to save the card */
  async charge(
    card: PaymentCard,
    agreedTo: AskLine | null,
    { partCents, tipCents }: ChargedAmount,
  ): Promise<FlowEvent> {
    const { session } = this.facts;
    if (partCents !== null && !(await this.#saidPart)) {
      takeOver(card).wipe();
      return { type: 'refused', reason: 'unavailable' };
    }
    const result = await this.#deps.pay({
      sessionId: session.id,
      scope: { accountId: session.accountId, mode: session.mode },
      source: 'phone',
      card,
      partCents,
      tipCents,
      consent: agreedTo === null ? null : this.#consent(agreedTo),
      call: { ...this.#payingCall, record: this.#record },
    });
    this.#watch?.answered(result);
    return paymentEvent(result);
  }

  /** @param agreedTo the terms to which the caller answered yes */
  async chargeAccount(account: KeyedAccount, agreedTo: AskLine): Promise<FlowEvent> {
    const { session } = this.facts;
    const keyed = { ...account, holderName: session.payerName ?? '' };
    if (!this.#saidTerms || session.payerName === null) {
      wipeBankAccount(keyed);
      return { type: 'refused', reason: 'unavailable' };
    }
    const { speech } = this.#deps;
    const { vocabulary } = this.#language;
    const [language, wording] = [speech.spokenLanguage(vocabulary), speech.words(agreedTo, vocabulary)];
    const result = await this.#deps.pay({
      sessionId: session.id,
      scope: { accountId: session.accountId, mode: session.mode },
      source: 'phone',
      card: { kind: 'bank_account', account: keyed },
      authorization: { callId: this.#record.id, language, wording },
      call: { ...this.#payingCall, record: this.#record },
    });
    this.#watch?.answered(result);
    return paymentEvent(result);
  }

  /** The caller's consent to save the card, with the words that the caller heard. */
  #consent(line: AskLine): CardConsent {
    const { speech } = this.#deps;
    const { saving } = this.facts.session;
    const isOwn = this.#saidOwnWords && line.field === 'keep_card' && this.#language.vocabulary.saveSentence != null;
    const vocabulary = isOwn ? this.#language.vocabulary : { ...this.#language.vocabulary, saveSentence: null };
    const usual = line.field === 'keep_card' ? `keep_card.${line.attempt}` : 'confirmation.keep';
    const wordingId = isOwn ? 'keep_card.own' : usual;
    const [language, wording] = [speech.spokenLanguage(vocabulary), speech.words(line, vocabulary)];
    const terms = isOwn && saving !== null ? { terms: saving } : {};
    return { channel: 'phone', callId: this.#record.id, wordingId, language, wording, ...terms };
  }

  /** The outcome, corrected by payments elsewhere. */
  async corrected(outcome: CallOutcome): Promise<CallOutcome> {
    return (await this.#watch?.corrected(outcome)) ?? outcome;
  }

  /** Whether the caller gets the pay link by text after a call that broke off with this outcome. */
  textsLinkAfter({ kind }: CallOutcome): boolean {
    const isUnpaid = kind === 'failed' || kind === 'canceled';
    return isUnpaid && !this.terms.savesOnly && this.facts.merchant.textAfterDrop;
  }

  stopWatching(): void {
    this.#watch?.stop();
    this.#unsubscribe?.();
  }
}

function partTermsOf(session: CheckoutSession, merchant: Merchant): Pick<Terms, 'part'> {
  const minimumCents = smallestPart(session, merchant);
  if (minimumCents === null) return {};
  const { amountCents: totalCents, currency } = session.amount;
  return { part: { minimumCents, totalCents, decimals: minorDigits(currency) } };
}

function termsOf(
  { canKeepCards, takesKeypad, links }: Pick<PhoneDeps, 'canKeepCards' | 'takesKeypad' | 'links'>,
  { facts, canText, savedCards, offersBankAccount }: CallSession,
): Omit<Terms, 'offersLanguage'> {
  const { session, merchant, sessionState } = facts;
  // A card is valid until the end of its month, in the time zone where that month ends last (UTC-12).
  const today = new Date(Date.now() - 12 * 3_600_000);
  const savesOnly = session.purpose === 'save_card';
  return {
    asksPostalCode: merchant.asksPostalCode,
    asksConfirmation: merchant.asksConfirmation,
    ...partTermsOf(session, merchant),
    tips: savesOnly ? [] : tipsOn(session.amount, merchant.tipPercentages),
    asksToKeepCard:
      (merchant.cardSaving === 'ask' || session.saving !== null) &&
      session.callerPhone !== null &&
      canKeepCards(merchant),
    keepsByOwnWords: session.saving !== null,
    savesOnly,
    acceptedBrands: merchant.acceptedBrands,
    takesKeypad: takesKeypad(merchant),
    // What the line says of the link is about payments.
    canTextLink: !savesOnly && canText && links.canSend(facts),
    today: { month: today.getUTCMonth() + 1, year: today.getUTCFullYear() },
    returns: isDialable(session.returnTo),
    back: callingBack(sessionState),
    savedCards: savesOnly ? [] : savedCards,
    ...(offersBankAccount && { offersBankAccount }),
  };
}
