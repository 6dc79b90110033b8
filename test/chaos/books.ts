/** Holds the sandbox's own books, our record and what clients were told against each other. */
import type { Sql } from '../../src/store/database.ts';
import type { Told } from './shoppers.ts';

/** Each finds what must not be, one row a case. */
const RULES: Record<string, string> = {
  'two live charges of a session': `
    select session_id from charges where status in ('pending', 'succeeded') group by session_id having count(*) > 1`,
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

/** @returns what is wrong, in words; nothing where all is well. Pending charges are somebody's to settle first. */
export async function audit(sql: Sql, told: readonly Told[] = []): Promise<string[]> {
  const faults: string[] = [];
  for (const [rule, query] of Object.entries(RULES)) {
    const { rows } = await sql.query(query);
    for (const row of rows.slice(0, 3)) faults.push(`${rule}: ${JSON.stringify(row)}`);
  }
  return [...faults, ...(await brokenPromises(sql, told))];
}

/** A clear answer is final; `pending` may have become either. */
async function brokenPromises(sql: Sql, told: readonly Told[]): Promise<string[]> {
  const { rows } = await sql.query<{ id: string; status: string }>('select id, status from charges');
  const statusOf = new Map(rows.map(({ id, status }) => [id, status]));
  return told
    .filter(({ chargeId, status }) => {
      const now = statusOf.get(chargeId);
      return now === undefined || (status !== 'pending' && status !== now);
    })
    .map(({ chargeId, status }) => `a client was told ${status} of ${chargeId}: it is ${statusOf.get(chargeId)}`);
}

/** @param since of those begun from then on */
export async function pendingCharges(sql: Sql, since = new Date(0)): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::integer as count from charges where status = 'pending' and created_at >= $1`,
    [since],
  );
  return rows[0]?.count ?? 0;
}

/** More than the longest time for which the resolver waits before it believes that a charge was never received. */
const LONG_AGO = '10 minutes';

/** Lets time pass for everything that hangs in the air. Only while no process and no connection of one is left. */
export async function letTimePass(sql: Sql): Promise<void> {
  await sql.query(
    `update charges set created_at = created_at - $1::interval, resolve_at = now() where status = 'pending'`,
    [LONG_AGO],
  );
  await sql.query('update sandbox_payments set settles_at = now() - $1::interval where settles_at > now()', [LONG_AGO]);
}

/** Connections of this application name: a dead process' last statement may still be at work. */
export async function connectionsOf(sql: Sql, application: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and application_name = $1`,
    [application],
  );
  return rows[0]?.count ?? 0;
}
