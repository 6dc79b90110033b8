/** Reads payouts and their entries for REST. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, ChargeId, MerchantId } from '../../domain/ids.ts';
import type { Payout, PayoutEntry, PayoutId, PayoutStatus } from '../../domain/payout.ts';
import { columnsOf } from '../columns.ts';
import { type Conditions, inScope, type ListedTable, readListedPage, type TimeRange } from '../conditions.ts';
import type { Page, PageRequest } from '../pages.ts';
import { readFirst, type Sql } from '../pool.ts';
import { PAYOUT } from './payouts.ts';

/** Null matches everything. */
export interface PayoutFilter extends TimeRange {
  merchantId: MerchantId | null;
  status: PayoutStatus | null;
  arrivalDate: string | null;
}

const PAYOUTS: ListedTable = { name: 'payouts', time: 'created_at' };

/** Newest first. @returns null if `startingAfter` is no payout of the scope */
export function listPayouts(
  sql: Sql,
  scope: Scope,
  filter: PayoutFilter,
  page: PageRequest,
): Promise<Page<Payout> | null> {
  const conditions = payoutConditions(scope, filter);
  return readListedPage(sql, PAYOUTS, scope, { select: `select ${PAYOUT} from payouts`, conditions, page });
}

export const payoutConditions = (scope: Scope, filter: PayoutFilter): Conditions =>
  inScope(PAYOUTS, scope, filter)
    .add('payouts.merchant_id = $?', filter.merchantId)
    .add('payouts.status = $?', filter.status)
    .add('payouts.arrival_date = $?::date', filter.arrivalDate);

/** In either mode. Null if the account has no such payout. */
export function findPayout(sql: Sql, accountId: AccountId, id: PayoutId): Promise<Payout | null> {
  return readFirst(sql, `select ${PAYOUT} from payouts where id = $1 and account_id = $2`, [id, accountId]);
}

/** Null matches everything. */
export interface EntryFilter extends TimeRange {
  merchantId: MerchantId | null;
  payoutId: PayoutId | null;
  chargeId: ChargeId | null;
  arrivalDate: string | null;
}

const ENTRIES: ListedTable = { name: 'payout_entries', time: 'created_at', byMerchant: 'bound' };

const ENTRY = columnsOf<PayoutEntry>()('payout_entries', ['id payoutId merchantId chargeId kind createdAt'], {
  grossCents: 'payout_entries.gross_cents::double precision',
  feeCents: 'payout_entries.fee_cents::double precision',
  netCents: 'payout_entries.net_cents::double precision',
  currency: 'payouts.currency',
  arrivalDate: 'payouts.arrival_date::text',
  orderId: `(select s.order_id from charges c join checkout_sessions s on s.id = c.session_id
              where c.id = payout_entries.charge_id)`,
});

/** A payout is updated in the transaction that writes its entries. If two overlap, the later one can have the earlier time. */
const LONGEST_WRITE = `interval '5 minutes'`;

/**
 * Newest first. With the bound by time, PostgreSQL reads no newer entries to find those of an old payout.
 * @returns null if `startingAfter` is no entry of the scope
 */
export async function listPayoutEntries(
  sql: Sql,
  scope: Scope,
  filter: EntryFilter,
  page: PageRequest,
): Promise<Page<PayoutEntry> | null> {
  const select = `select ${ENTRY} from payout_entries join payouts on payouts.id = payout_entries.payout_id`;
  const payouts = await payoutsOf(sql, scope, filter);
  const conditions = entryConditions(scope, filter, payouts).add(
    `payout_entries.created_at < (select max(updated_at) + ${LONGEST_WRITE} from payouts latest where id = any($?))`,
    payouts,
  );
  return readListedPage(sql, ENTRIES, scope, { select, conditions, page });
}

/** @param payouts from {@link payoutsOf} */
export const entryConditions = (scope: Scope, filter: EntryFilter, payouts: readonly PayoutId[] | null): Conditions =>
  inScope(ENTRIES, scope, filter)
    .add('payout_entries.merchant_id = $?', filter.merchantId)
    .add('payout_entries.payout_id = $?', filter.payoutId)
    .add('payout_entries.charge_id = $?', filter.chargeId)
    .add('payout_entries.payout_id = any($?)', payouts);

/**
 * The payouts whose entries are listed; null if all are. On a day, each merchant has one or a few. By a join, PostgreSQL
 * can read all entries of the account.
 */
export async function payoutsOf(
  sql: Pick<Sql, 'query'>,
  { accountId, mode }: Scope,
  { payoutId, arrivalDate }: EntryFilter,
): Promise<PayoutId[] | null> {
  if (arrivalDate === null) return payoutId && [payoutId];
  const { rows } = await sql.query<{ id: PayoutId }>(
    'select id from payouts where account_id = $1 and mode = $2 and arrival_date = $3::date',
    [accountId, mode, arrivalDate],
  );
  return rows.map(({ id }) => id);
}
