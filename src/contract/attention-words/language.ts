/** What a language writes for attention items, and from what. */
import type { LimitName } from '../../domain/account-limits.ts';
import type { AttentionKind } from '../../domain/attention.ts';
import { cached } from '../../domain/cached-formats.ts';

/** The facts of an item, ready to be shown. */
export interface ShownFacts {
  /** Null if it is not known. */
  amount: string | null;
  /** The merchant's name. Null if the cause concerns all merchants. */
  merchant: string | null;
  /** Its name. */
  processor: string;
  name: string;
  /** Null if there is none. */
  day: string | null;
  isOver: boolean;
  count: number;
  of: number;
  seconds: number;
  /** Shares of charges that failed. */
  failed: string;
  usuallyFailed: string;
  /** How many days the period has, if it is of whole days. */
  days: number;
  /** The day in UTC before which `usuallyFailed` was counted. Null if it is not known. */
  usualUntil: string | null;
  /** The period that the counts are of. Null if it is not known. */
  period: string | null;
  /** The most frequent reasons of failures with their counts, as a list. Null if they are not known. */
  reasons: string | null;
  isDuplicate: boolean;
  returnCode: string | null;
  /** Of an endpoint's last response. Null if there was none, or if it is not known. */
  statusCode: number | null;
  /** Why the endpoint gave no response. Null if it is not known. */
  failure: string | null;
  wasRefunded: boolean;
  /** Of the kind `limit_near`. */
  limit: LimitName;
  /** The limit is one of the service, not of the account. */
  isOfService: boolean;
}

export interface AttentionTexts {
  title: string;
  detail: string;
  /** What to do. */
  advice: string;
}

export interface LimitTexts {
  what: string;
  /** Instead of a title and a number made from `what`. */
  title?: string;
  used?: (count: number) => string;
  /** What happens at the limit. */
  atLimit: string;
  advice: string;
}

export interface AttentionLanguage {
  /** Of amounts and shares. */
  numbers: string;
  /** Of days. */
  days: string;
  /** The processor `payconnector`, and an unknown one, at the beginning of a sentence. */
  payConnector: string;
  someProcessor: string;
  items: Readonly<Record<AttentionKind, (facts: ShownFacts) => AttentionTexts>>;
}

const numberFormat = cached((locale) => new Intl.NumberFormat(locale));

/** Writes numbers as a locale does: `1,234`. */
export const numbersIn =
  (locale: string) =>
  (value: number): string =>
    numberFormat(locale).format(value);
