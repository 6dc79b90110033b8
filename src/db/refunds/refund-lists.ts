/** Lists refunds, and claims the pending ones that are due for the resolver. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, ChargeId, RefundId } from '../../domain/ids.ts';
import type { Refund } from '../../domain/refund.ts';
import type { Mode } from '../../domain/session.ts';
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

/** A refund, its age, and whether the resolver has given it up; null where there is none. */
export async function findRefundToSettle(
  sql: Sql,
  id: RefundId,
): Promise<{ refund: Refund; givenUp: boolean; ageMs: number } | null> {
  const { rows } = await sql.query<RefundRow & { given_up: boolean; age_ms: number }>(
    `select r.*, r.resolve_at = 'infinity' as given_up,
            extract(epoch from now() - r.created_at)::double precision * 1000 as age_ms
       from refunds r where r.id = $1`,
    [id],
  );
  const [row] = rows;
  return row === undefined ? null : { refund: refundOf(row), givenUp: row.given_up, ageMs: row.age_ms };
}

/** A pending refund to ask the processor about. */
export interface DueRefund {
  refund: Refund;
  /** Since it was begun. */
  ageMs: number;
  /** Times asked, this one included. */
  attempt: number;
  /** The resolver will not ask again. */
  last: boolean;
}

/**
 * Claims up to `limit` due refunds for one attempt each and sets the time of their next. A claimer that dies has only
 * skipped an attempt. @param delaysMs `delaysMs[n]`: pause after attempt n + 1; after the last there is none
 */
export async function claimDueRefunds(sql: Sql, limit: number, delaysMs: readonly number[]): Promise<DueRefund[]> {
  const { rows } = await sql.query<RefundRow & { age_ms: number; resolve_attempts: number; last: boolean }>(
    `update refunds r
        set resolve_attempts = r.resolve_attempts + 1,
            resolve_at = coalesce(now() + ($2::integer[])[r.resolve_attempts + 1] * interval '1 millisecond', 'infinity')
      where r.id in (select id from refunds where status = 'pending' and resolve_at <= now()
                      order by resolve_at limit $1 for update skip locked)
     returning r.*, r.resolve_attempts, r.resolve_at = 'infinity' as last,
               extract(epoch from now() - r.created_at)::double precision * 1000 as age_ms`,
    [limit, delaysMs],
  );
  return rows.map((row) => ({
    refund: refundOf(row),
    ageMs: row.age_ms,
    attempt: row.resolve_attempts,
    last: row.last,
  }));
}

/** Milliseconds until the next pending refund is due, 0 when one is; null when none is pending. */
export async function nextRefundDueInMs(sql: Sql): Promise<number | null> {
  const { rows } = await sql.query<{ due_in_ms: number | null }>(
    `select (extract(epoch from min(resolve_at) - now()) * 1000)::double precision as due_in_ms
       from refunds where status = 'pending' and resolve_at < 'infinity'`,
  );
  const dueInMs = rows[0]?.due_in_ms ?? null;
  return dueInMs === null ? null : Math.max(0, dueInMs);
}
