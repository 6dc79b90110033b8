/** Rows of `idempotency_keys`: which request holds a key, and the stored answer. */
import type { Scope } from '../../domain/account.ts';
import { readOne, type Sql } from '../pool.ts';

/** One Idempotency-Key of one account, mode and route. Hashes are SHA-256. */
interface IdempotencyKey extends Scope {
  route: string;
  keyHash: Buffer;
}

/** A request's attempt to be the first with a key. */
export interface Claim extends IdempotencyKey {
  requestHash: Buffer;
  requestId: string;
}

/** `busy`: another request holds the key or has just released it. Retry. */
export type ClaimResult =
  | { kind: 'claimed' }
  | { kind: 'answered'; requestId: string; status: number; encryptedAnswer: string }
  | { kind: 'mismatch' }
  | { kind: 'busy' };

const RETENTION = "interval '24 hours'";
/** Longer than any handler takes, so that only claims of dead processes are taken over. */
const CLAIM_SECONDS = 60;

/**
 * Claims a key that is free, older than 24 hours, or left by a dead process. The latter only for the same request,
 * because the first request may have had its effect.
 */
const CLAIM = `
  with claimed as (
    insert into idempotency_keys as k (account_id, mode, route, key_hash, request_hash, request_id, claimed_until)
    values ($1, $2, $3, $4, $5, $6, now() + interval '${CLAIM_SECONDS} seconds')
    on conflict (account_id, mode, route, key_hash) do update
      set request_hash = excluded.request_hash, request_id = excluded.request_id,
          claimed_until = excluded.claimed_until, created_at = now(), status = null, answer = null
      where k.created_at < now() - ${RETENTION}
         or (k.status is null and k.claimed_until < now() and k.request_hash = excluded.request_hash)
    returning 1
  )
  select exists (select from claimed) as claimed, k.request_hash = $5 as "isSameRequest", k.request_id as "requestId",
         k.status, k.answer
    from (values (1)) as one
    left join idempotency_keys k on k.account_id = $1 and k.mode = $2 and k.route = $3 and k.key_hash = $4`;

interface ClaimRow {
  claimed: boolean;
  /** Null, like all columns below, if another request inserted the row after this statement's snapshot. */
  isSameRequest: boolean | null;
  requestId: string;
  status: number | null;
  answer: string | null;
}

export async function claimKey(sql: Sql, claim: Claim): Promise<ClaimResult> {
  const row = await readOne<ClaimRow>(sql, {
    name: 'claim_idempotency_key',
    text: CLAIM,
    values: [...valuesOf(claim), claim.requestHash, claim.requestId],
  });
  if (row.claimed) return { kind: 'claimed' };
  if (row.isSameRequest === false) return { kind: 'mismatch' };
  if (row.status === null || row.answer === null) return { kind: 'busy' };
  return { kind: 'answered', requestId: row.requestId, status: row.status, encryptedAnswer: row.answer };
}

/** @returns false if another request has taken over the key, so that its answer counts */
export async function storeAnswer(
  sql: Sql,
  claim: Claim,
  answer: { status: number; encrypted: string },
): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: 'store_idempotent_answer',
    text: `update idempotency_keys set status = $6, answer = $7
            where account_id = $1 and mode = $2 and route = $3 and key_hash = $4 and request_id = $5 and status is null`,
    values: [...valuesOf(claim), claim.requestId, answer.status, answer.encrypted],
  });
  return rowCount === 1;
}

/** Deletes the claim, so that the next request with the key counts as the first. */
export async function releaseKey(sql: Sql, claim: Claim): Promise<void> {
  await sql.query(
    `delete from idempotency_keys
      where account_id = $1 and mode = $2 and route = $3 and key_hash = $4 and request_id = $5 and status is null`,
    [...valuesOf(claim), claim.requestId],
  );
}

/** Deletes up to `limit` keys older than 24 hours. @returns how many */
export async function deleteOldKeys(sql: Sql, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `delete from idempotency_keys where ctid in (
       select ctid from idempotency_keys where created_at < now() - ${RETENTION} order by created_at limit $1
          for update skip locked)`,
    [limit],
  );
  return rowCount ?? 0;
}

/** Encryption context of a key's answer. */
export function answerContext(key: Record<'accountId' | 'mode' | 'route', string> & { keyHash: Buffer }): string {
  return `idempotency:${key.accountId}:${key.mode}:${key.route}:${key.keyHash.toString('base64url')}`;
}

function valuesOf(key: IdempotencyKey): unknown[] {
  return [key.accountId, key.mode, key.route, key.keyHash];
}
