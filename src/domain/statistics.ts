/** Statistics of an account's payments in a period, for `GET /v1/statistics`. */

import type { Scope } from './account.ts';
import { ASKED_FIELDS, askStep, CHARGE_STEP, RETURN_STEP } from './call.ts';
import type { MerchantId } from './ids.ts';

/** The steps of a call, in order. `charge`: the card was sent to the processor. `returned`: back to the agent. */
export const FUNNEL_STEPS = ['answered', ...ASKED_FIELDS, 'charge', 'returned'] as const;
export type FunnelStep = (typeof FUNNEL_STEPS)[number];

/** The name of a step in timelines. Null: every answered call has it. */
export function timelineStep(step: FunnelStep): string | null {
  if (step === 'answered') return null;
  if (step === 'charge') return CHARGE_STEP;
  return step === 'returned' ? RETURN_STEP : askStep(step);
}

/** Counts what was created from `from` (inclusive) to `to` (exclusive), and in an equally long period before. */
export interface StatisticsRequest {
  scope: Scope;
  from: Date;
  to: Date;
  /** The start of the period before, which ends at `from` or earlier. */
  compareFrom: Date;
  /** IANA name. Decides when days begin. */
  timeZone: string;
  /** Null: all merchants. */
  merchantId: MerchantId | null;
}

/** What the statistics count charges as. `completed`: succeeded or failed. Cards that were only verified are not counted. */
export const COUNTED_AS = ['succeeded', 'failed', 'completed', 'pending'] as const;
export type CountedAs = (typeof COUNTED_AS)[number];

interface Payments {
  currency: string;
  count: number;
  /** Gross. */
  amountCents: number;
  /** Of the same charges, whenever they were refunded. */
  refundedCents: number;
}

/** Of charges. */
export interface ChargeCounts {
  succeeded: number;
  failed: number;
  payments: Payments[];
}

/** Calls that reached a step, those that got further, and, at the last one, those that saved a card without a payment. */
interface FunnelCount {
  step: FunnelStep;
  reached: number;
  wentOn: number;
  saved: number;
}

export interface PeriodFigures extends ChargeCounts {
  from: Date;
  to: Date;
  pending: number;
  /** From the answer of the call to the settled charge; null if there is none. */
  medianSecondsToPay: number | null;
  funnel: FunnelCount[];
  /** Most frequent first. A null code: the card is not at fault. */
  declines: { code: string | null; count: number }[];
}

export interface Statistics {
  period: PeriodFigures;
  before: PeriodFigures;
  /** Most charges first, at most {@link MOST_MERCHANTS}. */
  merchants: (ChargeCounts & { merchantId: MerchantId })[];
  /** Each day of the period. The first and the last may be partial. */
  days: (ChargeCounts & { date: string })[];
}

export const MOST_MERCHANTS = 50;
