/** Lists refunds, and claims the pending ones that are due for the resolver. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, ChargeId, RefundId } from '../../domain/ids.ts';
import type { ListedRefund, Refund } from '../../domain/refund.ts';
import type { Mode } from '../../domain/session.ts';
import { claimDue, type DueClaim, needsSettling } from '../due.ts';
import { isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { readFirst, type Sql } from '../pool.ts';
import { REFUND } from './refunds.ts';

const LISTED = `${REFUND}, ${needsSettling('refunds')} as "needsSettling"`;

interface RefundFilter {
  /** Null for all charges. */
  chargeId: ChargeId | null;
  /** Only those that the resolver has given up on. */
  needsSettling: boolean;
}

/**
 * Newest first.
 * @returns null if `startingAfter` is no refund of the scope, or belongs to another charge than requested
 */
export function listRefunds(
  sql: Sql,
  scope: Scope,
  { chargeId, needsSettling: onlyGivenUp }: RefundFilter,
  page: PageRequest,
): Promise<Page<ListedRefund> | null> {
  return readPage(page, {
    placeOf: (id) => listedId(sql, scope, chargeId, id),
    rowsBehind: (id, limit) =>
      sql.query<ListedRefund>(
        `select ${LISTED} from refunds
          where account_id = $1 and mode = $2 and ($3::text is null or charge_id = $3)
            ${onlyGivenUp ? `and ${needsSettling('refunds')}` : ''}
            and ${isBehind('refunds', '$4')}
          order by created_at desc, id desc limit $5`,
        [scope.accountId, scope.mode, chargeId, id, limit],
      ),
  });
}

async function listedId(sql: Sql, scope: Scope, chargeId: ChargeId | null, id: string): Promise<string | null> {
  const text = `select from refunds
                 where id = $1 and account_id = $2 and mode = $3 and ($4::text is null or charge_id = $4)`;
  return (await readFirst(sql, text, [id, scope.accountId, scope.mode, chargeId])) === null ? null : id;
}

/** In either mode. Null if the account has no such refund. */
export function findListedRefund(sql: Sql, accountId: AccountId, id: RefundId): Promise<ListedRefund | null> {
  return readFirst(sql, `select ${LISTED} from refunds where id = $1 and account_id = $2`, [id, accountId]);
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
