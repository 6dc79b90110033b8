/** Audits charges: compares the sandbox's payments, the database and the answers that clients received. */
import type { Sql } from '../../src/db/pool.ts';
import { findContradictions, findViolations } from './audit-rules.ts';
import type { AnsweredCharge } from './charge-load.ts';
import { HOLD_RULES } from './hold-audit.ts';
import { RETURN_RULES, RETURN_TEXT_RULES, WAS_PAID } from './return-audit.ts';

/** Statuses of a charge that is paid: taken, held, or held and then released. */
const PAID = `('succeeded', 'authorized', 'voided', 'expired')`;

/** Queries that find violations, one row each. */
const RULES: Record<string, string> = {
  'a session with two live charges': `
    select session_id from charges where status in ('pending', 'authorized', 'succeeded') and duplicate_of is null group by session_id having count(*) > 1`,
  'a session with two payments': `
    select c.session_id from sandbox_payments p join charges c on c.id = p.reference
     where p.status in ('authorized', 'succeeded', 'voided') group by c.session_id having count(*) > 1`,
  'a payment without a charge': `
    select p.reference from sandbox_payments p left join charges c on c.id = p.reference where c.id is null`,
  'a charge whose outcome differs from the processor’s': `
    select c.id, c.status, p.status as ledger, c.decline_code from charges c left join sandbox_payments p on p.reference = c.id
     where c.status <> 'pending'
       and case when p.card_name = 'bank_returns_later' then c.status <> 'failed' and p.settles_at < now() - interval '10 seconds'
                when p.status in ('authorized', 'succeeded', 'voided') then not ${WAS_PAID}
                when p.status = 'declined' then c.status <> 'failed' or c.decline_code is distinct from p.decline_code
                else c.status <> 'failed' or c.decline_code is distinct from 'processing_error' end`,
  'a charge whose amount differs from the session’s': `
    select c.id from charges c join checkout_sessions s on s.id = c.session_id
      left join sandbox_payments p on p.reference = c.id
     where c.amount_cents - c.tip_cents + c.remaining_cents <> s.amount_cents or p.amount_cents <> c.amount_cents`,
  'a charge whose payment ID differs from the processor’s': `
    select c.id from charges c join sandbox_payments p on p.reference = c.id
     where c.status <> 'pending' and c.processor_payment_id is distinct from p.payment_id`,
  'a charge or event whose session has another account or mode': `
    select c.id from charges c left join checkout_sessions s
        on s.id = c.session_id and s.account_id = c.account_id and s.mode = c.mode and s.merchant_id = c.merchant_id
     where s.id is null
    union all
    select e.id from events e left join checkout_sessions s
        on s.id = e.session_id and s.account_id = e.account_id and s.mode = e.mode
      left join charges c on c.id = e.charge_id
     where s.id is null or c.session_id <> e.session_id or (e.charge_id is not null and c.id is null)`,
  'a paid session that is not complete, or an unpaid one that is': `
    select s.id from checkout_sessions s
     where (s.status = 'complete') <> exists (select from charges c where c.session_id = s.id and ${WAS_PAID})`,
  'a settled charge without exactly one event of its outcome': `
    select c.id, array_agg(e.type) from charges c left join events e on e.charge_id = c.id
       and e.type in ('checkout.succeeded', 'checkout.failed')
     where c.status <> 'pending' group by c.id
    having array_agg(e.type) <> array['checkout.' || case when ${WAS_PAID} then 'succeeded' else 'failed' end]`,
  'a charge with two pending events': `
    select charge_id from events where type = 'checkout.pending' group by charge_id having count(*) > 1`,
  'a completed session without exactly one event of its outcome': `
    select s.id, array_agg(e.facts ->> 'outcome') from checkout_sessions s
      left join events e on e.session_id = s.id and e.type = 'checkout.completed'
     group by s.id, s.status
    having case s.status when 'complete' then array_agg(e.facts ->> 'outcome') <> array['succeeded']
                         when 'open' then count(e.id) > 0
                         else count(e.id) <> 1 or bool_or(e.facts ->> 'outcome' = 'succeeded') end`,
};

/** Queries that find violations in deliveries and texts, once everything is delivered. */
const NOTIFICATION_RULES: Record<string, string> = {
  'an event that was not relayed': `select id, type from events where relayed_at is null`,
  'an event that was not delivered to an endpoint': `
    select e.id, e.type, d.status from events e
      join webhook_endpoints w on w.account_id = e.account_id and w.mode = e.mode and e.type = any(w.events)
      left join webhook_deliveries d on d.event_id = e.id and d.endpoint_id = w.id
     where d.status is distinct from 'delivered'`,
  'a payment without exactly one sent receipt': `
    select c.id, array_agg(t.status) from charges c left join texts t on t.charge_id = c.id and t.kind = 'receipt'
     where c.status in ${PAID} group by c.id having array_agg(t.status) <> array['sent']`,
  'a receipt without a payment': `
    select t.id, c.status from texts t join charges c on c.id = t.charge_id
     where t.kind = 'receipt' and not ${WAS_PAID}`,
  'a failed charge after a pending event without exactly one not-charged notice, or another charge with one': `
    select c.id, array_agg(t.status) from charges c left join texts t on t.charge_id = c.id and t.kind = 'not_charged'
     group by c.id
    having array_remove(array_agg(t.status), null)
        <> case when not ${WAS_PAID} and c.status = 'failed' and exists (select from events e where e.charge_id = c.id and e.type = 'checkout.pending')
                then array['sent'] else '{}'::text[] end`,
};

/** @returns the violations, in words; empty if there are none. Settle pending charges first. */
export async function auditCharges(sql: Sql, answers: readonly AnsweredCharge[] = []): Promise<string[]> {
  const promises = answers.map(({ chargeId: id, status }) => ({ id, status }));
  return [
    ...(await findViolations(sql, Object.assign({}, RULES, HOLD_RULES, RETURN_RULES))),
    ...(await findContradictions(sql, 'charges', promises)),
  ];
}

/** Compares events, deliveries and texts with the webhooks received. Call it when {@link countUndelivered} is 0. */
export async function auditNotifications(sql: Sql, received: ReadonlyMap<string, number>): Promise<string[]> {
  const { rows } = await sql.query<{ id: string; type: string }>('select id, type from events');
  const ids = new Set(rows.map(({ id }) => id));
  const missing = rows.filter(({ id }) => !received.has(id)).map(({ id, type }) => `${type} ${id} was never received`);
  const unknown = [...received.keys()]
    .filter((id) => !ids.has(id))
    .map((id) => `${id} was received but does not exist`);
  return [
    ...(await findViolations(sql, Object.assign({}, NOTIFICATION_RULES, RETURN_TEXT_RULES))),
    ...missing.slice(0, 3),
    ...unknown.slice(0, 3),
  ];
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

/** The number of captures and voids without an outcome. */
export async function countPendingChanges(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::integer as count from hold_changes where status = 'pending'`,
  );
  return rows[0]?.count ?? 0;
}

/** @param since counts only charges that started later */
export async function countPendingCharges(sql: Sql, since = new Date(0)): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::integer as count from charges where status = 'pending' and created_at >= $1`,
    [since],
  );
  return rows[0]?.count ?? 0;
}

/** The number of charges of cards since then that have no outcome. Bank debits wait for days anyway. */
export async function countCutCharges(sql: Sql, since: Date): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::integer as count from charges
      where status = 'pending' and payment_method = 'card' and created_at >= $1`,
    [since],
  );
  return rows[0]?.count ?? 0;
}

/** Longer than the resolver waits before it treats a charge as never received. */
const LONG_AGO = '10 minutes';

/** Makes all pending charges, captures, voids and sandbox payments old. Only while no process of the app is running. */
export async function agePendingCharges(sql: Sql): Promise<void> {
  await sql.query(
    `update charges set created_at = created_at - $1::interval, resolve_at = now() where status = 'pending'`,
    [LONG_AGO],
  );
  await sql.query(
    `update hold_changes set created_at = created_at - $1::interval, resolve_at = now() where status = 'pending'`,
    [LONG_AGO],
  );
  // A debit that the bank returns would be returned before it was looked up.
  await sql.query(
    `update sandbox_payments set settles_at = now() - $1::interval
      where settles_at > now() and card_name is distinct from 'bank_returns_later'`,
    [LONG_AGO],
  );
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
