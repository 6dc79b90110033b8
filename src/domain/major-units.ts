/** Amounts in major units, as people type them and machines write them, with the currency's number of decimals. */
import { kept, minorDigits } from './kept-formats.ts';
import type { Money } from './money.ts';

/** As machines write it: `42.50`, or `4250` for a currency without a minor unit. Independent of the language. */
export function majorUnits({ amountCents, currency }: Pick<Money, 'amountCents'> & { currency: string }): string {
  const digits = minorDigits(currency);
  return (amountCents / 10 ** digits).toFixed(digits);
}

const pattern = kept(
  (digits) => new RegExp(digits === '0' ? '^(\\d{1,8})$' : `^(\\d{1,8})(?:\\.(\\d{1,${digits}}))?$`),
);

/** `42.5` USD becomes 4250. Null if it is not an amount, or has more decimals than the currency. */
export function minorUnits(text: string, currency: string): number | null {
  const digits = minorDigits(currency);
  const parts = pattern(String(digits)).exec(text);
  if (parts === null) return null;
  const [, whole = '', decimals = ''] = parts;
  return Number(whole) * 10 ** digits + Number(decimals.padEnd(digits, '0'));
}

/** An example of how to type an amount: `42.50`, `4250`. */
export const exampleAmount = (currency: string) => majorUnits({ amountCents: 4_250, currency });
