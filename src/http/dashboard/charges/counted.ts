/** The charges behind a figure of the statistics: the filters of the list, and links to it. */
import type { DeclineCode } from '../../../domain/charge.ts';
import type { CountedAs } from '../../../domain/statistics.ts';
import { type Filter, searchOf } from '../list/filters.tsx';
import type { Visit } from '../page/visit.ts';
import { choicesOf, names } from '../words/names/index.ts';
import { chargeWords } from './words/index.ts';

/** @param code null if the card was not the reason */
export const declineText = (code: DeclineCode | null): string => names().declineCode[code ?? 'none'];

export function declineFilter(): Filter {
  const { filters } = chargeWords();
  return { kind: 'choice', name: 'decline_code', label: filters.decline, choices: choicesOf(names().declineCode) };
}

export function countedFilter(): Filter {
  const { filters, countedAs } = chargeWords();
  return { kind: 'choice', name: 'counted_as', label: filters.countedAs, choices: choicesOf(countedAs) };
}

/** Days of a time zone, and the merchant. */
export interface CountedDays {
  /** The first day, and the last one: `2026-11-20`. */
  from: string;
  to: string;
  zone: string;
  merchantId: string | undefined;
}

/** The list of the charges that the statistics count. @param code null: the card was not the reason. Undefined: any */
export function countedCharges(
  { base }: Visit,
  { from, to, zone, merchantId }: CountedDays,
  countedAs: CountedAs,
  code?: DeclineCode | null,
): string {
  const filters = { from, to, zone, counted_as: countedAs, merchant_id: merchantId, decline_code: code ?? undefined };
  return `${base}/charges${searchOf({ ...filters, ...(code === null && { decline_code: 'none' }) })}`;
}
