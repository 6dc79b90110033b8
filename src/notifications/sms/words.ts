/**
 * The words of texts. They are short, because every 153 characters cost extra, and one character beyond GSM-7 more than
 * doubles the price. GSM-7 has é, à, ñ, ü and a few more accents, but not á, í, ó, ú, û.
 */

import { brandText } from '../../domain/card.ts';
import type { Wallet } from '../../domain/charge.ts';
import { currencyFormat, kept, knownZone, minorDigits } from '../../domain/kept-formats.ts';
import { primaryLanguage } from '../../domain/language.ts';
import type { Money } from '../../domain/money.ts';

export interface PaymentFacts {
  businessName: string;
  amount: Money;
  /** As in `CardBrand.label`, such as `AMERICAN_EXPRESS`, or a processor's own. Null if only the processor knows it. */
  brand: string | null;
  lastFour: string | null;
  wallet: Wallet | null;
  orderId: string | null;
  at: Date;
  /** IANA name. An unknown one counts as UTC. */
  timeZone: string;
  /** BCP 47. English if there are no words for it. */
  language: string;
}

export type TextKind = 'receipt' | 'not_charged' | 'late_receipt';

export interface CodeFacts {
  businessName: string;
  /** The page's host name. */
  host: string;
  /** Six digits. */
  code: string;
  /** BCP 47. English if there are no words for it. */
  language: string;
}

export interface LinkFacts {
  businessName: string;
  amount: Money;
  /** The full URL. */
  link: string;
  /** BCP 47. English if there are no words for it. */
  language: string;
}

interface Said {
  business: string;
  amount: string;
  card: string | null;
  order: string | null;
  when: string;
}

interface Words {
  card: (brand: string | null, lastFour: string) => string;
  receipt: (said: Said) => string;
  /** To a caller who heard "we'll text you as soon as we know": nothing was charged. */
  not_charged: (said: Said) => string;
  /**
   * To a caller who heard that nothing was charged, although it was. It is not known here whether the order was also
   * paid in another way.
   */
  late_receipt: (said: Said) => string;
  /** A space follows the link, because a full stop would be read as a part of it. */
  pay_link: (said: Pick<Said, 'business' | 'amount'> & { link: string }) => string;
  /** A payer who reads it to somebody gives the cards away. */
  page_code: (said: Pick<Said, 'business'> & { code: string }) => string;
}

const part = (before: string, value: string | null, after = '') => (value === null ? '' : before + value + after);

const ENGLISH: Words = {
  card: (brand, lastFour) => `${brand ?? 'card'} ending ${lastFour}`,
  receipt: ({ business, amount, card, order, when }) =>
    `${business}: you paid ${amount}${part(' with ', card)}.${part(' Order ', order, '.')} ${when}. Reply STOP to opt out.`,
  not_charged: ({ business, amount, order, when }) =>
    `${business}: your payment of ${amount}${part(' for order ', order)} (${when}) did not go through. You were not charged. Reply STOP to opt out.`,
  late_receipt: ({ business, amount, card, order, when }) =>
    `${business}: your payment of ${amount}${part(' for order ', order)} (${when}) was taken after all${part(' from ', card)}. Please do not pay again. If you paid another way, contact ${business}. Reply STOP to opt out.`,
  pay_link: ({ business, amount, link }) => `${business}: pay ${amount} here: ${link} Reply STOP to opt out.`,
  page_code: ({ business, code }) => `${business}: ${code} is your code for the payment page. Do not share it.`,
};

const WORDS: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  es: {
    card: (brand, lastFour) => `${brand ?? 'tarjeta'} terminada en ${lastFour}`,
    receipt: ({ business, amount, card, order, when }) =>
      `${business}: pago de ${amount}${part(' con ', card)}.${part(' Pedido ', order, '.')} ${when}. Responda STOP para no recibir textos.`,
    not_charged: ({ business, amount, order, when }) =>
      `${business}: su pago de ${amount}${part(' del pedido ', order)} (${when}) no se pudo realizar. No se le ha cobrado nada. Responda STOP para no recibir textos.`,
    late_receipt: ({ business, amount, card, order, when }) =>
      `${business}: su pago de ${amount}${part(' del pedido ', order)} (${when}) se ha cobrado al final${part(' con ', card)}. No pague otra vez. Si ha pagado de otro modo, contacte con ${business}. Responda STOP para no recibir textos.`,
    pay_link: ({ business, amount, link }) =>
      `${business}: pague ${amount} en ${link} Responda STOP para no recibir textos.`,
    page_code: ({ business, code }) => `${business}: ${code} es su clave para pagar en la web. No la dé a nadie.`,
  },
  fr: {
    card: (brand, lastFour) => `${brand ?? 'carte'} finissant par ${lastFour}`,
    receipt: ({ business, amount, card, order, when }) =>
      `${business} : paiement de ${amount}${part(' par ', card)}.${part(' Commande ', order, '.')} ${when}. Répondez STOP pour ne plus rien recevoir.`,
    not_charged: ({ business, amount, order, when }) =>
      `${business} : votre paiement de ${amount}${part(' pour la commande ', order)} (${when}) n'a pas abouti. Rien n'a été débité. Répondez STOP pour ne plus rien recevoir.`,
    late_receipt: ({ business, amount, card, order, when }) =>
      `${business} : votre paiement de ${amount}${part(' pour la commande ', order)} (${when}) a finalement été débité${part(' sur votre ', card)}. Ne payez pas une seconde fois. Si vous avez payé autrement, contactez ${business}. Répondez STOP pour ne plus rien recevoir.`,
    pay_link: ({ business, amount, link }) =>
      `${business} : payez ${amount} sur ${link} Répondez STOP pour ne plus rien recevoir.`,
    page_code: ({ business, code }) =>
      `${business} : ${code} est le code de la page de paiement. Ne le donnez à personne.`,
  },
  de: {
    card: (brand, lastFour) => `${brand ?? 'Karte'} mit Endziffern ${lastFour}`,
    receipt: ({ business, amount, card, order, when }) =>
      `${business}: ${amount} bezahlt${part(' mit ', card)}.${part(' Bestellung ', order, '.')} ${when}. Mit STOP abbestellen.`,
    not_charged: ({ business, amount, order, when }) =>
      `${business}: Ihre Zahlung von ${amount}${part(' für Bestellung ', order)} (${when}) kam nicht zustande. Es wurde nichts abgebucht. Mit STOP abbestellen.`,
    late_receipt: ({ business, amount, card, order, when }) =>
      `${business}: Ihre Zahlung von ${amount}${part(' für Bestellung ', order)} (${when}) wurde doch abgebucht${part(', ', card)}. Bitte zahlen Sie nicht noch einmal. Falls Sie anders bezahlt haben, wenden Sie sich an ${business}. Mit STOP abbestellen.`,
    pay_link: ({ business, amount, link }) =>
      `${business}: Bitte zahlen Sie ${amount} hier: ${link} Mit STOP abbestellen.`,
    page_code: ({ business, code }) =>
      `${business}: ${code} ist Ihr Code für die Zahlungsseite. Sagen Sie ihn niemandem.`,
  },
};

const MAX_BUSINESS = 60;
const MAX_ORDER = 40;

/** One line, in the caller's language, with the merchant's local time. */
export function textOf(kind: TextKind, facts: PaymentFacts): string {
  const { words, locale } = wordsIn(facts.language);
  return words[kind]({
    business: oneLine(facts.businessName, MAX_BUSINESS),
    amount: amountText(facts.amount, locale),
    card: cardText(words, facts),
    order: facts.orderId === null ? null : oneLine(facts.orderId, MAX_ORDER),
    when: timeText(facts.at, locale, facts.timeZone),
  });
}

/** One line with the pay link. */
export function linkTextOf({ businessName, amount, link, language }: LinkFacts): string {
  const { words, locale } = wordsIn(language);
  return words.pay_link({ business: oneLine(businessName, MAX_BUSINESS), amount: amountText(amount, locale), link });
}

/**
 * A text with a code. Its last line binds the code to the page, so browsers fill it in there only
 * (wicg.github.io/sms-one-time-codes).
 */
export function codeTextOf({ businessName, host, code, language }: CodeFacts): string {
  const { words } = wordsIn(language);
  return `${words.page_code({ business: oneLine(businessName, MAX_BUSINESS), code })}\n\n@${host} #${code}`;
}

/** The words, and the locale for amounts and times. English if there are no words. @param language BCP 47 */
function wordsIn(language: string): { words: Words; locale: string } {
  const words = WORDS[primaryLanguage(language)];
  return words === undefined ? { words: ENGLISH, locale: 'en-US' } : { words, locale: language };
}

/** A wallet's card has another number than the payer's own, so the wallet's name says more. */
const WALLET_NAMES: Readonly<Record<Wallet, string>> = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' };

function cardText(words: Words, { wallet, brand, lastFour }: PaymentFacts): string | null {
  if (wallet !== null) return WALLET_NAMES[wallet];
  return lastFour === null ? null : words.card(brandText(brand), lastFour);
}

/** Merchants and integrators write these: removes line breaks and limits the length. */
function oneLine(text: string, max: number): string {
  const line = plain(text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim());
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 3).join('')}...`;
}

/** GSM-7 has $, €, £ and ¥. For other signs, such as ₩, the currency code keeps the text in one segment. */
const IN_GSM_7 = /^[\d\sA-Z.,'$€£¥-]+$/;
const codeFormat = kept(
  (locale, currency) => new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code' }),
);

function amountText({ amountCents, currency }: Money, locale: string): string {
  const major = amountCents / 10 ** minorDigits(currency);
  const text = plain(currencyFormat(locale, currency).format(major));
  return IN_GSM_7.test(text) ? text : plain(codeFormat(locale, currency).format(major));
}

const timeFormat = kept(
  (locale, timeZone) =>
    new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
      timeZone,
    }),
);

function timeText(at: Date, locale: string, timeZone: string): string {
  // GSM-7 has no û. The French spelling reform of 1990 allows the month without its accent.
  return plain(timeFormat(locale, knownZone(timeZone)).format(at)).replace('août', 'aout');
}

/** Typographic spaces and quotes, including Intl's, would move the whole text out of GSM-7. */
function plain(text: string): string {
  return text
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2014\u2212]/g, '-');
}
