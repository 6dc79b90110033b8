/** The words and the look of a receipt by email. It looks like the receipt of the pay page. */
import type { DueEmail } from '../../db/emails/emails.ts';
import { accentPalette } from '../../domain/accent.ts';
import { parseHexColor } from '../../domain/branding.ts';
import { brandText } from '../../domain/card.ts';
import type { EmailKind } from '../../domain/emails.ts';
import { PAGE_COLORS } from '../../domain/page-colors.ts';
import { amountText, dateText } from '../../domain/written.ts';
import type { EmailNote } from '../../languages/emails.ts';
import { isSpoken, languageFor } from '../../languages/index.ts';
import type { PageWords } from '../../languages/page.ts';
import { type Html, html } from '../../lib/html.ts';
import { MAIL_SMALL, mailPage, mailTable } from './mail-page.ts';
import type { Email } from './ports.ts';

/** What a receipt is about. */
export type ReceiptFacts = Omit<DueEmail, 'id' | 'mode' | 'recipient' | 'attempts' | 'ageMs' | 'isOutdated'>;

type Row = readonly [label: string, value: string];

export function receiptEmail(facts: ReceiptFacts): Pick<Email, 'subject' | 'text' | 'html'> {
  const { page, emails, saving, locale: ownLocale } = languageFor(facts.language);
  const locale = isSpoken(facts.language) ? facts.language : ownLocale;
  const amount = amountOf(facts, facts.amountCents, locale);
  const note = noteOf(facts, amount);
  const rows = [...itemRows(facts, locale), ...factRows(facts, locale)];
  const support = supportOf(facts);
  const footer = emails.footer(facts.businessName);
  const question = isCardOnly(facts) ? saving.instead.support : page.support;
  const help = support === '' ? '' : `${question} ${support}`;
  const lines = [
    note.heading,
    note.text,
    '',
    ...rows.map(([label, value]) => emails.row(label, value)),
    '',
    help,
    footer,
  ];
  return {
    subject: note.subject,
    text: `${lines.join('\n').replace(/\n{3,}/g, '\n\n')}\n`,
    html: pageOf(facts, { ...note, amount: isCardOnly(facts) ? null : amount, rows, help, footer }).text,
  };
}

/** Nothing was paid: a card was only saved. */
const isCardOnly = ({ amountCents }: ReceiptFacts) => amountCents === 0;

const UNPAID: readonly EmailKind[] = ['not_charged', 'debit_returned', 'not_collected'];
const isUnpaid = ({ kind }: ReceiptFacts) => UNPAID.includes(kind);

/** A hold is told as such, unless the payment failed. */
function noteOf(facts: ReceiptFacts, amount: string): EmailNote {
  const { kind, isHold, businessName, language } = facts;
  const { emails } = languageFor(language);
  if (isCardOnly(facts)) return emails[kind === 'not_charged' ? 'card_not_saved' : 'card_saved'](businessName, amount);
  return emails[isHold && !isUnpaid(facts) ? 'hold' : kind](businessName, amount);
}

const amountOf = ({ currency }: ReceiptFacts, amountCents: number, locale: string) =>
  amountText({ amountCents, currency }, locale);

function itemRows(facts: ReceiptFacts, locale: string): Row[] {
  return facts.lineItems.map(({ name, quantity, amountCents }) => [
    quantity === 1 ? name : `${name} × ${quantity}`,
    amountOf(facts, quantity * amountCents, locale),
  ]);
}

const WALLETS = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' } as const;

function factRows(facts: ReceiptFacts, locale: string): Row[] {
  const { page, emails } = languageFor(facts.language);
  const { receipt } = page;
  const { tipCents, remainingCents, orderId } = facts;
  const isPaid = !isUnpaid(facts);
  const rows: (Row | null)[] = [
    isCardOnly(facts) ? null : [isPaid ? receipt.amount : page.total, amountOf(facts, facts.amountCents, locale)],
    tipCents === 0 ? null : [emails.tip, amountOf(facts, tipCents, locale)],
    remainingCents === 0 || !isPaid ? null : [receipt.remaining, amountOf(facts, remainingCents, locale)],
    orderId === null ? null : [page.order, orderId],
    facts.kind === 'not_charged' ? null : meansRow(facts, receipt),
    [receipt.when, dateText(facts.at, locale, facts.timeZone)],
    [receipt.reference, facts.chargeId],
  ];
  return rows.filter((row) => row !== null);
}

/** The card, the wallet or the bank account. */
function meansRow({ paymentMethod, lastFour, brand, wallet }: ReceiptFacts, words: PageWords['receipt']): Row | null {
  if (paymentMethod === 'us_bank_account') return [words.account, words.accountEnding(lastFour)];
  if (wallet !== null) return [words.card, WALLETS[wallet]];
  return lastFour === null ? null : [words.card, words.cardEnding(brandText(brand), lastFour)];
}

function supportOf({ branding }: ReceiptFacts): string {
  return [branding?.supportPhone, branding?.supportEmail].filter((way) => way != null).join(' · ');
}

interface Parts extends EmailNote {
  /** Null if nothing was to be paid. */
  amount: string | null;
  rows: readonly Row[];
  help: string;
  footer: string;
}

function pageOf({ businessName, branding, language }: ReceiptFacts, parts: Parts): Html {
  const color = parseHexColor(branding?.accentColor ?? PAGE_COLORS.accent.light);
  const accent = color === null ? PAGE_COLORS.accent.light : accentPalette(color, 'light').accent;
  return mailPage(
    { language, title: parts.subject, width: 432 },
    html`<p style="margin:0;font-weight:600;color:${accent}">${businessName}</p>
<h1 style="margin:16px 0 0;font-size:18px;line-height:1.3">${parts.heading}</h1>
${parts.amount === null ? null : html`<p style="margin:4px 0 0;font-size:40px;line-height:1.1;font-weight:650">${parts.amount}</p>`}
<p style="margin:12px 0 20px">${parts.text}</p>${mailTable(parts.rows)}
${parts.help === '' ? null : html`<p style="${MAIL_SMALL}">${parts.help}</p>`}
<p style="${MAIL_SMALL}">${parts.footer}</p>`,
  );
}
