/** Reads disputes for REST. */
import type { Scope } from '../../domain/account.ts';
import type { Dispute, DisputeStatus } from '../../domain/dispute.ts';
import type { AccountId, ChargeId, CheckoutSessionId, DisputeId, MerchantId } from '../../domain/ids.ts';
import { inScope, type ListedTable, readListedPage, type TimeRange } from '../conditions.ts';
import type { Page, PageRequest } from '../pages.ts';
import { readFirst, type Sql } from '../pool.ts';
import { DISPUTE } from './disputes.ts';

/** Null matches everything. */
interface DisputeFilter extends TimeRange {
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
  const conditions = inScope(DISPUTES, scope, filter)
    .add('disputes.merchant_id = $?', filter.merchantId)
    .add('disputes.session_id = $?', filter.sessionId)
    .add('disputes.charge_id = $?', filter.chargeId)
    .add('disputes.status = $?', filter.status);
  return readListedPage(sql, DISPUTES, scope, { select: `select ${DISPUTE} from disputes`, conditions, page });
}

/** In either mode. Null if the account has no such dispute. */
export function findDispute(sql: Sql, accountId: AccountId, id: DisputeId): Promise<Dispute | null> {
  return readFirst(sql, `select ${DISPUTE} from disputes where id = $1 and account_id = $2`, [id, accountId]);
}
