/** Writes webhook events about attention items, in the transaction that opens and closes these. */
import { newId } from '../../domain/ids.ts';
import type { AttentionEventItem } from '../events/event-log.ts';
import { NOTIFY_OUTBOX } from '../events/events.ts';
import type { Sql } from '../pool.ts';

interface NewEvent {
  accountId: string;
  mode: string;
  type: string;
  facts: AttentionEventItem;
}

/**
 * Selects the items of this transaction, with each account and mode that has an endpoint for them. An item of the service
 * is for all of them. Without endpoints, no event is stored.
 */
const NEW_EVENTS = `
  select subscribed.account_id as "accountId", subscribed.mode, subscribed.type,
         jsonb_build_object(
           'id', i.id, 'kind', i.kind, 'subject', i.subject, 'merchantId', i.merchant_id, 'facts', i.facts,
           'businessName', (select m.business_name from merchants m where m.id = i.merchant_id),
           'isService', i.account_id is null, 'openedAt', i.opened_at, 'closedAt', i.closed_at) as facts
    from (select id, kind, subject, merchant_id, account_id, mode, facts, opened_at, closed_at, 'attention.opened' as type
            from attention_items where closed_at is null and opened_at = now()
           union all
          select id, kind, subject, merchant_id, account_id, mode, facts, opened_at, closed_at, 'attention.closed' as type
            from attention_items where closed_at = now()) i
    join (select distinct w.account_id, w.mode, type
            from webhook_endpoints w cross join unnest(w.events) type
           where w.deleted_at is null and w.disabled_at is null and type like 'attention.%') subscribed
      on subscribed.type = i.type
     and (i.account_id is null or (i.account_id = subscribed.account_id and i.mode = subscribed.mode))
   order by i.id`;

/** Call it once in a transaction, after the items were written: times of items are those of their transaction. */
export async function insertAttentionEvents(sql: Sql): Promise<void> {
  const { rows } = await sql.query<NewEvent>(NEW_EVENTS);
  if (rows.length === 0) return;
  await sql.query(
    `insert into events (id, account_id, mode, type, facts)
     select id, "accountId", mode, type, facts
       from jsonb_to_recordset($1) as new (id text, "accountId" text, mode mode, type text, facts jsonb)
     returning ${NOTIFY_OUTBOX}`,
    [JSON.stringify(rows.map((row) => ({ id: newId('Event'), ...row })))],
  );
}
