/** Idempotency keys: which request works on one, and what it was answered. */
import type { Scope } from '../../domain/account.ts';
import type { Sql } from '../pool.ts';

/** One Idempotency-Key of one account, mode and route. Hashes are SHA-256. */
export interface IdempotencyKey extends Scope {
  route: string;
  keyHash: Buffer;
}

/** An attempt to be the first with a key. */
export interface Claim extends IdempotencyKey {
  requestHash: Buffer;
  requestId: string;
}

/** What became of it. `busy`: another request works on it, or has just let go of it: try again. */
export type ClaimResult =
  | { kind: 'claimed' }
  | { kind: 'answered'; requestId: string; status: number; sealedAnswer: string }
  | { kind: 'mismatch' }
  | { kind: 'busy' };

const KEPT = "interval '24 hours'";
/** Longer than any handler takes, a processor's slowest answer included: only what a dead process left is taken over. */
const CLAIM_SECONDS = 60;

/**
 * Free, past its 24 hours, or left behind by a process that died: ours, in the same statement. What was left behind is
 * taken over by the same details only, for it may have had its effect.
 */
const CLAIM = `
  with claimed as (
    insert into idempotency_keys as k (account_id, mode, route, key_hash, request_hash, request_id, claimed_until)
    values ($1, $2, $3, $4, $5, $6, now() + interval '${CLAIM_SECONDS} seconds')
    on conflict (account_id, mode, route, key_hash) do update
      set request_hash = excluded.request_hash, request_id = excluded.request_id,
          claimed_until = excluded.claimed_until, created_at = now(), status = null, answer = null
      where k.created_at < now() - ${KEPT}
         or (k.status is null and k.claimed_until < now() and k.request_hash = excluded.request_hash)
    returning 1
  )
  select exists (select from claimed) as claimed, k.request_hash = $5 as same_request, k.request_id, k.status, k.answer
    from (values (1)) as one
    left join idempotency_keys k on k.account_id = $1 and k.mode = $2 and k.route = $3 and k.key_hash = $4`;

interface ClaimRow {
  claimed: boolean;
  /** Null, as all that follows, when the row is younger than the statement. */
  same_request: boolean | null;
  request_id: string;
  status: number | null;
  answer: string | null;
}

/** Takes the key for this request, or tells what another one made of it: {@link CLAIM} says when it may be taken over. */
export async function claimKey(sql: Sql, claim: Claim): Promise<ClaimResult> {
  const { rows } = await sql.query<ClaimRow>({
    name: 'claim_idempotency_key',
    text: CLAIM,
    values: [...valuesOf(claim), claim.requestHash, claim.requestId],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('a statement that always has a row had none');
  if (row.claimed) return { kind: 'claimed' };
  if (row.same_request === false) return { kind: 'mismatch' };
  if (row.status === null || row.answer === null) return { kind: 'busy' };
  return { kind: 'answered', requestId: row.request_id, status: row.status, sealedAnswer: row.answer };
}

/** Keeps the first answer. @returns false when another request has taken the key over: its answer counts, not ours */
export async function keepAnswer(sql: Sql, claim: Claim, answer: { status: number; sealed: string }): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: 'keep_idempotent_answer',
    text: `update idempotency_keys set status = $6, answer = $7
            where account_id = $1 and mode = $2 and route = $3 and key_hash = $4 and request_id = $5 and status is null`,
    values: [...valuesOf(claim), claim.requestId, answer.status, answer.sealed],
  });
  return rowCount === 1;
}

/** Nothing is kept, so the next request with the key is the first again. */
export async function releaseKey(sql: Sql, claim: Claim): Promise<void> {
  await sql.query(
    `delete from idempotency_keys
      where account_id = $1 and mode = $2 and route = $3 and key_hash = $4 and request_id = $5 and status is null`,
    [...valuesOf(claim), claim.requestId],
  );
}

/** Removes at most `limit` keys that are past their time. @returns how many */
export async function deleteOldKeys(sql: Sql, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `delete from idempotency_keys where ctid in (
       select ctid from idempotency_keys where created_at < now() - ${KEPT} order by created_at limit $1
          for update skip locked)`,
    [limit],
  );
  return rowCount ?? 0;
}

function valuesOf(key: IdempotencyKey): unknown[] {
  return [key.accountId, key.mode, key.route, key.keyHash];
}
