/** The sentences of each line of the conversation, in order, with names and amounts filled in. */
import { knownZone, minorDigits } from '../domain/cached-formats.ts';
import type { ChargeDifference, DeclineCode } from '../domain/charge.ts';
import type { OutcomeKind } from '../domain/outcome.ts';
import type { OfferedTip } from '../domain/tip.ts';
import type { ByLink, FieldError, Line } from '../flow/lines.ts';
import type { Field, SpokenCard } from '../flow/terms.ts';
import type { Language } from '../languages/language.ts';
import { amountInWords } from '../languages/numbers.ts';
import { listMerchants, tidy } from './merchant-list.ts';
import type { Vocabulary } from './ports.ts';
import {
  askedFor,
  DECLINED_BECAUSE,
  doubted,
  lastDeclined,
  looksWrong,
  SAVED_CARD_KEYS,
  type SavedCardSentence,
  type SentenceName,
  savedDeclined,
  TIP_KEYS,
} from './sentence-names.ts';

/** One sentence, rendered as one file. */
export interface Sentence {
  text: string;
  /** The recorded sentences that replace it, without names and amounts. The text itself if it has none. */
  plain: readonly string[];
  /** BCP 47. Only for a sentence in another language than the line's: the offer to change to it. */
  language?: string;
}

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

/** Sentences that a call which only saves a card says instead. */
const WHEN_SAVING: Partial<Record<SentenceName, SentenceName>> = {
  greeting: 'saving.greeting',
  'keep_card.pay': 'saving.no',
  succeeded: 'saving.saved',
  'stands.succeeded': 'saving.saved',
  unconfirmed: 'saving.unconfirmed',
  still_confirming: 'saving.unconfirmed',
  'paying_elsewhere.other': 'saving.unconfirmed',
  'stands.pending': 'saving.unconfirmed',
  already_paid: 'saving.already',
  expired: 'saving.expired',
  canceled: 'saving.canceled',
  unavailable: 'saving.unavailable',
  merchant_fault: 'saving.unavailable',
  receipt: 'saving.text',
};

type Ask = Extract<Line, { name: 'ask' }>;
type Declined = Extract<Line, { name: 'declined' }>;
type CallEnded = Extract<Line, { name: 'call_ended' }>;
type DeclinedElsewhere = Extract<Line, { name: 'declined_elsewhere' }>;
type GaveUp = Extract<Line, { name: 'gave_up' }>;
type AlreadyPaid = Extract<Line, { name: 'already_paid' }>;
type LinkSent = Extract<Line, { name: 'link_sent' }>;
type LinkWaiting = Extract<Line, { name: 'link_waiting' }>;

class Wording {
  readonly #vocabulary: Vocabulary;
  readonly #language: Language;
  readonly #other: Language | null;

  constructor(vocabulary: Vocabulary, language: Language, other: Language | null) {
    this.#vocabulary = vocabulary;
    this.#language = language;
    this.#other = other;
  }

  of(line: Line): Sentence[] {
    switch (line.name) {
      case 'greeting':
        return this.#greeting(line);
      case 'choose_merchant':
        return this.#chooseMerchant(line);
      case 'choice_left':
        return this.#say('goodbye');
      case 'no_payment_waiting':
        return this.#say(line.name, 'goodbye');
      case 'saved_card_unusable':
        return this.#say('saved_card.unusable', 'card_number.1');
      case 'ask':
        return this.#ask(line);
      case 'declined':
        return this.#declined(line);
      case 'one_moment':
      case 'still_working':
      case 'page_opened':
      case 'page_patience':
      case 'link_opened':
        return this.#say(line.name);
      case 'paying_elsewhere':
        return this.#say(`paying_elsewhere.${line.by}`);
      case 'waiting_elsewhere':
        if (line.bankAsks) return this.#say('waiting_for_bank');
        return this.#say(line.by === 'page' ? 'waiting_for_page' : 'still_working');
      case 'declined_elsewhere':
        return [...this.#declinedElsewhere(line), ...this.#wayOut()];
      case 'link_sent':
        return this.#linkSent(line);
      case 'link_waiting':
        return this.#linkWaiting(line);
      case 'link_stays':
        return this.#say(`link_stays.${line.reason}`, this.#ending);
      case 'paid_elsewhere':
        // It says that the payment has arrived.
        return [
          ...(this.#vocabulary.isHold || this.#vocabulary.savesOnly ? [] : this.#say(line.name)),
          ...this.#paid({ ...line, name: 'succeeded' }),
        ];
      case 'succeeded':
        return this.#paid(line);
      case 'debit_agree':
        return this.#say('debit.agree');
      case 'debited':
        return this.#say(line.name, ...this.#promised('text_follows'), this.#ending);
      case 'gave_up':
        return this.#gaveUp(line);
      case 'call_ended':
        return this.#callEnded(line);
      case 'unconfirmed':
        return this.#say(line.name, ...(line.elsewhere ? [] : this.#promised('text_follows')), this.#ending);
      case 'still_confirming':
        return this.#say(line.name, ...(line.textFollows ? this.#promised('text_follows') : []), this.#ending);
      case 'canceled':
      case 'expired':
      case 'already_held':
      case 'too_many_attempts':
      case 'unavailable':
      case 'merchant_fault':
      case 'keypad_unavailable':
      case 'session_not_taken':
        return this.#say(line.name, this.#ending);
      case 'already_paid':
        return this.#alreadyPaid(line);
      case 'goodbye':
        return this.#goodbye(line.outcome);
    }
  }

  #greeting({ byLink, back, savedCards, method }: Extract<Line, { name: 'greeting' }>): Sentence[] {
    const hello = this.#say(...(back === undefined ? [] : (['welcome_back'] as const)), 'greeting');
    if (byLink) return hello;
    if (method) return [...hello, ...this.#say('method.1'), ...this.#otherLanguage()];
    const [link, ask] =
      back === 'link_texted'
        ? ([this.#say('link_good'), 'card_number.instead'] as const)
        : ([[], 'card_number.1'] as const);
    return [...hello, ...link, ...this.#askNumber(ask, savedCards), ...this.#otherLanguage()];
  }

  /** After the question, so that callers who understand it need not listen to the offer. */
  #otherLanguage(): Sentence[] {
    if (this.#other === null) return [];
    const { locale, line } = this.#other;
    const text = line.sentences.other_language;
    return [{ text, plain: [text], language: locale }];
  }

  #chooseMerchant({ merchants, error }: Extract<Line, { name: 'choose_merchant' }>): Sentence[] {
    const why = error === null ? [] : this.#say(error === 'looks_wrong' ? 'again.merchant' : `again.${error}`);
    const list = listMerchants(merchants, this.#language);
    return [...why, ...this.#say('choose_merchant.ask'), ...list];
  }

  get #ending(): SentenceName {
    return this.#vocabulary.returns ? 'hand_over' : 'goodbye';
  }

  #ask(line: Ask): Sentence[] {
    const { field, attempt, error, codeLength, lastFour, offersKeeping, offersLink, savedCards } = line;
    if (field === 'saved_card') return this.#askWhichCard(line);
    if (field === 'tip') return this.#askTip(line);
    if (field === 'debit_terms') return this.#debitTerms(line);
    const what = error === 'card_not_accepted' ? 'card_number.another' : askedFor(field, attempt, codeLength);
    const lastTry = attempt === 3 ? this.#wayOut() : [];
    const why = error === null ? [] : this.#why(error, field, keysOf(line));
    if (field === 'part_amount') return [...why, ...this.#askPartAmount(), ...lastTry];
    if (field === 'keep_card') return [...why, ...this.#keepCard(what), ...lastTry];
    if (field !== 'confirmation')
      return [...why, ...this.#askNumber(what, savedCards), ...this.#offeredLink(offersLink), ...lastTry];
    const digits = [...(lastFour ?? '')].map((digit) => this.#digit(digit));
    const card = digits.length > 0 ? [...this.#say('confirmation.card'), ...digits] : [];
    const keeping = offersKeeping === true ? this.#say('confirmation.keep') : [];
    const charged = { tipCents: line.tip?.tipCents ?? 0, remainingCents: line.remainingCents ?? 0 };
    const pay = this.#charged(charged).#say('confirmation.pay');
    return [
      ...why,
      ...card,
      ...pay,
      ...this.#say('confirmation.change'),
      ...keeping,
      ...this.#changeAmount(line),
      ...lastTry,
    ];
  }

  #askPartAmount(): Sentence[] {
    const hasDecimals = minorDigits(this.#vocabulary.currency) > 0;
    return this.#say('part_amount.ask', ...(hasDecimals ? (['part_amount.point'] as const) : []));
  }

  #changeAmount({ offersPart, tips }: Ask): Sentence[] {
    if (offersPart) return this.#say('confirmation.amount');
    return tips === undefined ? [] : this.#say('confirmation.tip');
  }

  #askTip({ error, tips = [] }: Ask): Sentence[] {
    const why = error === null ? [] : this.#why(error, 'tip', 4);
    const each = TIP_KEYS.flatMap((name, place) => this.#tip(name, tips[place]));
    return [...why, ...this.#say('tip.ask'), ...each, ...this.#say('tip.none')];
  }

  /** The recordings have no numbers but digits, so they say the percentage digit by digit. */
  #tip(name: (typeof TIP_KEYS)[number], tip: OfferedTip | undefined): Sentence[] {
    if (tip === undefined) return [];
    const { say, plain } = this.#language.line.sentences[name];
    const { amount } = this.#withAmount(tip.tipCents).#facts();
    const percent = String(tip.percent);
    const digits = [...percent].flatMap((digit) => this.#digit(digit).plain);
    return [{ text: say({ percent, amount }), plain: [...digits, plain] }];
  }

  /** The same words with the amount that is charged: without what is left to pay, and with the tip. */
  #charged({ tipCents = 0, remainingCents = 0 }: ChargeDifference): Wording {
    return this.#withAmount(this.#vocabulary.amountCents - remainingCents + tipCents);
  }

  #withAmount(amountCents: number): Wording {
    return new Wording({ ...this.#vocabulary, amountCents }, this.#language, this.#other);
  }

  /** All that the caller authorizes, in every attempt. */
  #debitTerms({ error, attempt, accountType, lastFour, asksConsent }: Ask): Sentence[] {
    const why = error === null ? [] : this.#why(error, 'debit_terms', 2);
    const digits = [...(lastFour ?? '')].map((digit) => this.#digit(digit));
    return [
      ...why,
      ...this.#say('debit.terms', accountType === 'savings' ? 'debit.savings' : 'debit.checking'),
      ...(digits.length > 0 ? [...this.#say('debit.ending'), ...digits] : []),
      ...this.#say('debit.questions', ...(asksConsent ? (['debit.agree'] as const) : [])),
      ...(attempt === 3 ? this.#wayOut() : []),
    ];
  }

  #keepCard(what: SentenceName): Sentence[] {
    const text = tidy(this.#vocabulary.saveSentence ?? '');
    if (text === '') return this.#say(what, 'keep_card.pay');
    // No recording says what the caller agrees to: without these words, the standard question is asked.
    return [{ text, plain: [] }, ...this.#say('keep_card.agree', 'keep_card.pay')];
  }

  /** @param savedCards offered on the key 1: one card by its name, several together */
  #askNumber(what: SentenceName, savedCards: readonly SpokenCard[] = []): Sentence[] {
    if (savedCards.length === 0) return this.#say(what);
    const offer = savedCards.length === 1 ? this.#savedCards(savedCards) : this.#say('saved_card.all');
    return [...offer, ...this.#say('card_number.instead')];
  }

  #askWhichCard({ attempt, error, offersLink, savedCards = [] }: Ask): Sentence[] {
    const why = error === null ? [] : this.#why(error, 'saved_card', 2);
    const list = [...this.#savedCards(savedCards), ...this.#say('saved_card.or_star')];
    return [...why, ...list, ...this.#offeredLink(offersLink), ...(attempt === 3 ? this.#wayOut() : [])];
  }

  /** Each card with its key, its brand and its last four digits, one by one. */
  #savedCards(cards: readonly SpokenCard[]): Sentence[] {
    return SAVED_CARD_KEYS.flatMap((name, place) => {
      const card = cards[place];
      if (card === undefined) return [];
      return [this.#withBrand(name, card.brand), ...[...card.lastFour].map((digit) => this.#digit(digit))];
    });
  }

  /** A brand that the language has no name for is just a card. */
  #withBrand(sentence: SavedCardSentence, label: string): Sentence {
    const { say, plain } = this.#language.line.sentences[sentence];
    const brand = this.#brand(label.toLowerCase().replaceAll('_', '-'));
    return { text: brand === null ? plain : say({ brand }), plain: [plain] };
  }

  #why(error: FieldError, field: Field, keys: 2 | 3 | 4): Sentence[] {
    // The `declined` line has already said it.
    if (error === 'bank_doubts') return [];
    return this.#say(error === 'looks_wrong' ? looksWrong(field, keys) : `again.${error}`);
  }

  #declined({ code, next, codeLength, offersLink, wasSaved }: Declined): Sentence[] {
    if (next === 'method') return [...this.#declineSentences(code, undefined, true), ...this.#say('method.2')];
    const sentences = this.#declineSentences(code, wasSaved);
    const link = this.#offeredLink(offersLink);
    if (next === 'card_number') return [...sentences, ...this.#say('card_number.another'), ...link, ...this.#wayOut()];
    return [...sentences, ...this.#say(doubted(next, codeLength)), ...link];
  }

  #declineSentences(code: DeclineCode, wasSaved: true | undefined, wasAccount?: true): Sentence[] {
    const card = wasSaved ? savedDeclined(code) : DECLINED_BECAUSE[code];
    return this.#message('failure', () => this.#say(wasAccount ? 'declined.account' : card));
  }

  #callEnded({ declined, wasSaved, wasAccount, hasLink }: CallEnded): Sentence[] {
    if (declined === undefined) return this.#say('call_ended.unpaid', this.#ending);
    const stop = hasLink ? 'link_stays.ended' : 'call_ended.declined';
    return [...this.#declineSentences(declined, wasSaved, wasAccount), ...this.#say(stop, this.#ending)];
  }

  #gaveUp(line: GaveUp): Sentence[] {
    const { reason } = line;
    const usual = () => this.#say(line.reason === 'declined' ? lastDeclined(line) : `gave_up.${line.reason}`);
    // If an agent takes over, the merchant's message is only for a decline. Otherwise it ends every failed call.
    const sentences = reason === 'declined' || !this.#vocabulary.returns ? this.#message('failure', usual) : usual();
    return [...sentences, ...this.#say(this.#ending)];
  }

  #paid(line: Extract<Line, { name: 'succeeded' }>): Sentence[] {
    return this.#vocabulary.returns
      ? this.#charged(line).#say(...this.#succeeded(line), 'hand_over')
      : this.#message('success', () => this.#charged(line).#say(...this.#succeeded(line), 'goodbye'));
  }

  /** After a part, the caller also hears what is left, and that this call cannot take it. */
  #alreadyPaid({ name, remainingCents = 0 }: AlreadyPaid): Sentence[] {
    if (remainingCents === 0) return this.#say(name, this.#ending);
    return [...this.#withAmount(remainingCents).#say('already_paid.part'), ...this.#say(this.#ending)];
  }

  #declinedElsewhere({ by, byLink }: DeclinedElsewhere): Sentence[] {
    if (byLink !== undefined) {
      const how = by === 'page' ? [] : this.#say('link_good');
      return [...this.#say(`declined_elsewhere.${by}`), ...how, ...this.#orKeypad(byLink)];
    }
    return by === 'page'
      ? this.#say('declined_elsewhere.page', 'card_number.instead')
      : this.#say('declined_elsewhere.other', 'card_number.1');
  }

  #linkSent({ lastTwo, byLink }: LinkSent): Sentence[] {
    const digits = [...lastTwo].map((digit) => this.#digit(digit));
    const number = [...this.#say('link_sent.number'), ...digits];
    return [...number, ...this.#say('link_sent.stay'), ...this.#orKeypad(byLink), ...this.#wayOut()];
  }

  #linkWaiting({ isOpened, choices }: LinkWaiting): Sentence[] {
    const waiting = this.#say(isOpened ? 'link_waiting.page' : 'link_waiting.text');
    return choices === null ? waiting : [...waiting, ...this.#orKeypad(choices), ...this.#wayOut()];
  }

  #orKeypad(byLink: ByLink): Sentence[] {
    return byLink === 'or_keypad' ? this.#say('card_number.instead') : [];
  }

  #offeredLink(isOffered: true | undefined): Sentence[] {
    return isOffered ? this.#say('offer_link') : [];
  }

  #succeeded({ cardSaved }: Extract<Line, { name: 'succeeded' }>): SentenceName[] {
    const { isHold, savesOnly } = this.#vocabulary;
    const isMentioned = cardSaved === true && !savesOnly;
    return [
      isHold ? 'held' : 'succeeded',
      ...(isMentioned ? (['card_kept'] as const) : []),
      ...this.#promised('receipt'),
    ];
  }

  /** A sentence that promises a text, only if one can be sent. */
  #promised(sentence: 'receipt' | 'text_follows'): SentenceName[] {
    return this.#vocabulary.canText ? [sentence] : [];
  }

  /** After the return to the agent failed: the session's `success_message` or `failure_message`, or our own words. */
  #goodbye(outcome: OutcomeKind): Sentence[] {
    if (outcome === 'pending')
      return this.#say('no_agent', 'stands.pending', ...this.#promised('text_follows'), 'goodbye');
    if (outcome === 'agent') return this.#say('no_agent', 'stands.link', 'goodbye');
    if (outcome === 'succeeded') {
      return this.#message('success', () =>
        this.#say(
          'no_agent',
          this.#vocabulary.isHold ? 'stands.held' : 'stands.succeeded',
          ...this.#promised('receipt'),
          'goodbye',
        ),
      );
    }
    const nothingCharged = () => this.#say('no_agent', 'stands.nothing_charged', 'goodbye');
    return outcome === 'failed' ? this.#message('failure', nothingCharged) : nothingCharged();
  }

  #wayOut(): Sentence[] {
    return this.#vocabulary.returns ? this.#say('way_out') : [];
  }

  /** The integrator's message if there is one, with our own sentences as its recordings. */
  #message(kind: 'success' | 'failure', usual: () => Sentence[]): Sentence[] {
    const message = kind === 'success' ? this.#vocabulary.successMessage : this.#vocabulary.failureMessage;
    const text = tidy(message ?? '');
    if (text === '') return usual();
    return [{ text, plain: usual().flatMap((sentence) => sentence.plain) }];
  }

  #digit(digit: string): Sentence {
    const text = this.#language.numbers.digits[Number(digit)] ?? digit;
    return { text, plain: [text] };
  }

  #say(...names: SentenceName[]): Sentence[] {
    return names.map((usual) => {
      const name = (this.#vocabulary.savesOnly ? WHEN_SAVING[usual] : undefined) ?? usual;
      const sentence = this.#language.line.sentences[name];
      if (typeof sentence === 'string') return { text: sentence, plain: [sentence] };
      return { text: sentence.say(this.#facts()), plain: [sentence.plain] };
    });
  }

  #facts() {
    const { businessName, amountCents, currency, acceptedBrands, smallestPartCents } = this.#vocabulary;
    const { line, numbers, locale } = this.#language;
    const debit = this.#vocabulary.debit ?? null;
    return {
      payer: tidy(debit?.payer ?? ''),
      date: debit === null ? '' : dateInWords(debit, locale),
      phone:
        debit === null ? '' : [...nationalDigits(debit.phone)].map((digit) => numbers.digits[Number(digit)]).join(' '),
      business: tidy(businessName),
      amount: amountInWords(amountCents, currency, numbers),
      minimum: amountInWords(smallestPartCents ?? 0, currency, numbers),
      brands: oneOf(
        acceptedBrands.map((brand) => this.#brand(brand) ?? brand),
        line.or,
      ),
    };
  }

  /** @param id of credit-card-type */
  #brand(id: string): string | null {
    const brands: Readonly<Record<string, string>> = this.#language.line.brands;
    return brands[id] ?? null;
  }
}

/** How many keys a confirmation offers. */
function keysOf({ tips, offersPart, offersKeeping }: Ask): 2 | 3 | 4 {
  if (tips !== undefined || offersPart) return 4;
  return offersKeeping === true ? 3 : 2;
}

const dateInWords = ({ at, timeZone }: NonNullable<Vocabulary['debit']>, locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: knownZone(timeZone) }).format(at);

/** @param phone E.164 */
const nationalDigits = (phone: string) => phone.replace(/^\+1(?=\d{10}$)/, '').replace(/\D/g, '');

/** "Visa, Mastercard or Discover". */
function oneOf(items: readonly string[], or: string): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${or} ${last}`;
}

/** Lines that contain a name, an amount or a message. */
const PERSONAL_LINES: readonly Line[] = [
  { name: 'greeting' },
  { name: 'ask', field: 'card_number', attempt: 2, error: 'card_not_accepted' },
  { name: 'ask', field: 'keep_card', attempt: 1, error: null },
  { name: 'ask', field: 'confirmation', attempt: 1, error: null },
  { name: 'declined', code: 'generic_decline', next: 'card_number' },
  { name: 'succeeded' },
  { name: 'gave_up', reason: 'declined', code: 'generic_decline' },
  { name: 'goodbye', outcome: 'succeeded' },
  { name: 'goodbye', outcome: 'failed' },
];

/** Lines that say a tip, or an amount with it. */
function linesWithTips(tips: readonly OfferedTip[]): Line[] {
  if (tips.length === 0) return [];
  const asked = { name: 'ask', attempt: 1, error: null, tips } as const;
  const paid = tips.flatMap((tip): Line[] => [
    { ...asked, field: 'confirmation', tip },
    { name: 'succeeded', tipCents: tip.tipCents },
  ]);
  return [{ ...asked, field: 'tip' }, ...paid];
}

/** Lines of a call that can take a part. The amounts of parts are not known yet. */
const PART_LINES: readonly Line[] = [
  { name: 'ask', field: 'part', attempt: 1, error: null },
  { name: 'ask', field: 'part_amount', attempt: 2, error: 'below_minimum' },
  { name: 'ask', field: 'part_amount', attempt: 2, error: 'above_total' },
];

/** Lines of a call that can take a bank debit. The account's digits are shared by all calls. */
const DEBIT_LINES: readonly Line[] = [
  { name: 'ask', field: 'debit_terms', attempt: 1, error: null, accountType: 'checking' },
  { name: 'debited' },
];

/** Lines that name saved cards. Their digits are shared by all calls. */
function linesWithCards(savedCards: readonly SpokenCard[]): Line[] {
  if (savedCards.length === 0) return [];
  return [{ name: 'ask', field: 'saved_card', attempt: 1, error: null, savedCards }];
}

/** The texts that only calls with this vocabulary say. @param savedCards that are already known */
export function personalTexts(
  vocabulary: Vocabulary,
  language: Language,
  savedCards: readonly SpokenCard[] = [],
): string[] {
  const debitLines = vocabulary.debit == null ? [] : DEBIT_LINES;
  const tipLines = linesWithTips(vocabulary.tips ?? []);
  const partLines = vocabulary.smallestPartCents == null ? [] : PART_LINES;
  const lines = [...PERSONAL_LINES, ...partLines, ...tipLines, ...debitLines, ...linesWithCards(savedCards)];
  const sentences = lines.flatMap((line) => wordingOf(line, vocabulary, language));
  return [...new Set(sentences.filter(({ text, plain }) => plain[0] !== text).map(({ text }) => text))];
}
