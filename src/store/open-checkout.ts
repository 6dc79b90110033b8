/** Opens a session at a merchant, in one statement that also finds its caller, and the cards that can be charged. */
import type { SavedCard } from '../domain/instrument.ts';
import { chargeableCards } from './chargeable.ts';
import { type CardRow, cardOf } from './consumers.ts';
import type { Sql } from './database.ts';
import { type NewSession, sessionValues } from './sessions.ts';

/**
 * The caller is found by the row that is written, the cards by what was written: `merchants` is read once for its version
 * and once, by its key, for what decides which cards it can charge.
 */
const OPEN = `
  insert into checkout_sessions (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source,
    caller_phone, order_id, platform_call_id, return_to, success_message, failure_message, line_items, metadata,
    transfer_token_hash, expires_at, consumer_id)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, c.id
    from merchants m
    left join consumers c on c.account_id = m.account_id and c.mode = m.mode and c.phone = $9
   where m.id = $4 and m.account_id = $2 and m.mode = $3 and m.xmin = $19::xid
  returning (select ${chargeableCards('$20::timestamptz')}
               from merchants m, (select checkout_sessions.consumer_id as id) c
              where m.id = checkout_sessions.merchant_id) as cards`;

/**
 * @param version of the merchant's row that the session was made by
 * @param at cards that have expired by then are none
 * @returns the caller's cards that the merchant can charge, newest first; null when the merchant's row has changed: then
 *   nothing was opened
 */
export async function openCheckout(
  sql: Sql,
  session: Omit<NewSession, 'consumerId'>,
  version: string,
  at: Date,
): Promise<SavedCard[] | null> {
  const { rows } = await sql.query<{ cards: CardRow[] }>({
    name: 'open_checkout',
    text: OPEN,
    values: [...sessionValues(session), version, at],
  });
  return rows[0]?.cards.map(cardOf) ?? null;
}
