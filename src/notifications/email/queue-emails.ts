/** Queues the emails that events cause. Their words are rendered when they are sent. */
import { insertEmails } from '../../db/emails/emails.ts';
import type { UnrelayedEvent } from '../../db/events/outbox.ts';
import type { Sql } from '../../db/pool.ts';
import { paymentOutcomesOf } from '../sms/payment-outcomes.ts';

/** Runs in the relay's transaction. A resent event causes no second email. */
export async function queueEmails(sql: Sql, events: readonly UnrelayedEvent[]): Promise<void> {
  const outcomes = [...paymentOutcomesOf(events)].map(([chargeId, { kind }]) => ({ chargeId, kind }));
  if (outcomes.length > 0) await insertEmails(sql, outcomes);
}
