/**
 * Amounts: integers of the currency's minor unit, never fractions. People type them and machines write them in major
 * units, with the currency's number of decimals.
 */
import { cached, minorDigits } from './cached-formats.ts';
import type { Country } from './phone-number.ts';

/** ISO 4217 codes, upper case. JPY and KRW have no minor unit, so their amounts are whole yen and won. */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'JPY', 'KRW'] as const;
export type Currency = (typeof CURRENCIES)[number];

export interface Money {
  /** 1 … 99,999,999 minor units. 0 if nothing is due, or a card is only saved. */
  readonly amountCents: number;
  readonly currency: Currency;
}

export const MAX_AMOUNT_CENTS = 99_999_999;

/** Whether `value` can be charged: an integer from 1 to {@link MAX_AMOUNT_CENTS}. */
export function isChargeable(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MAX_AMOUNT_CENTS;
}

/** The amount in major units, as machines write it: `42.50`, or `4250` for a currency without a minor unit. Independent of the language. */
export function majorUnits({ amountCents, currency }: Pick<Money, 'amountCents'> & { currency: string }): string {
  const digits = minorDigits(currency);
  return (amountCents / 10 ** digits).toFixed(digits);
}

const pattern = cached(
  (digits) => new RegExp(digits === '0' ? '^(\\d{1,8})$' : `^(\\d{1,8})(?:\\.(\\d{1,${digits}}))?$`),
);

/** Parses an amount in major units: `42.5` USD becomes 4250. Null if it is not an amount, or has more decimals than the currency. */
export function minorUnits(text: string, currency: string): number | null {
  const digits = minorDigits(currency);
  const parts = pattern(String(digits)).exec(text);
  if (parts === null) return null;
  const [, whole = '', decimals = ''] = parts;
  return Number(whole) * 10 ** digits + Number(decimals.padEnd(digits, '0'));
}

/** An example of how to type an amount: `42.50`, `4250`. */
export const exampleAmount = (currency: string) => majorUnits({ amountCents: 4_250, currency });

/** With its territories, which share its numbering. */
const UNITED_STATES = ['US', 'PR', 'VI', 'GU', 'AS', 'MP'] as const;
/** Members of the euro area. */
const EURO_AREA: readonly Country[] = [
  'AT',
  'BE',
  'BG',
  'CY',
  'DE',
  'EE',
  'ES',
  'FI',
  'FR',
  'GR',
  'HR',
  'IE',
  'IT',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'PT',
  'SI',
  'SK',
];

/** The countries with this currency (ISO 4217, ISO 3166-1). */
export const COUNTRIES_OF_CURRENCY: Readonly<Record<Currency, readonly Country[]>> = {
  USD: UNITED_STATES,
  EUR: EURO_AREA,
  GBP: ['GB'],
  CAD: ['CA'],
  AUD: ['AU'],
  JPY: ['JP'],
  KRW: ['KR'],
};
