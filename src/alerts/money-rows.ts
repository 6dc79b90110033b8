/** Amounts in messages: payments, refunded and net, as rows. */
import type { DayPayments } from '../domain/alerts.ts';
import { currencyFormat, minorDigits } from '../domain/cached-formats.ts';
import type { Currency } from '../domain/money.ts';

export const moneyText = (cents: number, currency: string): string =>
  currencyFormat('en-US', currency as Currency).format(cents / 10 ** minorDigits(currency as Currency));

/** @param isNamed the currency is named, because there are several */
export function moneyRows({ currency, payments, grossCents, refundedCents }: DayPayments, isNamed: boolean) {
  const label = (text: string) => (isNamed ? `${text}, ${currency}` : text);
  return [
    [label('Payments'), `${payments}, ${moneyText(grossCents, currency)}`],
    [label('Refunded'), moneyText(refundedCents, currency)],
    [label('Net'), moneyText(grossCents - refundedCents, currency)],
  ] as const;
}
