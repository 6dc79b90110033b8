/** Lists refunds, and claims the pending ones that are due for the resolver. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, ChargeId, MerchantId, RefundId } from '../../domain/ids.ts';
import type { ListedRefund, Refund, RefundStatus } from '../../domain/refund.ts';
import type { Mode } from '../../domain/session.ts';
import { boundByMerchants, type Conditions, inScope, type ListedTable, type TimeRange } from '../conditions.ts';
import { claimDue, type DueClaim, needsSettling } from '../due.ts';
import { isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { readFirst, type Sql } from '../pool.ts';
import { REFUND } from './refunds.ts';

const REFUNDS: ListedTable = { name: 'refunds', time: 'created_at', byMerchant: 'bound' };

/** SQL: each refund has a session and a merchant. Joined from the left for limited users, as charges are. */
const SELECT = `
  select ${REFUND}, ${needsSettling('refunds')} as "needsSettling", m.business_name as "businessName",
         checkout_sessions.caller_phone as "callerPhone"
    from refunds
    left join checkout_sessions on checkout_sessions.id = refunds.session_id
    left join merchants m on m.id = refunds.merchant_id`;

/** Null matches everything. */
export interface RefundFilter extends TimeRange {
  chargeId: ChargeId | null;
  merchantId: MerchantId | null;
  status: RefundStatus | null;
  /** Only those that the resolver has given up on. */
  needsSettling: boolean;
}

export function refundConditions(scope: Scope, filter: RefundFilter): Conditions {
  const conditions = inScope(REFUNDS, scope, filter);
  if (filter.needsSettling) conditions.require(needsSettling('refunds'));
  return conditions
    .add('refunds.charge_id = $?', filter.chargeId)
    .add('refunds.merchant_id = $?', filter.merchantId)
    .add('refunds.status = $?', filter.status);
}

/**
 * Newest first.
 * @returns null if `startingAfter` is no refund of the scope, or belongs to another charge than requested
 */
export function listRefunds(
  sql: Sql,
  scope: Scope,
  filter: RefundFilter,
  page: PageRequest,
): Promise<Page<ListedRefund> | null> {
  return readPage(page, {
    placeOf: (id) => listedId(sql, scope, filter.chargeId, id),
    rowsBehind(id, limit) {
      const conditions = refundConditions(scope, filter);
      const place = id && conditions.parameter(id);
      if (place !== null) conditions.require(isBehind('refunds', place));
      boundByMerchants(sql, REFUNDS, conditions, place && `(select created_at from refunds where id = ${place})`);
      const order = `order by refunds.created_at desc, refunds.id desc limit ${conditions.parameter(limit)}`;
      const text = `${SELECT} where ${conditions.sql} ${order}`;
      return sql.query<ListedRefund>(text, conditions.values);
    },
  });
}

async function listedId(sql: Sql, scope: Scope, chargeId: ChargeId | null, id: string): Promise<string | null> {
  const text = `select from refunds
                 where id = $1 and account_id = $2 and mode = $3 and ($4::text is null or charge_id = $4)`;
  return (await readFirst(sql, text, [id, scope.accountId, scope.mode, chargeId])) === null ? null : id;
}

/** In either mode. Null if the account has no such refund. */
export function findListedRefund(sql: Sql, accountId: AccountId, id: RefundId): Promise<ListedRefund | null> {
  return readFirst(sql, `${SELECT} where refunds.id = $1 and refunds.account_id = $2`, [id, accountId]);
}

/** The mode of the account's charge; null if it has no such charge. */
export async function findChargeMode(sql: Sql, accountId: AccountId, id: ChargeId): Promise<Mode | null> {
  const text = 'select mode from charges where id = $1 and account_id = $2';
  return (await readFirst<{ mode: Mode }>(sql, text, [id, accountId]))?.mode ?? null;
}

/** A pending refund to ask the processor about. */
export type DueRefund = DueClaim & { refund: Refund };

/** Claims due refunds for the resolver; see {@link claimDue}. */
export async function claimDueRefunds(sql: Sql, limit: number, delaysMs: readonly number[]): Promise<DueRefund[]> {
  const rows = await claimDue<Refund>(sql, 'refunds', REFUND, limit, delaysMs);
  return rows.map(({ ageMs, attempt, last, ...refund }) => ({ refund, ageMs, attempt, last }));
}
