/** Alerts: messages about attention items to people, by email or to a Slack channel. */
import type { AttentionKind } from './attention.ts';
import type { AccountId, Id, MerchantId, UserId } from './ids.ts';
import type { MonthTotals } from './month-report.ts';
import type { Mode } from './session.ts';

export const ALERT_CHANNELS = ['email', 'slack'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

export const ALERT_TOPICS = ['payments', 'processors', 'deliveries', 'keys', 'service'] as const;
export type AlertTopic = (typeof ALERT_TOPICS)[number];

const TOPICS: Readonly<Record<AttentionKind, AlertTopic>> = {
  charge_to_settle: 'payments',
  refund_to_settle: 'payments',
  hold_change_to_settle: 'payments',
  late_charge: 'payments',
  dispute_to_answer: 'payments',
  refund_failed_late: 'payments',
  capture_failed: 'payments',
  debit_returned: 'payments',
  processor_differs: 'payments',
  processor_refusing: 'processors',
  processor_slow: 'processors',
  success_rate_low: 'processors',
  success_rate_low_for_days: 'processors',
  endpoint_failing: 'deliveries',
  event_unsent: 'deliveries',
  texts_undelivered: 'deliveries',
  texts_near_limit: 'deliveries',
  emails_undelivered: 'deliveries',
  alerts_undelivered: 'deliveries',
  key_expiring: 'keys',
  limit_near: 'service',
  key_near_limit: 'keys',
  certificate_expiring: 'keys',
  certificate_ending: 'keys',
  media_server_missing: 'service',
  sip_server_missing: 'service',
  phone_missing: 'service',
  worker_missing: 'service',
};

/** Callers cannot pay, or may have paid twice, while the problem lasts. */
const URGENT: ReadonlySet<AttentionKind> = new Set([
  'late_charge',
  'capture_failed',
  'debit_returned',
  'processor_refusing',
  'processor_slow',
  'success_rate_low',
  'certificate_ending',
  'media_server_missing',
  'sip_server_missing',
  'phone_missing',
  'worker_missing',
]);

export const isUrgent = (kind: AttentionKind): boolean => URGENT.has(kind);

/** Urgent ones come first, otherwise in the given order. */
export const urgentFirst = <T>(items: readonly T[], isItemUrgent: (item: T) => boolean): T[] =>
  items.toSorted((one, other) => Number(isItemUrgent(other)) - Number(isItemUrgent(one)));

/** The kinds that a target is told about. @param urgentOnly also during quiet hours */
export function kindsOf(topics: readonly AlertTopic[], urgentOnly: boolean): AttentionKind[] {
  const kinds = Object.keys(TOPICS) as AttentionKind[];
  return kinds.filter((kind) => topics.includes(TOPICS[kind]) && (!urgentOnly || URGENT.has(kind)));
}

export type AlertTargetId = Id<'AlertTarget'>;
export type AlertMessageId = Id<'AlertMessage'>;

/** What a target is told, and when. Hours are those of `timeZone`, 0 to 23. */
export interface AlertSettings {
  topics: AlertTopic[];
  urgentOnly: boolean;
  /** IANA name. */
  timeZone: string;
  /** From this hour until the other one, only urgent problems are told. Both null: no quiet hours. */
  quietFrom: number | null;
  quietUntil: number | null;
  /** Null: no daily summary. */
  summaryHour: number | null;
  /** Whether a summary of a day without calls and problems is sent, too. */
  summaryIfEmpty: boolean;
  /** On the first day of a month, their reports of the month before are sent. Empty: none. */
  reportMerchants: MerchantId[];
}

export const DEFAULT_ALERTS: AlertSettings = {
  topics: [...ALERT_TOPICS],
  urgentOnly: false,
  timeZone: 'UTC',
  quietFrom: null,
  quietUntil: null,
  summaryHour: null,
  summaryIfEmpty: false,
  reportMerchants: [],
};

export interface AlertTarget extends AlertSettings {
  id: AlertTargetId;
  accountId: AccountId;
  mode: Mode;
  /** The user whom the target belongs to. Null: the account's. */
  userId: UserId | null;
  channel: AlertChannel;
  /** Given by the user. Empty: none. */
  name: string;
  /** The address of an email. Null for Slack, whose URL is a secret. */
  email: string | null;
  createdAt: Date;
  /** The newest message; null if there was none. */
  last: LastAlert | null;
}

export const ALERT_MESSAGE_KINDS = ['alert', 'summary', 'report', 'test'] as const;
export type AlertMessageKind = (typeof ALERT_MESSAGE_KINDS)[number];
export const ALERT_MESSAGE_STATUSES = ['waiting', 'sent', 'failed'] as const;

interface LastAlert {
  kind: AlertMessageKind;
  status: (typeof ALERT_MESSAGE_STATUSES)[number];
  attempts: number;
  /** The code of the last failure. */
  errorCode: string | null;
  /** ISO 8601. */
  createdAt: string;
  settledAt: string | null;
}

/** An item in a message, in words. */
export interface AlertLine {
  title: string;
  detail: string;
  advice: string;
  /** The page in the dashboard, within the mode. */
  path: string;
  isUrgent: boolean;
}

/** The items that opened and closed since the last message: the first of them, and how many there are. */
export interface AlertNews {
  opened: AlertLine[];
  openedCount: number;
  closed: string[];
  closedCount: number;
}

/** Of one currency, on one day. */
export interface DayPayments {
  currency: string;
  payments: number;
  grossCents: number;
  refundedCents: number;
}

export interface DayFigures {
  /** `2026-11-20`. */
  day: string;
  calls: number;
  paidCalls: number;
  /** Charges: a held amount counts as succeeded. */
  succeeded: number;
  failed: number;
  payments: DayPayments[];
  /** The share of charges that succeeded in the week before. Null: there were none. */
  usualRate: number | null;
}

/** A daily summary. */
export interface AlertSummary extends DayFigures {
  /** The titles of the newest open items, and how many there are. */
  open: string[];
  openCount: number;
}

/** The month-end reports of the chosen merchants. */
export interface AlertReport {
  /** `2026-10`. */
  month: string;
  timeZone: string;
  merchants: MerchantReport[];
}

interface MerchantReport {
  merchantId: MerchantId;
  businessName: string;
  /** By currency. Null: counting took too long. */
  totals: Omit<MonthTotals, 'ways' | 'days'>[] | null;
}
