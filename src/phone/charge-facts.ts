/** What events and outcomes of a call say of a charge. */
import { type Charge, differenceOf } from '../domain/charge.ts';
import type { FlowEvent } from '../flow/events.ts';

/** The session or its order was paid by this charge, or the amount is held, and nothing is asked. */
export function paidBefore(charge: Pick<Charge, 'id' | 'status' | 'tipCents' | 'remainingCents'>): FlowEvent {
  const reason = charge.status === 'authorized' ? 'already_held' : 'already_paid';
  return { type: 'refused', reason, chargeId: charge.id, ...differenceOf(charge) };
}
