/** Amounts in messages: payments, refunded and net, as rows. */
import type { DayPayments } from '../domain/alerts.ts';
import type { LanguageTag } from '../languages/index.ts';
import { alertFormats } from './words/formats.ts';
import { alertTexts } from './words/index.ts';

/** @param isNamed the currency is named, because there are several */
export function moneyRows(
  tag: LanguageTag,
  { currency, payments, grossCents, refundedCents }: DayPayments,
  isNamed: boolean,
) {
  const w = alertTexts(tag);
  const { money } = alertFormats(tag);
  const label = (text: string) => (isNamed ? w.inCurrency(text, currency) : text);
  return [
    [label(w.money.payments), w.ofPayments(payments, money(grossCents, currency))],
    [label(w.money.refunded), money(refundedCents, currency)],
    [label(w.money.net), money(grossCents - refundedCents, currency)],
  ] as const;
}
