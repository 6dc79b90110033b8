/** Writes the events of charges, in the transaction of the change. */
import type { Charge } from '../../domain/charge.ts';
import { newId } from '../../domain/ids.ts';
import type { EventFacts, EventType } from '../events/events.ts';
import type { Sql } from '../pool.ts';

/**
 * Writes events with the charge, and its session's status, as they are now. One that is there already stays as it is: it
 * must not keep an outcome from being written.
 */
export async function insertChargeEvents(sql: Sql, charge: Charge, types: readonly EventType[]): Promise<void> {
  await sql.query({
    name: 'insert_charge_events',
    text: `insert into events (id, account_id, mode, type, session_id, charge_id, facts)
     select kind.id, s.account_id, s.mode, kind.type, s.id, $3,
            jsonb_build_object('session_status', s.status, 'outcome', $4::text, 'charge', $5::jsonb)
       from checkout_sessions s, unnest($1::text[], $2::text[]) with ordinality as kind (id, type, place)
      where s.id = $6
      order by kind.place
     on conflict do nothing`,
    values: [
      ...[types.map(() => newId('Event')), types, charge.id, charge.status],
      ...[JSON.stringify(factsOf(charge)), charge.sessionId],
    ],
  });
}

function factsOf(charge: Charge): EventFacts['charge'] {
  return {
    charge_id: charge.id,
    status: charge.status,
    amount_cents: charge.amount.amountCents,
    processor_payment_id: charge.processorPaymentId,
    decline_code: charge.declineCode,
    processor_code: charge.processorCode,
  };
}
