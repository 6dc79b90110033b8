/**
 * Claims a session for a call that was answered without one, because the caller had to choose among several payments.
 */
import type { CheckoutSessionId } from '../../domain/ids.ts';
import { isDuplicate } from '../error-kinds.ts';
import type { Sql } from '../pool.ts';
import { type CallHolder, MAX_CALLS_A_SESSION } from './calls.ts';

/**
 * `gone`: the call has ended, already has a session, or was taken over by another process. For the others, see
 * CallInsertion.
 */
export type SessionClaim = 'claimed' | 'busy' | 'too_many' | 'gone';

/** Atomic: if two calls claim one session, the unique index of live calls admits one. */
export async function claimSession(
  sql: Sql,
  { id, leaseId }: CallHolder,
  sessionId: CheckoutSessionId,
): Promise<SessionClaim> {
  const text = `
    with earlier as (
      select count(*) >= ${MAX_CALLS_A_SESSION} as "isOften"
        from (select from calls where session_id = $3 and answered_at is not null limit ${MAX_CALLS_A_SESSION}) of_session),
    claimed as (
      update calls
         set session_id = $3, merchant_id = (select s.merchant_id from checkout_sessions s where s.id = $3)
        from earlier
       where id = $1 and lease_id = $2 and session_id is null and ended_at is null and not earlier."isOften"
      returning 1)
    select case when exists (select from claimed) then 'claimed' when earlier."isOften" then 'too_many' else 'gone' end as claim
      from earlier`;
  try {
    const { rows } = await sql.query<{ claim: SessionClaim }>(text, [id, leaseId, sessionId]);
    return rows[0]?.claim ?? 'gone';
  } catch (error) {
    if (isDuplicate(error)) return 'busy';
    throw error;
  }
}
