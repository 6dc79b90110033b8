/** The charges behind a figure of the statistics: the filters of the list, and links to it. */
import { DECLINE_CODES, type DeclineCode } from '../../../domain/charge.ts';
import type { CountedAs } from '../../../domain/statistics.ts';
import { type Filter, searchOf } from '../list/filters.tsx';
import { words } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

const NOT_THE_CARD = 'Other than the card';

/** @param code null if the card was not the reason */
export const declineText = (code: DeclineCode | null) => (code === null ? NOT_THE_CARD : words(code));

export const DECLINE: Filter = {
  kind: 'choice',
  name: 'decline_code',
  label: 'Decline reason',
  choices: [...DECLINE_CODES.map((code) => [code, words(code)] as const), ['none', NOT_THE_CARD]],
};

const COUNTS: Readonly<Record<CountedAs, string>> = {
  succeeded: 'Succeeded or held',
  failed: 'Failed',
  completed: 'Completed',
  pending: 'Pending',
};

export const COUNTED: Filter = {
  kind: 'choice',
  name: 'counted_as',
  label: 'Counted as',
  choices: Object.entries(COUNTS),
};

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
