/** The sentences of each line of the conversation, in order, with names and amounts filled in. */
import type { DeclineCode } from '../domain/charge.ts';
import type { OutcomeKind } from '../domain/outcome.ts';
import type { ByLink, Line } from '../flow/lines.ts';
import type { Language } from '../languages/language.ts';
import { listMerchants } from './merchant-list.ts';
import type { Vocabulary } from './ports.ts';
import { askNumber, offeredLink, questionFor } from './questions.ts';
import { DECLINED_BECAUSE, doubted, lastDeclined, type SentenceName, savedDeclined } from './sentence-names.ts';
import { type Sentence, Sentences } from './sentences.ts';

/**
 * The sentences of a line, in order. Never empty.
 * @param other the language that the greeting offers, or null
 */
export function wordingOf(
  line: Line,
  vocabulary: Vocabulary,
  language: Language,
  other: Language | null = null,
): Sentence[] {
  return new Wording(vocabulary, language, other).of(line);
}

type Declined = Extract<Line, { name: 'declined' }>;
type CallEnded = Extract<Line, { name: 'call_ended' }>;
type DeclinedElsewhere = Extract<Line, { name: 'declined_elsewhere' }>;
type GaveUp = Extract<Line, { name: 'gave_up' }>;
type AlreadyPaid = Extract<Line, { name: 'already_paid' }>;
type LinkSent = Extract<Line, { name: 'link_sent' }>;
type LinkWaiting = Extract<Line, { name: 'link_waiting' }>;

class Wording {
  readonly #sentences: Sentences;
  readonly #other: Language | null;

  constructor(vocabulary: Vocabulary, language: Language, other: Language | null) {
    this.#sentences = new Sentences(vocabulary, language);
    this.#other = other;
  }

  of(line: Line): Sentence[] {
    switch (line.name) {
      case 'greeting':
        return this.#greeting(line);
      case 'choose_merchant':
        return this.#chooseMerchant(line);
      case 'choice_left':
        return this.#sentences.say('goodbye');
      case 'no_payment_waiting':
        return this.#sentences.say(line.name, 'goodbye');
      case 'saved_card_unusable':
        return this.#sentences.say('saved_card.unusable', 'card_number.1');
      case 'ask':
        return questionFor(this.#sentences, line);
      case 'declined':
        return this.#declined(line);
      case 'one_moment':
      case 'still_working':
      case 'page_opened':
      case 'page_patience':
      case 'link_opened':
        return this.#sentences.say(line.name);
      case 'paying_elsewhere':
        return this.#sentences.say(`paying_elsewhere.${line.by}`);
      case 'waiting_elsewhere':
        if (line.bankAsks) return this.#sentences.say('waiting_for_bank');
        return this.#sentences.say(line.by === 'page' ? 'waiting_for_page' : 'still_working');
      case 'declined_elsewhere':
        return [...this.#declinedElsewhere(line), ...this.#sentences.wayOut()];
      case 'link_sent':
        return this.#linkSent(line);
      case 'link_waiting':
        return this.#linkWaiting(line);
      case 'link_stays':
        return this.#sentences.say(`link_stays.${line.reason}`, this.#sentences.ending);
      case 'paid_elsewhere':
        // It says that the payment has arrived.
        return [
          ...(this.#sentences.vocabulary.isHold || this.#sentences.vocabulary.savesOnly
            ? []
            : this.#sentences.say(line.name)),
          ...this.#paid({ ...line, name: 'succeeded' }),
        ];
      case 'succeeded':
        return this.#paid(line);
      case 'debit_agree':
        return this.#sentences.say('debit.agree');
      case 'debited':
        return this.#sentences.say(line.name, ...this.#sentences.promised('text_follows'), this.#sentences.ending);
      case 'gave_up':
        return this.#gaveUp(line);
      case 'call_ended':
        return this.#callEnded(line);
      case 'unconfirmed':
        return this.#sentences.say(
          line.name,
          ...(line.elsewhere ? [] : this.#sentences.promised('text_follows')),
          this.#sentences.ending,
        );
      case 'still_confirming':
        return this.#sentences.say(
          line.name,
          ...(line.textFollows ? this.#sentences.promised('text_follows') : []),
          this.#sentences.ending,
        );
      case 'canceled':
      case 'expired':
      case 'already_held':
      case 'too_many_attempts':
      case 'unavailable':
      case 'merchant_fault':
      case 'keypad_unavailable':
      case 'session_not_taken':
        return this.#sentences.say(line.name, this.#sentences.ending);
      case 'already_paid':
        return this.#alreadyPaid(line);
      case 'goodbye':
        return this.#goodbye(line.outcome);
    }
  }

  #greeting({ byLink, back, savedCards, method }: Extract<Line, { name: 'greeting' }>): Sentence[] {
    const hello = this.#sentences.say(...(back === undefined ? [] : (['welcome_back'] as const)), 'greeting');
    if (byLink) return hello;
    if (method) return [...hello, ...this.#sentences.say('method.1'), ...this.#otherLanguage()];
    const [link, ask] =
      back === 'link_texted'
        ? ([this.#sentences.say('link_good'), 'card_number.instead'] as const)
        : ([[], 'card_number.1'] as const);
    return [...hello, ...link, ...askNumber(this.#sentences, ask, savedCards), ...this.#otherLanguage()];
  }

  /** After the question, so that callers who understand it need not listen to the offer. */
  #otherLanguage(): Sentence[] {
    if (this.#other === null) return [];
    const { locale, line } = this.#other;
    const text = line.sentences.other_language;
    return [{ text, plain: [text], language: locale }];
  }

  #chooseMerchant({ merchants, error }: Extract<Line, { name: 'choose_merchant' }>): Sentence[] {
    const why =
      error === null ? [] : this.#sentences.say(error === 'looks_wrong' ? 'again.merchant' : `again.${error}`);
    const list = listMerchants(merchants, this.#sentences.language);
    return [...why, ...this.#sentences.say('choose_merchant.ask'), ...list];
  }

  #declined({ code, next, codeLength, offersLink, wasSaved }: Declined): Sentence[] {
    if (next === 'method')
      return [...this.#declineSentences(code, undefined, true), ...this.#sentences.say('method.2')];
    const sentences = this.#declineSentences(code, wasSaved);
    const link = offeredLink(this.#sentences, offersLink);
    if (next === 'card_number')
      return [...sentences, ...this.#sentences.say('card_number.another'), ...link, ...this.#sentences.wayOut()];
    return [...sentences, ...this.#sentences.say(doubted(next, codeLength)), ...link];
  }

  #declineSentences(code: DeclineCode, wasSaved: true | undefined, wasAccount?: true): Sentence[] {
    const card = wasSaved ? savedDeclined(code) : DECLINED_BECAUSE[code];
    return this.#sentences.message('failure', () => this.#sentences.say(wasAccount ? 'declined.account' : card));
  }

  #callEnded({ declined, wasSaved, wasAccount, hasLink }: CallEnded): Sentence[] {
    if (declined === undefined) return this.#sentences.say('call_ended.unpaid', this.#sentences.ending);
    const stop = hasLink ? 'link_stays.ended' : 'call_ended.declined';
    return [
      ...this.#declineSentences(declined, wasSaved, wasAccount),
      ...this.#sentences.say(stop, this.#sentences.ending),
    ];
  }

  #gaveUp(line: GaveUp): Sentence[] {
    const { reason } = line;
    const usual = () => this.#sentences.say(line.reason === 'declined' ? lastDeclined(line) : `gave_up.${line.reason}`);
    // If an agent takes over, the merchant's message is only for a decline. Otherwise it ends every failed call.
    const sentences =
      reason === 'declined' || !this.#sentences.vocabulary.returns
        ? this.#sentences.message('failure', usual)
        : usual();
    return [...sentences, ...this.#sentences.say(this.#sentences.ending)];
  }

  #paid(line: Extract<Line, { name: 'succeeded' }>): Sentence[] {
    return this.#sentences.vocabulary.returns
      ? this.#sentences.charged(line).say(...this.#succeeded(line), 'hand_over')
      : this.#sentences.message('success', () =>
          this.#sentences.charged(line).say(...this.#succeeded(line), 'goodbye'),
        );
  }

  /** After a part, the caller also hears what is left, and that this call cannot take it. */
  #alreadyPaid({ name, remainingCents = 0 }: AlreadyPaid): Sentence[] {
    if (remainingCents === 0) return this.#sentences.say(name, this.#sentences.ending);
    return [
      ...this.#sentences.withAmount(remainingCents).say('already_paid.part'),
      ...this.#sentences.say(this.#sentences.ending),
    ];
  }

  #declinedElsewhere({ by, byLink }: DeclinedElsewhere): Sentence[] {
    if (byLink !== undefined) {
      const how = by === 'page' ? [] : this.#sentences.say('link_good');
      return [...this.#sentences.say(`declined_elsewhere.${by}`), ...how, ...this.#orKeypad(byLink)];
    }
    return by === 'page'
      ? this.#sentences.say('declined_elsewhere.page', 'card_number.instead')
      : this.#sentences.say('declined_elsewhere.other', 'card_number.1');
  }

  #linkSent({ lastTwo, byLink }: LinkSent): Sentence[] {
    const digits = [...lastTwo].map((digit) => this.#sentences.digit(digit));
    const number = [...this.#sentences.say('link_sent.number'), ...digits];
    return [
      ...number,
      ...this.#sentences.say('link_sent.stay'),
      ...this.#orKeypad(byLink),
      ...this.#sentences.wayOut(),
    ];
  }

  #linkWaiting({ isOpened, choices }: LinkWaiting): Sentence[] {
    const waiting = this.#sentences.say(isOpened ? 'link_waiting.page' : 'link_waiting.text');
    return choices === null ? waiting : [...waiting, ...this.#orKeypad(choices), ...this.#sentences.wayOut()];
  }

  #orKeypad(byLink: ByLink): Sentence[] {
    return byLink === 'or_keypad' ? this.#sentences.say('card_number.instead') : [];
  }

  #succeeded({ cardSaved }: Extract<Line, { name: 'succeeded' }>): SentenceName[] {
    const { isHold, savesOnly } = this.#sentences.vocabulary;
    const isMentioned = cardSaved === true && !savesOnly;
    return [
      isHold ? 'held' : 'succeeded',
      ...(isMentioned ? (['card_kept'] as const) : []),
      ...this.#sentences.promised('receipt'),
    ];
  }

  /** After the return to the agent failed: the session's `success_message` or `failure_message`, or our own words. */
  #goodbye(outcome: OutcomeKind): Sentence[] {
    if (outcome === 'pending')
      return this.#sentences.say('no_agent', 'stands.pending', ...this.#sentences.promised('text_follows'), 'goodbye');
    if (outcome === 'agent') return this.#sentences.say('no_agent', 'stands.link', 'goodbye');
    if (outcome === 'succeeded') {
      return this.#sentences.message('success', () =>
        this.#sentences.say(
          'no_agent',
          this.#sentences.vocabulary.isHold ? 'stands.held' : 'stands.succeeded',
          ...this.#sentences.promised('receipt'),
          'goodbye',
        ),
      );
    }
    const nothingCharged = () => this.#sentences.say('no_agent', 'stands.nothing_charged', 'goodbye');
    return outcome === 'failed' ? this.#sentences.message('failure', nothingCharged) : nothingCharged();
  }
}
