/** The table `pay_links`: one row for each session that has a link, found by the hash of either of its two codes. */
import { createHash } from 'node:crypto';
import type { Scope } from '../../domain/account.ts';
import { type AccountId, type CheckoutSessionId, type PayCodes, payCodeForm } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { readFirst, type Sql } from '../pool.ts';

/** The session that a link leads to. */
interface PayLink {
  sessionId: CheckoutSessionId;
  scope: Scope;
}

/** A link to store. */
export interface NewPayLink extends PayLink {
  codes: PayCodes;
  /** Both codes, encrypted for this session. */
  codesSealed: string;
}

/** Malformed codes are rejected without a query. @param code of either address @returns null for an unknown code */
export async function findPayLink(sql: Sql, code: string): Promise<PayLink | null> {
  const form = payCodeForm(code);
  if (form === null) return null;
  const row = await readFirst<{ sessionId: CheckoutSessionId; accountId: AccountId; mode: Mode }>(sql, {
    name: `find_pay_link_${form}`,
    text: `select session_id as "sessionId", account_id as "accountId", mode from pay_links where ${form}_hash = $1`,
    values: [hashPayCode(code)],
  });
  return row === null ? null : { sessionId: row.sessionId, scope: { accountId: row.accountId, mode: row.mode } };
}

/** Records that a person has opened the page. @returns whether it was the first time */
export async function markOpened(sql: Sql, sessionId: CheckoutSessionId): Promise<boolean> {
  const { rowCount } = await sql.query(
    'update pay_links set opened_at = now() where session_id = $1 and opened_at is null',
    [sessionId],
  );
  return rowCount === 1;
}

/** @returns the sealed codes of the session's link; null if it has none */
export async function findSealedCodes(sql: Sql, sessionId: CheckoutSessionId): Promise<string | null> {
  const row = await readFirst<{ codesSealed: string }>(sql, {
    name: 'find_sealed_codes',
    text: 'select codes_sealed as "codesSealed" from pay_links where session_id = $1',
    values: [sessionId],
  });
  return row?.codesSealed ?? null;
}

/** @returns whether the session had no link before */
export async function insertPayLink(sql: Sql, { sessionId, scope, codes, codesSealed }: NewPayLink): Promise<boolean> {
  const { rowCount } = await sql.query(
    `insert into pay_links (session_id, account_id, mode, short_hash, long_hash, codes_sealed)
     values ($1, $2, $3, $4, $5, $6) on conflict (session_id) do nothing`,
    [sessionId, scope.accountId, scope.mode, hashPayCode(codes.short), hashPayCode(codes.long), codesSealed],
  );
  return rowCount === 1;
}

/** SHA-256. The codes are random and long enough for a hash without a salt. */
export function hashPayCode(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
