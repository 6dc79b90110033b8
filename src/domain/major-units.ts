/** Amounts in major units: as people type them and machines write them, with as many decimals as the currency has. */
import { kept, minorDigits } from './kept-formats.ts';
import type { Money } from './money.ts';

/** As machines write it: `42.50`, and `4250` of a currency without a minor unit, whatever the language. */
export function majorUnits({ amountCents, currency }: Pick<Money, 'amountCents'> & { currency: string }): string {
  const digits = minorDigits(currency);
  return (amountCents / 10 ** digits).toFixed(digits);
}

const pattern = kept(
  (digits) => new RegExp(digits === '0' ? '^(\\d{1,8})$' : `^(\\d{1,8})(?:\\.(\\d{1,${digits}}))?$`),
);

/** `42.5` → 4250 of USD; null for what is no amount, or has more decimals than the currency. */
export function minorUnits(text: string, currency: string): number | null {
  const digits = minorDigits(currency);
  const parts = pattern(String(digits)).exec(text);
  if (parts === null) return null;
  const [, whole = '', decimals = ''] = parts;
  return Number(whole) * 10 ** digits + Number(decimals.padEnd(digits, '0'));
}

/** An amount of the currency to show how one is typed: `42.50`, `4250`. */
export const exampleAmount = (currency: string) => majorUnits({ amountCents: 4_250, currency });
