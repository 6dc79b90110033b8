/** The outcomes of payments that callers are told about by text and email. */
import type { UnrelayedEvent } from '../../db/events/outbox.ts';
import type { ChargeId, EventId } from '../../domain/ids.ts';

/** Older outcomes are no longer told: the relay was down for a day. */
const NEWS_MS = 24 * 60 * 60 * 1_000;

export interface PaymentOutcome {
  kind: 'receipt' | 'not_charged';
  eventId: EventId;
}

export function paymentOutcomesOf(events: readonly UnrelayedEvent[]): Map<ChargeId, PaymentOutcome> {
  const outcomes = new Map<ChargeId, PaymentOutcome>();
  for (const { id: eventId, type, facts, ageMs } of events) {
    const chargeId = facts?.charge?.charge_id;
    if (chargeId === undefined || ageMs > NEWS_MS) continue;
    if (type === 'checkout.succeeded') outcomes.set(chargeId, { kind: 'receipt', eventId });
    if (type === 'checkout.failed') outcomes.set(chargeId, { kind: 'not_charged', eventId });
  }
  return outcomes;
}
