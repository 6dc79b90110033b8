/**
 * Sums all payouts, or entries of payouts, that a list's filters match. Merchants that share an account at the processor each
 * have its payouts: they are summed once.
 */
import type { Scope } from '../../domain/account.ts';
import type { PayoutEntryTotals, PayoutTotals } from '../../domain/payout.ts';
import { readListTotals } from '../list-totals.ts';
import type { Database } from '../pool.ts';
import { type EntryFilter, entryConditions, type PayoutFilter, payoutConditions, payoutsOf } from './payout-lists.ts';

const PAYOUT_SUMS = `
  count(*)::integer as payouts,
  coalesce(sum(amount_cents) filter (where status = 'paid'), 0)::float8 as "paidCents",
  coalesce(sum(amount_cents) filter (where status = 'pending'), 0)::float8 as "pendingCents"`;

/** As {@link readListTotals}. */
export function readPayoutTotals(
  database: Pick<Database, 'transaction'>,
  scope: Scope,
  filter: PayoutFilter,
): Promise<PayoutTotals[] | null> {
  return readListTotals<PayoutTotals>(database, {
    sums: PAYOUT_SUMS,
    select: `select payouts.currency, payouts.status, payouts.amount_cents, payouts.processor,
                    payouts.processor_payout_id, payouts.updated_at, payouts.id from payouts`,
    conditions: payoutConditions(scope, filter),
    order: 'payouts.created_at desc, payouts.id desc',
    highestFirst: `sum(amount_cents) filter (where status in ('paid', 'pending'))`,
    once: { by: 'processor, processor_payout_id', first: 'updated_at desc, id' },
  });
}

const ENTRY_SUMS = `
  count(*)::integer as entries, sum(gross_cents)::float8 as "grossCents", sum(fee_cents)::float8 as "feeCents",
  sum(net_cents)::float8 as "netCents"`;

/** As {@link readListTotals}. */
export async function readPayoutEntryTotals(
  database: Pick<Database, 'query' | 'transaction'>,
  scope: Scope,
  filter: EntryFilter,
): Promise<PayoutEntryTotals[] | null> {
  return readListTotals<PayoutEntryTotals>(database, {
    sums: ENTRY_SUMS,
    select: `select payouts.currency, payout_entries.gross_cents, payout_entries.fee_cents, payout_entries.net_cents,
                    payouts.processor, payouts.processor_payout_id, payout_entries.processor_entry_id,
                    payouts.updated_at, payout_entries.id
               from payout_entries join payouts on payouts.id = payout_entries.payout_id`,
    conditions: entryConditions(scope, filter, await payoutsOf(database, scope, filter)),
    // In the order of the list, PostgreSQL would look for the entries of a few payouts among all, or sort all of a merchant.
    order: null,
    highestFirst: 'sum(net_cents)',
    once: { by: 'processor, processor_payout_id, processor_entry_id', first: 'updated_at desc, id' },
  });
}
