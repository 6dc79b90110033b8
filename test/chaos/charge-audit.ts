/** Audits charges: compares the sandbox's payments, the database and the answers that clients received. */
import type { Sql } from '../../src/db/pool.ts';
import { findContradictions, findViolations } from './audit-rules.ts';
import type { AnsweredCharge } from './charge-load.ts';

/** Queries that find violations, one row each. */
const RULES: Record<string, string> = {
  'two live charges of a session': `
    select session_id from charges where status in ('pending', 'succeeded') and duplicate_of is null group by session_id having count(*) > 1`,
  'money taken twice for a session': `
    select c.session_id from sandbox_payments p join charges c on c.id = p.reference
     where p.status = 'succeeded' group by c.session_id having count(*) > 1`,
  'money taken that no charge knows of': `
    select p.reference from sandbox_payments p left join charges c on c.id = p.reference where c.id is null`,
  'a charge whose outcome is not the processor’s': `
    select c.id, c.status, p.status as ledger, c.decline_code from charges c left join sandbox_payments p on p.reference = c.id
     where c.status <> 'pending'
       and case p.status when 'succeeded' then c.status <> 'succeeded'
                         when 'declined' then c.status <> 'failed' or c.decline_code is distinct from p.decline_code
                         else c.status <> 'failed' or c.decline_code is distinct from 'processing_error' end`,
  'another amount than the session’s': `
    select c.id from charges c join checkout_sessions s on s.id = c.session_id
      left join sandbox_payments p on p.reference = c.id
     where c.amount_cents <> s.amount_cents or p.amount_cents <> s.amount_cents`,
  'another payment id than the processor’s': `
    select c.id from charges c join sandbox_payments p on p.reference = c.id
     where c.status <> 'pending' and c.processor_payment_id is distinct from p.payment_id`,
  'a charge or an event of another session, account or mode than it says': `
    select c.id from charges c left join checkout_sessions s
        on s.id = c.session_id and s.account_id = c.account_id and s.mode = c.mode and s.merchant_id = c.merchant_id
     where s.id is null
    union all
    select e.id from events e left join checkout_sessions s
        on s.id = e.session_id and s.account_id = e.account_id and s.mode = e.mode
      left join charges c on c.id = e.charge_id
     where s.id is null or c.session_id <> e.session_id or (e.charge_id is not null and c.id is null)`,
  'a paid session that is not complete, or the other way round': `
    select s.id from checkout_sessions s
     where (s.status = 'complete') <> exists (select from charges c where c.session_id = s.id and c.status = 'succeeded')`,
  'a settled charge without its one event, or with another’s': `
    select c.id, array_agg(e.type) from charges c left join events e on e.charge_id = c.id
       and e.type in ('checkout.succeeded', 'checkout.failed')
     where c.status <> 'pending' group by c.id
    having array_agg(e.type) <> array['checkout.' || c.status]`,
  'a charge that went pending twice': `
    select charge_id from events where type = 'checkout.pending' group by charge_id having count(*) > 1`,
  'a completed session that was not told of once, as it was': `
    select s.id, array_agg(e.facts ->> 'outcome') from checkout_sessions s
      left join events e on e.session_id = s.id and e.type = 'checkout.completed'
     group by s.id, s.status
    having case s.status when 'complete' then array_agg(e.facts ->> 'outcome') <> array['succeeded']
                         when 'open' then count(e.id) > 0
                         else count(e.id) <> 1 or bool_or(e.facts ->> 'outcome' = 'succeeded') end`,
};

/** Queries that find violations in deliveries and texts, once everything is delivered. */
const NOTIFICATION_RULES: Record<string, string> = {
  'an event that nobody relayed': `select id, type from events where relayed_at is null`,
  'an event that an endpoint was not given': `
    select e.id, e.type, d.status from events e
      join webhook_endpoints w on w.account_id = e.account_id and w.mode = e.mode and e.type = any(w.events)
      left join webhook_deliveries d on d.event_id = e.id and d.endpoint_id = w.id
     where d.status is distinct from 'delivered'`,
  'a payment without its one receipt, sent': `
    select c.id, array_agg(t.status) from charges c left join texts t on t.charge_id = c.id and t.kind = 'receipt'
     where c.status = 'succeeded' group by c.id having array_agg(t.status) <> array['sent']`,
  'a receipt for what was not paid': `
    select t.id, c.status from texts t join charges c on c.id = t.charge_id
     where t.kind = 'receipt' and c.status <> 'succeeded'`,
  'who was left in doubt and not charged was not told so once, or somebody else was': `
    select c.id, array_agg(t.status) from charges c left join texts t on t.charge_id = c.id and t.kind = 'not_charged'
     group by c.id
    having array_remove(array_agg(t.status), null)
        <> case when c.status = 'failed' and exists (select from events e where e.charge_id = c.id and e.type = 'checkout.pending')
                then array['sent'] else '{}'::text[] end`,
};

/** @returns the violations, in words; empty if all is well. Pending charges have to be settled before. */
export async function auditCharges(sql: Sql, told: readonly AnsweredCharge[] = []): Promise<string[]> {
  const promises = told.map(({ chargeId: id, status }) => ({ id, status }));
  return [...(await findViolations(sql, RULES)), ...(await findContradictions(sql, 'charges', promises))];
}

/** Compares events, deliveries and texts with the webhooks received. Call it when {@link countUndelivered} is 0. */
export async function auditNotifications(sql: Sql, heard: ReadonlyMap<string, number>): Promise<string[]> {
  const { rows } = await sql.query<{ id: string; type: string }>('select id, type from events');
  const ids = new Set(rows.map(({ id }) => id));
  const unheard = rows.filter(({ id }) => !heard.has(id)).map(({ id, type }) => `${type} ${id} was never received`);
  const invented = [...heard.keys()].filter((id) => !ids.has(id)).map((id) => `${id} was received and is no event`);
  return [...(await findViolations(sql, NOTIFICATION_RULES)), ...unheard.slice(0, 3), ...invented.slice(0, 3)];
}

/** The number of events, deliveries and texts that are not delivered yet. */
export async function countUndelivered(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select ((select count(*) from events where relayed_at is null)
           + (select count(*) from webhook_deliveries where status = 'waiting')
           + (select count(*) from texts where status in ('waiting', 'sending')))::integer as count`,
  );
  return rows[0]?.count ?? 0;
}

/** @param since counts only charges that began later */
export async function countPendingCharges(sql: Sql, since = new Date(0)): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::integer as count from charges where status = 'pending' and created_at >= $1`,
    [since],
  );
  return rows[0]?.count ?? 0;
}

/** Longer than the resolver waits before it takes a charge as never received. */
const LONG_AGO = '10 minutes';

/** Makes all pending charges and sandbox payments old. Only while no process of the app is running. */
export async function agePendingCharges(sql: Sql): Promise<void> {
  await sql.query(
    `update charges set created_at = created_at - $1::interval, resolve_at = now() where status = 'pending'`,
    [LONG_AGO],
  );
  await sql.query('update sandbox_payments set settles_at = now() - $1::interval where settles_at > now()', [LONG_AGO]);
}

/** Releases the claims of a dead process at once. Only while no process of the app is running. */
export async function releaseClaims(sql: Sql): Promise<void> {
  await sql.query(
    `update webhook_deliveries set enqueue_at = now() where status = 'waiting' and next_attempt_at <= now()`,
  );
  await sql.query(`update texts set next_attempt_at = now() where status = 'sending'`);
}

/** The number of connections with this application name. The last statement of a dead process may still run. */
export async function countConnections(sql: Sql, application: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and application_name = $1`,
    [application],
  );
  return rows[0]?.count ?? 0;
}
