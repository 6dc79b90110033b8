/** The outcomes of payments that callers are told about by text and email. */
import type { UnrelayedEvent } from '../../db/events/outbox.ts';
import type { ChargeId, EventId } from '../../domain/ids.ts';

/** Older outcomes are no longer told: the relay was down for a day. */
const NEWS_MS = 24 * 60 * 60 * 1_000;

export interface PaymentOutcome {
  /** `debit_returned`, `not_collected`: the payment had succeeded before. */
  kind: 'receipt' | 'not_charged' | 'debit_returned' | 'not_collected';
  eventId: EventId;
}

const KINDS: Partial<Record<UnrelayedEvent['type'], PaymentOutcome['kind']>> = {
  'checkout.succeeded': 'receipt',
  'checkout.failed': 'not_charged',
  'charge.returned': 'debit_returned',
  'charge.capture_failed': 'not_collected',
};

/** The last one of each charge. */
export function paymentOutcomesOf(events: readonly UnrelayedEvent[]): Map<ChargeId, PaymentOutcome> {
  const outcomes = new Map<ChargeId, PaymentOutcome>();
  for (const { id: eventId, type, facts, ageMs } of events) {
    const chargeId = facts?.charge?.charge_id;
    if (chargeId === undefined || ageMs > NEWS_MS) continue;
    const kind = KINDS[type];
    if (kind !== undefined) outcomes.set(chargeId, { kind, eventId });
  }
  return outcomes;
}
