/** What events and outcomes of a call say of a charge. */
import type { Charge } from '../domain/charge.ts';
import type { FlowEvent } from '../flow/types.ts';

/** Absent without a tip. */
export const tipOf = ({ tipCents }: Pick<Charge, 'tipCents'>) => (tipCents === 0 ? {} : { tipCents });

/** The session or its order was paid by this charge, or the amount is held, and nothing is asked. */
export function paidBefore({ id: chargeId, status, tipCents }: Pick<Charge, 'id' | 'status' | 'tipCents'>): FlowEvent {
  const reason = status === 'authorized' ? 'already_held' : 'already_paid';
  return { type: 'refused', reason, chargeId, ...tipOf({ tipCents }) };
}
