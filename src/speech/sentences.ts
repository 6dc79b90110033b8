/** The sentences of a call by name: in its language, with its names and amounts filled in. */
import { knownZone } from '../domain/cached-formats.ts';
import type { ChargeDifference } from '../domain/charge.ts';
import type { OfferedTip } from '../domain/tip.ts';
import type { Language } from '../languages/language.ts';
import { amountInWords } from '../languages/numbers.ts';
import type { Vocabulary } from './ports.ts';
import type { SavedCardSentence, SentenceName, TIP_KEYS } from './sentence-names.ts';

/** One sentence, rendered as one file. */
export interface Sentence {
  text: string;
  /** The recorded sentences that replace it, without names and amounts. The text itself if it has none. */
  plain: readonly string[];
  /** BCP 47. Only for a sentence in another language than the line's: the offer to change to it. */
  language?: string;
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

/** What the line can say on a call with this vocabulary: `say` returns sentences by name. */
export class Sentences {
  readonly vocabulary: Vocabulary;
  readonly language: Language;

  constructor(vocabulary: Vocabulary, language: Language) {
    this.vocabulary = vocabulary;
    this.language = language;
  }

  say(...names: SentenceName[]): Sentence[] {
    return names.map((usual) => {
      const name = (this.vocabulary.savesOnly ? WHEN_SAVING[usual] : undefined) ?? usual;
      const sentence = this.language.line.sentences[name];
      if (typeof sentence === 'string') return { text: sentence, plain: [sentence] };
      return { text: sentence.say(this.#facts()), plain: [sentence.plain] };
    });
  }

  get ending(): SentenceName {
    return this.vocabulary.returns ? 'hand_over' : 'goodbye';
  }

  wayOut(): Sentence[] {
    return this.vocabulary.returns ? this.say('way_out') : [];
  }

  /** A sentence that promises a text, only if one can be sent. */
  promised(sentence: 'receipt' | 'text_follows'): SentenceName[] {
    return this.vocabulary.canText ? [sentence] : [];
  }

  /** The integrator's message if there is one, with our own sentences as its recordings. */
  message(kind: 'success' | 'failure', usual: () => Sentence[]): Sentence[] {
    const message = kind === 'success' ? this.vocabulary.successMessage : this.vocabulary.failureMessage;
    const text = tidy(message ?? '');
    if (text === '') return usual();
    return [{ text, plain: usual().flatMap((sentence) => sentence.plain) }];
  }

  /** The same words with the amount that is charged: without what is left to pay, and with the tip. */
  charged({ tipCents = 0, remainingCents = 0 }: ChargeDifference): Sentences {
    return this.withAmount(this.vocabulary.amountCents - remainingCents + tipCents);
  }

  withAmount(amountCents: number): Sentences {
    return new Sentences({ ...this.vocabulary, amountCents }, this.language);
  }

  digit(digit: string): Sentence {
    const text = this.language.numbers.digits[Number(digit)] ?? digit;
    return { text, plain: [text] };
  }

  /** A brand that the language has no name for is just a card. */
  withBrand(sentence: SavedCardSentence, label: string): Sentence {
    const { say, plain } = this.language.line.sentences[sentence];
    const brand = this.#brand(label.toLowerCase().replaceAll('_', '-'));
    return { text: brand === null ? plain : say({ brand }), plain: [plain] };
  }

  /** The recordings have no numbers but digits, so they say the percentage digit by digit. */
  tip(name: (typeof TIP_KEYS)[number], tip: OfferedTip | undefined): Sentence[] {
    if (tip === undefined) return [];
    const { say, plain } = this.language.line.sentences[name];
    const { amount } = this.withAmount(tip.tipCents).#facts();
    const percent = String(tip.percent);
    const digits = [...percent].flatMap((digit) => this.digit(digit).plain);
    return [{ text: say({ percent, amount }), plain: [...digits, plain] }];
  }

  /** @param id of credit-card-type */
  #brand(id: string): string | null {
    const brands: Readonly<Record<string, string>> = this.language.line.brands;
    return brands[id] ?? null;
  }

  #facts() {
    const { businessName, amountCents, currency, acceptedBrands, smallestPartCents } = this.vocabulary;
    const { line, numbers, locale } = this.language;
    const debit = this.vocabulary.debit ?? null;
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

/** A merchant's or integrator's text on one line, without control characters and runs of spaces. */
export function tidy(text: string): string {
  return text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
}
