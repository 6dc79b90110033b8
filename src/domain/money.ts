/** Amounts: integers of the currency's minor unit, never fractions. */

/** ISO 4217 codes, upper case. JPY and KRW have no minor unit, so their amounts are whole yen and won. */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'JPY', 'KRW'] as const;
export type Currency = (typeof CURRENCIES)[number];

export interface Money {
  /** 1 … 99,999,999 minor units. */
  readonly amountCents: number;
  readonly currency: Currency;
}

export const MAX_AMOUNT_CENTS = 99_999_999;

/** Whether `value` can be charged: an integer from 1 to {@link MAX_AMOUNT_CENTS}. */
export function isChargeable(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MAX_AMOUNT_CENTS;
}
