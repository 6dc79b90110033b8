/**
 * What a call begins with: the question for a card, or at once what the database knows already, so that no card is
 * entered in vain.
 */
import type { SessionForCall } from '../db/sessions/sessions.ts';
import type { CallingBack, FlowEvent } from '../flow/types.ts';
import { MAX_DECLINES_A_SESSION } from '../payments/velocity.ts';

/**
 * The first event of a conversation whose session has no charge that is pending or succeeded. The same rules stop a
 * charge later (payments/rules.ts), when the card has been entered.
 */
export function firstEvent({
  session,
  isOver,
  merchant,
  standing: { orderCharge, declines },
}: Pick<SessionForCall, 'session' | 'isOver' | 'merchant' | 'standing'>): FlowEvent {
  // Of a call to the session itself a SIP status says so; not of one whose caller was asked first which session it is
  // for.
  if (session.status === 'complete') return { type: 'refused', reason: 'already_paid' };
  if (session.status === 'expired' || isOver) return { type: 'refused', reason: 'expired' };
  if (orderCharge?.status === 'succeeded') {
    return { type: 'refused', reason: 'already_paid', chargeId: orderCharge.id };
  }
  // Of another session, whose texts may go to another number.
  if (orderCharge !== null) return { type: 'unconfirmed', chargeId: orderCharge.id, elsewhere: { textFollows: false } };
  if (declines >= MAX_DECLINES_A_SESSION) return { type: 'refused', reason: 'too_many_attempts' };
  if (merchant.processor === null) return { type: 'refused', reason: 'merchant_fault' };
  return { type: 'answered' };
}

/** Whether the caller was on the line before, and has the pay link since; null: this is the session's first call. */
export function callingBack({ hadCall, linkTexted }: SessionForCall['standing']): CallingBack | null {
  if (!hadCall) return null;
  return linkTexted ? 'link_texted' : 'after_call';
}
