/** Audits refunds: compares the sandbox's refunds, the database and the answers that clients received. */
import type { Sql } from '../../src/db/pool.ts';
import { findContradictions, findViolations } from './audit-rules.ts';

/** Queries that find violations, one row each. */
const RULES: Record<string, string> = {
  'more given back than was charged': `
    select c.id, c.amount_cents, sum(r.amount_cents) as back from charges c join refunds r on r.charge_id = c.id
     where r.status <> 'failed' group by c.id having sum(r.amount_cents) > c.amount_cents`,
  'a count that is not the sum': `
    select c.id, c.refunded_cents from charges c left join refunds r on r.charge_id = c.id and r.status <> 'failed'
     group by c.id having c.refunded_cents <> coalesce(sum(r.amount_cents), 0)`,
  'a refund of a charge that is not paid': `
    select r.id from refunds r join charges c on c.id = r.charge_id where c.status <> 'succeeded'`,
  'money back that no refund knows of': `
    select l.reference from sandbox_refunds l left join refunds r on r.id = l.reference where r.id is null`,
  'a refund whose outcome is not the processor’s': `
    select r.id, r.status, l.status as ledger from refunds r left join sandbox_refunds l on l.reference = r.id
     where r.status <> 'pending' and (r.status = 'succeeded') <> coalesce(l.status = 'succeeded', false)`,
  'another amount, or another id, than the processor’s': `
    select r.id from refunds r join sandbox_refunds l on l.reference = r.id
     where l.amount_cents <> r.amount_cents or (r.status = 'succeeded' and l.refund_id <> r.processor_refund_id)`,
  'a payment of which the processor gave back another sum': `
    select p.reference, p.refunded_cents from sandbox_payments p
      left join refunds r on r.charge_id = p.reference and r.status = 'succeeded'
     group by p.reference having p.refunded_cents <> coalesce(sum(r.amount_cents), 0)`,
  'a settled refund without its one event, or with another’s': `
    select r.id, array_agg(e.type) from refunds r left join events e on e.refund_id = r.id
     where r.status <> 'pending' group by r.id having array_agg(e.type) <> array['refund.' || r.status]`,
  'a pending refund that was told of': `
    select r.id, e.type from refunds r join events e on e.refund_id = r.id where r.status = 'pending'`,
};

/** The answer that a client received for a refund with this idempotency key. */
export interface AnsweredRefund {
  key: string;
  refundId: string;
  status: 'pending' | 'succeeded' | 'failed';
}

/** @returns the violations, in words; empty if all is well. Pending refunds have to be settled before. */
export async function auditRefunds(sql: Sql, told: readonly AnsweredRefund[] = []): Promise<string[]> {
  const promises = told.map(({ refundId: id, status }) => ({ id, status }));
  return [
    ...(await findViolations(sql, RULES)),
    ...(await findContradictions(sql, 'refunds', promises)),
    ...twice(told),
  ];
}

function twice(told: readonly AnsweredRefund[]): string[] {
  const byKey = new Map<string, Set<string>>();
  for (const { key, refundId } of told) byKey.set(key, (byKey.get(key) ?? new Set()).add(refundId));
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
