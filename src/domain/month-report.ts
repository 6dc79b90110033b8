/** The month-end report of a merchant: what it took, refunded and was paid out in a month, by day and by way of payment. */
import type { Scope } from './account.ts';
import type { MerchantId } from './ids.ts';
import { startOfDay } from './local-days.ts';

/** The ways of payment: a keyed card on a call, the pay page, a saved card. */
export const PAYMENT_WAYS = ['phone', 'page', 'saved_card'] as const;
export type PaymentWay = (typeof PAYMENT_WAYS)[number];

export interface MonthReportRequest {
  scope: Scope;
  merchantId: MerchantId;
  days: MonthDays;
}

/** The days of a month in a time zone, as far as they have started. */
export interface MonthDays {
  /** `2026-10`. */
  month: string;
  timeZone: string;
  /** `2026-10-01` and so on. */
  dates: readonly string[];
  /** When each of them begins, and when the last one ends. */
  starts: readonly Date[];
}

export interface WayTotals {
  way: PaymentWay;
  payments: number;
  grossCents: number;
}

export interface DayTotals {
  /** `2026-10-01`. */
  date: string;
  payments: number;
  grossCents: number;
  refunds: number;
  refundedCents: number;
}

/** In one currency. */
export interface MonthTotals {
  currency: string;
  /** Succeeded charges of the month, those in full or partially refunded included. */
  payments: number;
  grossCents: number;
  /** Made in the month, whenever the payment was made. Pending refunds count, failed ones do not. */
  refunds: number;
  refundedCents: number;
  /** Opened in the month. */
  disputes: number;
  disputedCents: number;
  /** Of these, those that were lost by now. */
  lostCents: number;
  /** Arrived in the month. */
  payouts: number;
  /** Of these, those that other merchants have, too: they share an account at the processor. */
  sharedPayouts: number;
  paidOutCents: number;
  /** The fees of these payouts. Null if there were none. */
  feeCents: number | null;
  ways: WayTotals[];
  days: DayTotals[];
}

const MONTH = /^20\d\d-(?:0[1-9]|1[0-2])$/;
const DAY_MS = 86_400_000;

/** `2026-10` and -1: `2026-09`. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The month that a time belongs to in a time zone: `2026-10`. */
export function monthOf(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit' }).format(at);
}

/** @returns null if there is no such month or time zone, or if the month has not started */
export function daysOfMonth(month: string, timeZone: string, now: Date): MonthDays | null {
  if (!MONTH.test(month)) return null;
  const dates: string[] = [];
  const starts: Date[] = [];
  for (let at = Date.parse(`${month}-01T00:00:00Z`); ; at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10);
    const start = startOfDay(date, timeZone);
    if (start === null) return null;
    starts.push(start);
    const isOver = !date.startsWith(month) || start > now;
    if (isOver) break;
    dates.push(date);
  }
  return dates.length === 0 ? null : { month, timeZone, dates, starts };
}
