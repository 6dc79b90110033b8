/** Reads disputes for REST. */
import type { Scope } from '../../domain/account.ts';
import type { Dispute, DisputeStatus, DisputeTotals } from '../../domain/dispute.ts';
import type { AccountId, ChargeId, CheckoutSessionId, DisputeId, MerchantId } from '../../domain/ids.ts';
import { type Conditions, inScope, type ListedTable, readListedPage, type TimeRange } from '../conditions.ts';
import { readListTotals } from '../list-totals.ts';
import type { Page, PageRequest } from '../pages.ts';
import { type Database, readFirst, type Sql } from '../pool.ts';
import { DISPUTE } from './disputes.ts';

/** Null matches everything. */
export interface DisputeFilter extends TimeRange {
  merchantId: MerchantId | null;
  sessionId: CheckoutSessionId | null;
  chargeId: ChargeId | null;
  status: DisputeStatus | null;
}

const DISPUTES: ListedTable = { name: 'disputes', time: 'created_at' };

/** Newest first. @returns null if `startingAfter` is no dispute of the scope */
export function listDisputes(
  sql: Sql,
  scope: Scope,
  filter: DisputeFilter,
  page: PageRequest,
): Promise<Page<Dispute> | null> {
  const conditions = disputeConditions(scope, filter);
  return readListedPage(sql, DISPUTES, scope, { select: `select ${DISPUTE} from disputes`, conditions, page });
}

const disputeConditions = (scope: Scope, filter: DisputeFilter): Conditions =>
  inScope(DISPUTES, scope, filter)
    .add('disputes.merchant_id = $?', filter.merchantId)
    .add('disputes.session_id = $?', filter.sessionId)
    .add('disputes.charge_id = $?', filter.chargeId)
    .add('disputes.status = $?', filter.status);

const inStatus = (...statuses: readonly DisputeStatus[]) =>
  `coalesce(sum(amount_cents) filter (where status in (${statuses.map((each) => `'${each}'`).join(', ')})), 0)::float8`;

const SUMS = `
  count(*)::integer as disputes, sum(amount_cents)::float8 as "disputedCents",
  ${inStatus('needs_response', 'under_review')} as "openCents", ${inStatus('won')} as "wonCents",
  ${inStatus('lost')} as "lostCents"`;

/** As {@link readListTotals}. */
export function readDisputeTotals(
  database: Pick<Database, 'transaction'>,
  scope: Scope,
  filter: DisputeFilter,
): Promise<DisputeTotals[] | null> {
  return readListTotals<DisputeTotals>(database, {
    sums: SUMS,
    select: 'select disputes.currency, disputes.status, disputes.amount_cents from disputes',
    conditions: disputeConditions(scope, filter),
    order: 'disputes.created_at desc, disputes.id desc',
    highestFirst: 'sum(amount_cents)',
  });
}

/** In either mode. Null if the account has no such dispute. */
export function findDispute(sql: Sql, accountId: AccountId, id: DisputeId): Promise<Dispute | null> {
  return readFirst(sql, `select ${DISPUTE} from disputes where id = $1 and account_id = $2`, [id, accountId]);
}
