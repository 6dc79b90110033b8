/** Finds the sessions for a call without a token, by the calling and the dialed number. */
import type { NumberOwner } from '../../domain/transfer-number.ts';
import { ONLY_ACCOUNT } from '../keys/accounts.ts';
import type { Sql } from '../pool.ts';
import { SELECT_FOR_CALL, type SessionForCall, type SessionForCallRow, sessionForCallOf } from './sessions.ts';

/** The numbers of a call, in E.164, from a trusted trunk. */
interface NumbersOfCall {
  callingNumber: string;
  /** Dialed numbers in the INVITE. The first that belongs to a merchant decides. */
  dialledNumbers: readonly string[];
}

/**
 * The caller's newest open, unexpired session to be paid by phone at each merchant, of the account and mode that own
 * the dialed number. If a number serves both modes, live comes first: a test session must not get the call of a live
 * one. If a merchant's number was dialed, only that merchant counts.
 * @param limit maximum number of merchants @returns newest first
 */
export async function findSessionsForCaller(
  sql: Sql,
  owner: NumberOwner,
  { callingNumber, dialledNumbers }: NumbersOfCall,
  limit: number,
): Promise<SessionForCall[]> {
  const { accountId, mode } = owner === 'only_account' ? { accountId: null, mode: null } : owner;
  const readAtMs = performance.now();
  const { rows } = await sql.query<SessionForCallRow & { dialledAt: number | null }>(
    `with waiting as (
       select distinct on (s.merchant_id, s.mode) s.id as "waitingId",
              (select min(array_position($2::text[], n.number)) from merchant_numbers n
                where n.merchant_id = s.merchant_id and n.number = any($2)) as "dialledAt"
         from checkout_sessions s
        where s.caller_phone = $1 and s.status = 'open' and s.verdict = 'required' and s.expires_at > now()
          and s.account_id = coalesce($3, ${ONLY_ACCOUNT})
          and ($4::mode is null or s.mode = $4)
        order by s.merchant_id, s.mode, s.created_at desc)
     select found.*, "dialledAt" from waiting
       join lateral (${SELECT_FOR_CALL} where checkout_sessions.id = "waitingId") found on true
      order by found.mode = 'live' desc, "dialledAt", found."createdAt" desc
      limit $5`,
    [callingNumber, dialledNumbers, accountId, mode, limit],
  );
  const [first] = rows;
  if (first === undefined) return [];
  const offered = first.dialledAt === null ? rows.filter((row) => row.mode === first.mode) : [first];
  return offered.map(({ dialledAt: _, ...row }) => sessionForCallOf(row, readAtMs));
}
