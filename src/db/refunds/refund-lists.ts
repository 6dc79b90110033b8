/** Lists refunds, and claims the pending ones that are due for the resolver. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, ChargeId, RefundId } from '../../domain/ids.ts';
import type { Refund } from '../../domain/refund.ts';
import type { Mode } from '../../domain/session.ts';
import { claimDue, type DueClaim, findRowToSettle, type ToSettle } from '../due.ts';
import type { Sql } from '../pool.ts';
import { isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { type RefundRow, refundOf } from './refunds.ts';

/**
 * Newest first; of one charge where one is named.
 * @returns null when `startingAfter` is no refund of this list
 */
export function listRefunds(
  sql: Sql,
  scope: Scope,
  chargeId: ChargeId | null,
  page: PageRequest,
): Promise<Page<Refund> | null> {
  return readPage(page, {
    placeOf: (id) => listedId(sql, scope, chargeId, id),
    rowsBehind: (id, limit) =>
      sql.query<RefundRow>(
        `select r.*
           from refunds r
          where r.account_id = $1 and r.mode = $2 and ($3::text is null or r.charge_id = $3)
            and ${isBehind('r', 'refunds', '$4')}
          order by r.created_at desc, r.id desc limit $5`,
        [scope.accountId, scope.mode, chargeId, id, limit],
      ),
    itemOf: refundOf,
  });
}

async function listedId(sql: Sql, scope: Scope, chargeId: ChargeId | null, id: string): Promise<string | null> {
  const { rows } = await sql.query<{ id: string }>(
    `select id from refunds
      where id = $1 and account_id = $2 and mode = $3 and ($4::text is null or charge_id = $4)`,
    [id, scope.accountId, scope.mode, chargeId],
  );
  return rows[0]?.id ?? null;
}

/** In which mode the account's charge is; null when it has none of that id. */
export async function findChargeMode(sql: Sql, accountId: AccountId, id: ChargeId): Promise<Mode | null> {
  const { rows } = await sql.query<{ mode: Mode }>('select mode from charges where id = $1 and account_id = $2', [
    id,
    accountId,
  ]);
  return rows[0]?.mode ?? null;
}

/** A refund for an operator to settle, see {@link findRowToSettle}. */
export async function findRefundToSettle(sql: Sql, id: RefundId): Promise<({ refund: Refund } & ToSettle) | null> {
  const row = await findRowToSettle<RefundRow>(sql, 'refunds', id);
  return row === null ? null : { refund: refundOf(row), givenUp: row.givenUp, ageMs: row.ageMs };
}

/** A pending refund to ask the processor about. */
export interface DueRefund extends DueClaim {
  refund: Refund;
}

/** Claims due refunds for the resolver, see {@link claimDue}. */
export async function claimDueRefunds(sql: Sql, limit: number, delaysMs: readonly number[]): Promise<DueRefund[]> {
  const rows = await claimDue<RefundRow>(sql, 'refunds', limit, delaysMs);
  return rows.map((row) => ({ refund: refundOf(row), ageMs: row.ageMs, attempt: row.attempt, last: row.last }));
}
