/** Finds texts and events by the merchants of a limited user, which only their checkout session has. */
import type { CheckoutSessionId } from '../../domain/ids.ts';
import { isLimited } from '../merchant-limit/limit.ts';
import type { Sql } from '../pool.ts';

/** Merchants with more sessions fill a page soon if the list is read by time. */
export const MOST_OWN_SESSIONS = 5_000;

/** The views have only the user's merchants. */
const OWN_SESSIONS = `
  select own.id from merchants limited_to cross join lateral (
    select id from checkout_sessions where merchant_id = limited_to.id
     order by created_at desc, id desc limit ${MOST_OWN_SESSIONS + 1}) own
   limit ${MOST_OWN_SESSIONS + 1}`;

/**
 * The sessions of the merchants that the user is limited to; null if these are many, or if there is no limit. Without
 * them, PostgreSQL reads the account's texts or events by time, and the session of each: all of them for a merchant
 * that has none.
 */
export async function findOwnSessions(sql: Sql): Promise<CheckoutSessionId[] | null> {
  if (!isLimited(sql)) return null;
  const { rows } = await sql.query<{ id: CheckoutSessionId }>(OWN_SESSIONS);
  return rows.length > MOST_OWN_SESSIONS ? null : rows.map(({ id }) => id);
}
