/** What needs a person's attention: one item for each cause. */
import type { DeclineCode } from './charge.ts';
import type { AccountId, Id, MerchantId } from './ids.ts';
import type { Money } from './money.ts';
import type { Mode } from './session.ts';
import type { OpenedRate } from './success-rate.ts';

export const ATTENTION_KINDS = [
  'charge_to_settle',
  'refund_to_settle',
  'hold_change_to_settle',
  'late_charge',
  'refund_failed_late',
  'capture_failed',
  'debit_returned',
  'processor_differs',
  'dispute_to_answer',
  'processor_refusing',
  'processor_slow',
  'success_rate_low',
  'success_rate_low_for_days',
  'endpoint_failing',
  'event_unsent',
  'texts_undelivered',
  'texts_near_limit',
  'emails_undelivered',
  'alerts_undelivered',
  'key_expiring',
  'limit_near',
  'key_near_limit',
  'certificate_expiring',
  'certificate_ending',
  'media_server_missing',
  'sip_server_missing',
  'phone_missing',
  'worker_missing',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** Webhook events: an item was opened, or its cause is gone. */
export const ATTENTION_EVENT_TYPES = ['attention.opened', 'attention.closed'] as const;
export type AttentionEventType = (typeof ATTENTION_EVENT_TYPES)[number];

export type AttentionItemId = Id<'AttentionItem'>;

/** What the words of an item need. Never a caller's number. */
export interface AttentionFacts {
  amount?: Money | null;
  /** The charge that a late one duplicates. */
  duplicateOf?: string | null;
  processor?: string;
  /** How many causes there are, and of how many. */
  count?: number;
  of?: number;
  seconds?: number;
  /** Of an endpoint: its answer to the last failed attempt. Null if there was none. */
  statusCode?: number | null;
  /** Of an endpoint: the code of why that attempt failed, as exact as it is known. */
  failure?: string | null;
  /** Of a returned bank debit: Nacha's code, if the processor says it. Also of a failed capture: what was refunded before. */
  returnCode?: string | null;
  refundedCents?: number;
  /** Shares, 0 to 1: of the last hours or days, and of the time before. */
  rate?: number;
  usualRate?: number;
  /** How many of the last hours `rate` covers. Default: one. */
  hours?: number;
  /** When the period of `usualRate` ended, if it did not end with the day before. ISO 8601, in seconds. */
  usualUntil?: string;
  /** The period of what was counted. ISO 8601, in seconds. */
  from?: string;
  until?: string;
  /** The most frequent reasons of failed charges. Null: the card was not the reason. */
  reasons?: { code: DeclineCode | null; count: number }[];
  /** What opened the item. */
  opened?: Omit<OpenedRate, 'hoursAgo'>;
  /**
   * Of a hold's change: `capture` or `void`. Of a key: its name or its first characters. Of an endpoint: its host. Of a
   * dispute: `inquiry` or `chargeback`. Of a difference: `refund` or `capture`. Of a limit: its name.
   * Of a certificate: the host.
   */
  name?: string;
  /** ISO 8601. */
  endsAt?: string;
  /** That time is over. */
  isOver?: boolean;
}

/** A cause, as it was found. */
export interface FoundAttention {
  kind: AttentionKind;
  /** Null: the service as a whole. */
  accountId: AccountId | null;
  mode: Mode | null;
  /** The ID of the object, or a name that distinguishes items of a kind. */
  subject: string;
  merchantId: MerchantId | null;
  facts: AttentionFacts;
  /** When the newest cause began. Null: unknown, so the time of the item's opening counts. */
  newestAt: Date | null;
}

export interface AttentionItem extends Omit<FoundAttention, 'newestAt'> {
  id: AttentionItemId;
  businessName: string | null;
  openedAt: Date;
  /** The cause was gone. */
  closedAt: Date | null;
  /** The account's mark. An item is shown again if a newer cause follows. */
  doneAt: Date | null;
  quietUntil: Date | null;
}

/** `open`: needs attention. `set_aside`: done, or quiet for now. `closed`: the cause is gone. */
export const ATTENTION_STATUSES = ['open', 'set_aside', 'closed'] as const;
export type AttentionStatus = (typeof ATTENTION_STATUSES)[number];
