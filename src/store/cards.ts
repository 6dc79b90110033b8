/** Saved cards as they are managed: by caller and merchant, with what the processor needs to forget one. */
import type { Scope } from '../domain/account.ts';
import type { AccountId, ConsumerId, InstrumentId, MerchantId } from '../domain/ids.ts';
import { newId } from '../domain/ids.ts';
import type { Consumer, SavedCard } from '../domain/instrument.ts';
import type { Mode } from '../domain/session.ts';
import { type CardRow, cardOf, insertInstrument, type NewInstrument } from './consumers.ts';
import type { Database, Sql } from './database.ts';
import { type Page, type PageRequest, pageOf } from './pages.ts';

interface ConsumerRow {
  id: ConsumerId;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
}

/** Whoever calls from this number (E.164). */
export async function findConsumer(sql: Sql, scope: Scope, phone: string): Promise<Consumer | null> {
  const { rows } = await sql.query<ConsumerRow>(
    'select id, first_name, last_name, email from consumers where account_id = $1 and mode = $2 and phone = $3',
    [scope.accountId, scope.mode, phone],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return { id: row.id, firstName: row.first_name, lastName: row.last_name, email: row.email };
}

export interface CallerDetails {
  phone: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
}

/** Keeps a card and, where the number is new or more is told of the caller, the caller. */
export function saveCardRow(
  database: Database,
  scope: Scope,
  caller: CallerDetails,
  card: Omit<NewInstrument, 'consumerId'>,
): Promise<void> {
  return database.transaction(async (sql) => {
    const consumerId = await keepCaller(sql, scope, caller);
    if (card.isDefault) {
      await sql.query(
        'update instruments set is_default = false where consumer_id = $1 and merchant_id = $2 and is_default',
        [consumerId, card.merchantId],
      );
    }
    await insertInstrument(sql, scope, { ...card, consumerId });
  });
}

async function keepCaller(sql: Sql, scope: Scope, caller: CallerDetails): Promise<ConsumerId> {
  const { rows } = await sql.query<{ id: ConsumerId }>(
    `insert into consumers as c (id, account_id, mode, phone, first_name, last_name, email)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id, mode, phone) do update
        set first_name = coalesce(excluded.first_name, c.first_name),
            last_name = coalesce(excluded.last_name, c.last_name), email = coalesce(excluded.email, c.email)
     returning id`,
    [newId('Consumer'), scope.accountId, scope.mode, caller.phone, caller.firstName, caller.lastName, caller.email],
  );
  if (rows[0] === undefined) throw new Error('an upsert returned no row');
  return rows[0].id;
}

/**
 * A caller's cards that can be charged at this merchant, newest first: of its processor, not expired, not deleted.
 * @returns null when `startingAfter` is none of the caller's cards here
 */
export async function listCards(
  sql: Sql,
  scope: Scope,
  who: { callerPhone: string; merchantId: MerchantId },
  page: PageRequest,
): Promise<Page<SavedCard> | null> {
  const { rows } = await sql.query<CardRow & { created_at: Date }>(
    `select i.id, i.brand, i.last_four, i.expiry_month, i.expiry_year, i.is_default
       from instruments i
       join consumers c on c.id = i.consumer_id
       join merchants m on m.id = i.merchant_id and m.processor = i.processor
      where c.account_id = $1 and c.mode = $2 and c.phone = $3 and i.merchant_id = $4 and i.deleted_at is null
        and make_date(i.expiry_year, i.expiry_month, 1) + interval '1 month' > now()
        and ($5::text is null or (i.created_at, i.id) < (select a.created_at, a.id from instruments a where a.id = $5))
      order by i.created_at desc, i.id desc limit $6`,
    [scope.accountId, scope.mode, who.callerPhone, who.merchantId, page.startingAfter, page.limit + 1],
  );
  if (page.startingAfter !== null && !(await belongs(sql, scope, page.startingAfter, who.merchantId))) return null;
  return pageOf(rows, page.limit, cardOf);
}

async function belongs(sql: Sql, scope: Scope, id: string, merchantId: MerchantId): Promise<boolean> {
  const { rowCount } = await sql.query(
    'select 1 from instruments where id = $1 and account_id = $2 and mode = $3 and merchant_id = $4',
    [id, scope.accountId, scope.mode, merchantId],
  );
  return rowCount === 1;
}

/** A saved card with all that charging or forgetting it needs. */
export interface Instrument extends SavedCard {
  mode: Mode;
  consumerId: ConsumerId;
  merchantId: MerchantId;
  processor: string;
  processorHandle: string;
}

interface InstrumentRow extends CardRow {
  mode: Mode;
  consumer_id: ConsumerId;
  merchant_id: MerchantId;
  processor: string;
  processor_handle: string;
}

/** The account's card, in whichever mode it is; not a deleted one. */
export async function findInstrument(sql: Sql, accountId: AccountId, id: InstrumentId): Promise<Instrument | null> {
  const { rows } = await sql.query<InstrumentRow>(
    `select id, brand, last_four, expiry_month, expiry_year, is_default, mode, consumer_id, merchant_id, processor,
            processor_handle
       from instruments where id = $1 and account_id = $2 and deleted_at is null`,
    [id, accountId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    ...cardOf(row),
    mode: row.mode,
    consumerId: row.consumer_id,
    merchantId: row.merchant_id,
    processor: row.processor,
    processorHandle: row.processor_handle,
  };
}

export async function deleteInstrument(sql: Sql, id: InstrumentId): Promise<void> {
  await sql.query(
    'update instruments set deleted_at = now(), is_default = false where id = $1 and deleted_at is null',
    [id],
  );
}
