/** Figures of an account's payments over a time: what `GET /v1/statistics` counts. */

import type { Scope } from './account.ts';
import { ASKED_FIELDS } from './call-steps.ts';
import type { MerchantId } from './ids.ts';

/** The steps of a call, in their order. `charge`: the card was sent to the processor; `returned`: back to the agent. */
export const FUNNEL_STEPS = ['answered', ...ASKED_FIELDS, 'charge', 'returned'] as const;
type FunnelStep = (typeof FUNNEL_STEPS)[number];

/** What is counted: what was made from `from` on, before `to`; and the time of the same length before it. */
export interface StatisticsRequest {
  scope: Scope;
  from: Date;
  to: Date;
  /** IANA name: in which days begin. */
  timeZone: string;
  /** Null: all of them. */
  merchantId: MerchantId | null;
}

interface Payments {
  currency: string;
  count: number;
  amountCents: number;
}

/** Of charges. */
export interface ChargeCounts {
  succeeded: number;
  failed: number;
  payments: Payments[];
}

/** Calls that reached a step, and those of them that got any further. */
interface FunnelCount {
  step: FunnelStep;
  reached: number;
  wentOn: number;
}

export interface PeriodFigures extends ChargeCounts {
  from: Date;
  to: Date;
  pending: number;
  /** From the answer of the call to the settled charge; null where there is none. */
  medianSecondsToPay: number | null;
  funnel: FunnelCount[];
  /** Most frequent first; a null code: not the card's fault. */
  declines: { code: string | null; count: number }[];
}

export interface Statistics {
  period: PeriodFigures;
  before: PeriodFigures;
  /** Most charges first, {@link MOST_MERCHANTS} at most. */
  merchants: (ChargeCounts & { merchantId: MerchantId })[];
  /** Each day of the period, the first and the last perhaps in part. */
  days: (ChargeCounts & { date: string })[];
}

export const MOST_MERCHANTS = 50;
