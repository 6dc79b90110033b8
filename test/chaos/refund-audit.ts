/** Audits refunds: compares the sandbox's refunds, the database and the answers that clients received. */
import type { Sql } from '../../src/db/pool.ts';
import { findContradictions, findViolations } from './audit-rules.ts';

/** Queries that find violations, one row each. */
const RULES: Record<string, string> = {
  'refunds above the charge’s amount': `
    select c.id, c.amount_cents, sum(r.amount_cents) as back from charges c join refunds r on r.charge_id = c.id
     where r.status <> 'failed' group by c.id having sum(r.amount_cents) > c.amount_cents`,
  'a refunded amount that is not the sum of the refunds': `
    select c.id, c.refunded_cents from charges c left join refunds r on r.charge_id = c.id and r.status <> 'failed'
     group by c.id having c.refunded_cents <> coalesce(sum(r.amount_cents), 0)`,
  'a refund of an unpaid charge': `
    select r.id from refunds r join charges c on c.id = r.charge_id where c.status <> 'succeeded'`,
  'a processor refund without a refund': `
    select l.reference from sandbox_refunds l
     where not exists (select from refunds r where r.id = l.reference)
       and not exists (select from refunds r where r.origin = 'processor' and r.processor_refund_id = l.refund_id)`,
  'a refund whose outcome differs from the processor’s': `
    select r.id, r.status, l.status as ledger from refunds r
      left join sandbox_refunds l on case r.origin when 'processor' then l.refund_id = r.processor_refund_id else l.reference = r.id end
     where r.status <> 'pending' and (r.status = 'succeeded') <> coalesce(l.status = 'succeeded', false)`,
  'a refund whose amount or ID differs from the processor’s': `
    select r.id from refunds r join sandbox_refunds l on l.reference = r.id
     where l.amount_cents <> r.amount_cents or (r.status = 'succeeded' and l.refund_id <> r.processor_refund_id)`,
  'a payment with another refunded sum at the processor': `
    select p.reference, p.refunded_cents from sandbox_payments p
      left join refunds r on r.charge_id = p.reference and r.status = 'succeeded'
     group by p.reference having p.refunded_cents <> coalesce(sum(r.amount_cents), 0)`,
  'a settled refund without exactly one event of its outcome, or of both outcomes if it failed later': `
    select r.id, array_agg(e.type order by e.type) from refunds r left join events e on e.refund_id = r.id
     where r.status <> 'pending' group by r.id
    having array_agg(e.type order by e.type)
        <> case when r.failed_late_at is null then array['refund.' || r.status] else array['refund.failed', 'refund.succeeded'] end`,
  'a pending refund with an event': `
    select r.id, e.type from refunds r join events e on e.refund_id = r.id where r.status = 'pending'`,
};

/** The answer that a client received for a refund with this idempotency key. */
export interface AnsweredRefund {
  key: string;
  refundId: string;
  status: 'pending' | 'succeeded' | 'failed';
}

/** @returns the violations, in words; empty if there are none. Settle pending refunds first. */
export async function auditRefunds(sql: Sql, answers: readonly AnsweredRefund[] = []): Promise<string[]> {
  const promises = answers.map(({ refundId: id, status }) => ({ id, status }));
  return [
    ...(await findViolations(sql, RULES)),
    ...(await findContradictions(sql, 'refunds', promises)),
    ...refundedTwice(answers),
  ];
}

function refundedTwice(answers: readonly AnsweredRefund[]): string[] {
  const byKey = new Map<string, Set<string>>();
  for (const { key, refundId } of answers) byKey.set(key, (byKey.get(key) ?? new Set()).add(refundId));
  return [...byKey].filter(([, ids]) => ids.size > 1).map(([key, ids]) => `two refunds of one key: ${key} ${[...ids]}`);
}

export async function countPendingRefunds(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::integer as count from refunds where status = 'pending'`,
  );
  return rows[0]?.count ?? 0;
}

/** Makes all pending refunds due, here and in the sandbox, and releases all idempotency keys. */
export async function agePendingRefunds(sql: Sql): Promise<void> {
  await sql.query(`update refunds set resolve_at = now() where status = 'pending' and resolve_at > now()`);
  await sql.query('update sandbox_refunds set settles_at = now() where settles_at > now()');
  await sql.query('update idempotency_keys set claimed_until = now() where status is null and claimed_until > now()');
}
