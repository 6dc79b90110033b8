/** The state of a pay page: a pure function of the session's database rows. */

import type { ChargeAtPage, PayPageReading } from '../../db/pay-links/pay-page.ts';
import { type DeclineCode, isPaidStatus } from '../../domain/charge.ts';
import { MAX_DECLINES_A_SESSION } from '../../payments/rules/velocity.ts';

/** `canPay`: the merchant is connected to a processor that takes cards on the page in this mode. */
export interface PageFacts
  extends Pick<PayPageReading, 'isOver' | 'declines' | 'orderStatus' | 'orderIsPart' | 'charge'> {
  session: Pick<PayPageReading['session'], 'status' | 'verdict'>;
  hasMerchant: boolean;
  canPay: boolean;
}

export type PageState =
  | { kind: 'ready' }
  /** The processor has not answered yet. */
  | { kind: 'working' }
  /** The bank wants the payer to confirm (3-D Secure). */
  | { kind: 'action'; charge: ChargeAtPage }
  | { kind: 'paid'; charge: ChargeAtPage }
  /** The card entered here was declined. Another try is possible. `code`: null if the merchant's setup is the cause. */
  | { kind: 'declined'; code: DeclineCode | null }
  | { kind: 'no_more_attempts' }
  /** The money may have moved. `of`: whether the charge is this session's or another one's of the same order. */
  | { kind: 'pending'; of: 'session' | 'order' }
  /** The phone or the agent has started a charge. */
  | { kind: 'on_phone' }
  /** Paid, but not on this page. `charge`: null if another session of the order was paid. */
  /** `isHeld`: another payment holds the amount of the order. `isPart`: another one paid a part of it. */
  | { kind: 'already_paid'; charge: ChargeAtPage | null; isHeld?: true; isPart?: true }
  | { kind: 'expired' }
  | { kind: 'nothing_to_pay' }
  /** The merchant was deleted or is not connected to a processor. */
  | { kind: 'gone' };

export type PageKind = PageState['kind'];

/** Checks charges before the session's end: a pending or successful charge may complete an expired session. */
export function pageStateOf(facts: PageFacts): PageState {
  const { session, charge, orderStatus } = facts;
  if (charge !== null && isPaidStatus(charge.status)) {
    return { kind: charge.source === 'page' ? 'paid' : 'already_paid', charge };
  }
  if (charge?.status === 'pending') return underWay(charge);
  // Its hold was released, or its capture failed after the session was complete.
  const isReleased = charge?.status === 'voided' || charge?.status === 'expired';
  if (isReleased || (charge?.status === 'failed' && session.status === 'complete')) return { kind: 'expired' };
  const isOrderPaid = orderStatus !== null && isPaidStatus(orderStatus);
  if (orderStatus === 'authorized') return { kind: 'already_paid', charge: null, isHeld: true };
  if (isOrderPaid && facts.orderIsPart) return { kind: 'already_paid', charge: null, isPart: true };
  if (session.status === 'complete' || isOrderPaid) return { kind: 'already_paid', charge: null };
  if (orderStatus === 'pending') return { kind: 'pending', of: 'order' };
  if (session.status === 'expired' || facts.isOver) return { kind: 'expired' };
  if (!facts.hasMerchant) return { kind: 'gone' };
  if (session.verdict === 'none') return { kind: 'nothing_to_pay' };
  if (!facts.canPay) return { kind: 'gone' };
  if (facts.declines >= MAX_DECLINES_A_SESSION) return { kind: 'no_more_attempts' };
  // The caller heard of a decline on the phone, and no field of this page is wrong.
  return charge?.source === 'page' ? { kind: 'declined', code: charge.declineCode } : { kind: 'ready' };
}

function underWay(charge: ChargeAtPage): PageState {
  const { awaitsPayer, isLate, isUnknown, source } = charge;
  if (awaitsPayer) return { kind: 'action', charge };
  if (isUnknown || isLate) return { kind: 'pending', of: 'session' };
  return { kind: source === 'page' ? 'working' : 'on_phone' };
}

/** Whether the page has the form in this state. */
export const canBePaid = ({ kind }: PageState): boolean => kind === 'ready' || kind === 'declined';
