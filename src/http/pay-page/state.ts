/** The state of a pay page: a pure function of what the database says of the session. */

import type { ChargeAtPage, PayPageReading } from '../../db/pay-links/pay-page.ts';
import type { DeclineCode } from '../../domain/charge.ts';
import { MAX_DECLINES_A_SESSION } from '../../payments/velocity.ts';

/** What is judged. `canPay`: the merchant is connected to a processor that takes cards on the page in this mode. */
export interface PageFacts extends Pick<PayPageReading, 'isOver' | 'declines' | 'orderStatus' | 'charge'> {
  session: Pick<PayPageReading['session'], 'status' | 'verdict'>;
  hasMerchant: boolean;
  canPay: boolean;
}

export type PageState =
  | { kind: 'ready' }
  /** The processor has not answered yet. */
  | { kind: 'working' }
  /** The bank asks the payer: 3-D Secure. */
  | { kind: 'action'; charge: ChargeAtPage }
  | { kind: 'paid'; charge: ChargeAtPage }
  /**
   * The card entered here; it can be tried again. `code`: null where the card is not at fault, but the merchant's
   * setup.
   */
  | { kind: 'declined'; code: DeclineCode | null }
  | { kind: 'no_more_attempts' }
  /** The money may have moved. `of`: a charge of this session, or another session's of the same order. */
  | { kind: 'pending'; of: 'session' | 'order' }
  /** A charge that the phone or the agent has begun. */
  | { kind: 'on_phone' }
  /** Not by this page. `charge`: null where another session of the order has paid. */
  | { kind: 'already_paid'; charge: ChargeAtPage | null }
  | { kind: 'expired' }
  | { kind: 'nothing_to_pay' }
  /** Nobody is there to be paid: the merchant is deleted, or not connected. */
  | { kind: 'gone' };

export type PageKind = PageState['kind'];

/**
 * A charge that is pending or has succeeded comes before the session's end: it may complete a session whose time is
 * over.
 */
export function pageStateOf(facts: PageFacts): PageState {
  const { session, charge, orderStatus } = facts;
  if (charge?.status === 'succeeded') {
    return { kind: charge.source === 'page' ? 'paid' : 'already_paid', charge };
  }
  if (charge?.status === 'pending') return underWay(charge);
  if (session.status === 'complete' || orderStatus === 'succeeded') return { kind: 'already_paid', charge: null };
  if (orderStatus === 'pending') return { kind: 'pending', of: 'order' };
  if (session.status === 'expired' || facts.isOver) return { kind: 'expired' };
  if (!facts.hasMerchant) return { kind: 'gone' };
  if (session.verdict === 'none') return { kind: 'nothing_to_pay' };
  if (!facts.canPay) return { kind: 'gone' };
  if (facts.declines >= MAX_DECLINES_A_SESSION) return { kind: 'no_more_attempts' };
  // What was declined on the phone was told there, and none of this page's fields is wrong.
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
