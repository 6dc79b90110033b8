/** Sums all refunds that a list's filters match. */
import type { Scope } from '../../domain/account.ts';
import type { RefundTotals } from '../../domain/refund.ts';
import { readListTotals } from '../list-totals.ts';
import type { Database } from '../pool.ts';
import { type RefundFilter, refundConditions } from './refund-lists.ts';

const SUMS = `
  count(*)::integer as refunds, (count(*) filter (where status = 'succeeded'))::integer as succeeded,
  coalesce(sum(amount_cents) filter (where status <> 'failed'), 0)::float8 as "refundedCents",
  coalesce(sum(amount_cents) filter (where status = 'pending'), 0)::float8 as "pendingCents"`;

/** As {@link readListTotals}. */
export function readRefundTotals(
  database: Pick<Database, 'transaction'>,
  scope: Scope,
  filter: RefundFilter,
): Promise<RefundTotals[] | null> {
  return readListTotals<RefundTotals>(database, {
    sums: SUMS,
    select: 'select refunds.currency, refunds.status, refunds.amount_cents from refunds',
    conditions: refundConditions(scope, filter),
    order: 'refunds.created_at desc, refunds.id desc',
    highestFirst: `sum(amount_cents) filter (where status <> 'failed')`,
  });
}
