/** The table `disputes`: what processors say about disputes of charges. A newer state replaces an older one, never the reverse. */
import type { Charge } from '../../domain/charge.ts';
import type { Dispute, DisputeFacts } from '../../domain/dispute.ts';
import { type DisputeId, newId } from '../../domain/ids.ts';
import { columnsOf } from '../columns.ts';
import { chargeFacts, disputeFacts, type EventType, NOTIFY_OUTBOX } from '../events/events.ts';
import type { Sql } from '../pool.ts';
import { readFirst } from '../pool.ts';

/** SQL: a {@link Dispute} from a row of `disputes`. */
export const DISPUTE = columnsOf<Dispute>()(
  'disputes',
  [
    'id accountId mode merchantId chargeId sessionId processor processorDisputeId kind status reason processorReason',
    'currency evidenceDueAt createdAt updatedAt',
  ],
  // pg returns bigints as text.
  { amountCents: 'disputes.amount_cents::double precision' },
);

/** A state of a dispute. */
export interface NotedDispute extends DisputeFacts {
  processorDisputeId: string;
  /** Orders the states: a counter or milliseconds, of the same kind for all disputes of a processor. */
  version: number;
}

type Written = 'created' | 'updated' | 'unchanged' | 'outdated';

/**
 * Writes a state and its event. Call it in a transaction.
 * @param charge of the connection's merchant
 */
export async function writeDispute(sql: Sql, charge: Charge, noted: NotedDispute): Promise<Written> {
  const id = newId('Dispute');
  if (await insertDispute(sql, id, charge, noted)) {
    await insertDisputeEvent(sql, id, 'dispute.created');
    return 'created';
  }
  const { merchantId, processor } = charge;
  const known = await readFirst<Dispute & { isNewer: boolean }>(
    sql,
    `select ${DISPUTE}, version > $4 as "isNewer" from disputes
      where merchant_id = $1 and processor = $2 and processor_dispute_id = $3 for update`,
    [merchantId, processor, noted.processorDisputeId, noted.version],
  );
  if (known === null) throw new Error('a dispute vanished');
  if (known.isNewer) return 'outdated';
  const isChanged = await updateDispute(sql, known.id, noted);
  if (isChanged) await insertDisputeEvent(sql, known.id, 'dispute.updated');
  return isChanged ? 'updated' : 'unchanged';
}

/** @returns false if the dispute is known */
async function insertDispute(sql: Sql, id: DisputeId, charge: Charge, noted: NotedDispute): Promise<boolean> {
  const { rowCount } = await sql.query(
    `insert into disputes (id, account_id, mode, merchant_id, charge_id, session_id, processor, processor_dispute_id,
                           version, kind, status, reason, processor_reason, amount_cents, currency, evidence_due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     on conflict do nothing`,
    [
      id,
      charge.accountId,
      charge.mode,
      charge.merchantId,
      charge.id,
      charge.sessionId,
      charge.processor,
      noted.processorDisputeId,
      noted.version,
      ...columnsOfFacts(noted),
    ],
  );
  return rowCount === 1;
}

const columnsOfFacts = (facts: DisputeFacts) => [
  facts.kind,
  facts.status,
  facts.reason,
  facts.processorReason,
  facts.amountCents,
  facts.currency,
  facts.evidenceDueAt,
];

/** @returns false if only the version is new */
async function updateDispute(sql: Sql, id: DisputeId, noted: NotedDispute): Promise<boolean> {
  const facts = 'kind, status, reason, processor_reason, amount_cents, currency, evidence_due_at';
  const { rowCount } = await sql.query(
    `update disputes set (${facts}) = ($2, $3, $4, $5, $6, $7, $8), version = $9, updated_at = now()
      where id = $1 and (${facts}) is distinct from ($2, $3, $4, $5, $6::bigint, $7, $8::timestamptz)`,
    [id, ...columnsOfFacts(noted), noted.version],
  );
  if (rowCount === 1) return true;
  await sql.query('update disputes set version = $2 where id = $1', [id, noted.version]);
  return false;
}

/** With the current dispute, charge and session. */
async function insertDisputeEvent(sql: Sql, id: DisputeId, type: EventType): Promise<void> {
  await sql.query(
    `insert into events (id, account_id, mode, type, session_id, charge_id, facts)
     select $1, d.account_id, d.mode, $3, d.session_id, d.charge_id,
            jsonb_build_object('session_status', s.status, 'outcome', 'succeeded', 'charge', ${chargeFacts('c')},
                               'dispute', ${disputeFacts('d')})
       from disputes d join charges c on c.id = d.charge_id join checkout_sessions s on s.id = d.session_id
      where d.id = $2
     on conflict do nothing`,
    [newId('Event'), id, type],
  );
  await sql.query(`select ${NOTIFY_OUTBOX}`);
}
