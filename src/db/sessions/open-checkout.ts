/** Opens sessions at merchants, in one statement that also finds their callers, and the cards that can be charged. */
import type { SavedCard } from '../../domain/instrument.ts';
import { chargeableCards } from '../cards/chargeable.ts';
import { type CardRow, cardOf } from '../cards/consumers.ts';
import type { Sql } from '../pool.ts';
import { type NewSession, sessionValues } from './sessions.ts';
import { STATEMENT_SIZES, sizeFor, together } from '../../concurrency/batching.ts';
import { isTransient } from '../transient.ts';

/** A session to open, by what its merchant is. */
export interface Opening {
  session: Omit<NewSession, 'consumerId'>;
  /** Of the merchant's row that the session was made by. */
  version: string;
  /** Cards that have expired by then are none. */
  at: Date;
}

/**
 * The caller's cards that the merchant can charge, newest first; null when the merchant's row has changed: then nothing
 * was opened.
 */
export type CheckoutOpener = (opening: Opening) => Promise<SavedCard[] | null>;

const TYPES = [
  ...['text', 'text', 'mode', 'text', 'verdict', 'integer', 'text', 'text', 'text', 'text', 'text', 'text', 'text'],
  ...['text', 'jsonb', 'json', 'bytea', 'timestamptz', 'xid'],
];

/** SQL: one row of `VALUES`, its first parameter's number given. */
const row = (first: number) => `(${TYPES.map((type, at) => `$${first + at}::${type}`).join(', ')})`;

/**
 * The caller is found for the row that is written, the cards by what was written: `merchants` is read for its version and,
 * once more, for what decides which cards it can charge.
 */
const STATEMENTS = new Map(
  STATEMENT_SIZES.map((size) => {
    const rows = Array.from({ length: size }, (_, at) => row(2 + at * TYPES.length)).join(', ');
    const text = `
      insert into checkout_sessions (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source,
        caller_phone, order_id, platform_call_id, return_to, success_message, failure_message, line_items, metadata,
        transfer_token_hash, expires_at, consumer_id)
      select v.id, v.account_id, v.mode, v.merchant_id, v.verdict, v.amount_cents, v.currency, v.amount_source,
             v.caller_phone, v.order_id, v.platform_call_id, v.return_to, v.success_message, v.failure_message,
             v.line_items, v.metadata, v.transfer_token_hash, v.expires_at, c.id
        from (values ${rows}) v (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source,
             caller_phone, order_id, platform_call_id, return_to, success_message, failure_message, line_items,
             metadata, transfer_token_hash, expires_at, version)
        join merchants m on m.id = v.merchant_id and m.account_id = v.account_id and m.mode = v.mode
                        and m.xmin = v.version
        left join consumers c on c.account_id = v.account_id and c.mode = v.mode and c.phone = v.caller_phone
      returning id, (select ${chargeableCards('$1::timestamptz')}
                       from merchants m, (select checkout_sessions.consumer_id as id) c
                      where m.id = checkout_sessions.merchant_id) as cards`;
    return [size, { name: `open_checkouts_${size}`, text }] as const;
  }),
);

/** Sessions that are opened at the same moment go into the record in one statement. */
export function createCheckoutOpener(sql: Sql): CheckoutOpener {
  return together((all) => openAll(sql, all), {
    most: Math.max(...STATEMENT_SIZES),
    // Where the connection broke nobody knows whether they were opened.
    mayAskAgain: (error) => !isTransient(error),
  });
}

async function openAll(sql: Sql, all: readonly Opening[]): Promise<(SavedCard[] | null)[]> {
  const size = sizeFor(all.length);
  const statement = STATEMENTS.get(size);
  if (statement === undefined) throw new Error('too many sessions at once');
  const values: unknown[] = [all[0]?.at];
  for (const { session, version } of all) values.push(...sessionValues(session), version);
  // What is left of the rows names no merchant, so nothing is written for it.
  const { rows } = await sql.query<{ id: string; cards: CardRow[] }>({
    values: [...values, ...new Array<null>((size - all.length) * TYPES.length).fill(null)],
    ...statement,
  });
  const opened = new Map(rows.map(({ id, cards }) => [id, cards.map(cardOf)]));
  return all.map(({ session }) => opened.get(session.id) ?? null);
}
