/**
 * The words of texts. They are short, because every 153 characters cost extra, and one character beyond GSM-7 more than
 * doubles the price. GSM-7 has é, à, ñ, ü and a few more accents, but not á, í, ó, ú, û.
 */

import type { PaymentMethod } from '../../domain/bank-account.ts';
import { cached, currencyFormat, knownZone, minorDigits } from '../../domain/cached-formats.ts';
import { brandText } from '../../domain/card.ts';
import type { Wallet } from '../../domain/charge.ts';
import type { Money } from '../../domain/money.ts';
import type { Purpose } from '../../domain/session.ts';
import { isSpoken, languageFor } from '../../languages/index.ts';
import type { TextWords } from '../../languages/texts.ts';

export interface PaymentFacts {
  businessName: string;
  amount: Money;
  /** The part of the amount that is a tip. By default 0. */
  tipCents?: number;
  /** Of the amount due, beside this payment. By default 0. */
  remainingCents?: number;
  /** As in `CardBrand.label`, such as `AMERICAN_EXPRESS`, or a processor's own. Null if only the processor knows it. */
  brand: string | null;
  lastFour: string | null;
  /** The amount is held and not taken. */
  isHold?: boolean;
  wallet: Wallet | null;
  /** By default, a card. */
  paymentMethod?: PaymentMethod;
  /** Of a bank debit: who authorized it, and whom to call about it. */
  payerName?: string | null;
  debitPhone?: string | null;
  orderId: string | null;
  at: Date;
  /** IANA name. An unknown one counts as UTC. */
  timeZone: string;
  /** BCP 47. English if there are no words for it. */
  language: string;
}

/**
 * `debit_terms`: the written notice of a bank debit. `debit_returned`: the bank returned it after it was paid.
 * `not_collected`: the capture of a payment failed after it had succeeded.
 */
export type TextKind = 'receipt' | 'not_charged' | 'not_collected' | 'late_receipt' | 'debit_terms' | 'debit_returned';
type DebitKind = Extract<TextKind, `debit_${string}`>;

interface CodeFacts {
  businessName: string;
  /** The page's host name. */
  host: string;
  /** Six digits. */
  code: string;
  /** BCP 47. English if there are no words for it. */
  language: string;
}

interface LinkFacts {
  businessName: string;
  amount: Money;
  /** By default, a payment. */
  purpose?: Purpose;
  /** The full URL. */
  link: string;
  /** BCP 47. English if there are no words for it. */
  language: string;
}

const MAX_BUSINESS = 60;
const MAX_ORDER = 40;

/** One line, in the caller's language, with the merchant's local time. */
export function textOf(kind: TextKind, facts: PaymentFacts): string {
  const { words, locale } = wordsIn(facts.language);
  if (kind === 'debit_terms' || kind === 'debit_returned') return debitTextOf(kind, words, locale, facts);
  return words[wordsFor(kind, facts)]({
    business: oneLine(facts.businessName, MAX_BUSINESS),
    // After a failure, more is left than that.
    amount: paidText(words, isUnpaid(kind) ? { ...facts, remainingCents: 0 } : facts, locale),
    card: cardText(words, facts),
    order: facts.orderId === null ? null : oneLine(facts.orderId, MAX_ORDER),
    when: timeText(facts.at, locale, facts.timeZone),
  });
}

const isUnpaid = (kind: TextKind) => kind === 'not_charged' || kind === 'not_collected';

function paidText(words: TextWords, facts: PaymentFacts, locale: string): string {
  const { amount, tipCents = 0, remainingCents = 0 } = facts;
  const text = (amountCents: number) => amountText({ ...amount, amountCents }, locale);
  const paid = text(amount.amountCents);
  const withTip = tipCents === 0 ? paid : words.with_tip({ amount: paid, tip: text(tipCents) });
  return remainingCents === 0 ? withTip : words.with_remaining({ amount: withTip, remaining: text(remainingCents) });
}

function debitTextOf(kind: DebitKind, words: TextWords, locale: string, facts: PaymentFacts): string {
  const said = {
    business: oneLine(facts.businessName, MAX_BUSINESS),
    amount: amountText(facts.amount, locale),
    account: words.account(facts.lastFour),
    when: timeText(facts.at, locale, facts.timeZone),
  };
  const phone = facts.debitPhone ?? null;
  if (kind === 'debit_terms') {
    return words.debit_terms({ ...said, payer: oneLine(facts.payerName ?? '', MAX_BUSINESS), phone: phone ?? '' });
  }
  const order = facts.orderId === null ? null : oneLine(facts.orderId, MAX_ORDER);
  return words.debit_returned({ ...said, order, phone });
}

function wordsFor(
  kind: Exclude<TextKind, DebitKind>,
  { isHold, amount }: PaymentFacts,
): Exclude<TextKind, DebitKind> | 'hold' | 'card_saved' | 'card_not_saved' {
  // Only a card was verified.
  if (amount.amountCents === 0) return kind === 'not_charged' ? 'card_not_saved' : 'card_saved';
  return isHold && !isUnpaid(kind) ? 'hold' : kind;
}

/** One line with the pay link. */
export function linkTextOf({ businessName, amount, link, language, purpose }: LinkFacts): string {
  const { words, locale } = wordsIn(language);
  const business = oneLine(businessName, MAX_BUSINESS);
  if (purpose === 'save_card') return words.save_link({ business, link });
  return words.pay_link({ business, amount: amountText(amount, locale), link });
}

/**
 * A text with a code. Its last line binds the code to the page, so browsers fill it in there only
 * (wicg.github.io/sms-one-time-codes).
 */
export function codeTextOf({ businessName, host, code, language }: CodeFacts): string {
  const { words } = wordsIn(language);
  return `${words.page_code({ business: oneLine(businessName, MAX_BUSINESS), code })}\n\n@${host} #${code}`;
}

/** The words, and the locale for amounts and times. */
function wordsIn(language: string): { words: TextWords; locale: string } {
  const { texts, locale } = languageFor(language);
  return { words: texts, locale: isSpoken(language) ? language : locale };
}

/** A wallet's card has another number than the payer's own, so the wallet's name says more. */
const WALLET_NAMES: Readonly<Record<Wallet, string>> = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' };

function cardText(words: TextWords, { wallet, brand, lastFour, paymentMethod }: PaymentFacts): string | null {
  if (paymentMethod === 'us_bank_account') return words.account(lastFour);
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
const codeFormat = cached(
  (locale, currency) => new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code' }),
);

function amountText({ amountCents, currency }: Money, locale: string): string {
  const major = amountCents / 10 ** minorDigits(currency);
  const text = plain(currencyFormat(locale, currency).format(major));
  return IN_GSM_7.test(text) ? text : plain(codeFormat(locale, currency).format(major));
}

const timeFormat = cached(
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
