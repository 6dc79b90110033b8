/** Saved cards as they are managed: by caller and merchant. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, ConsumerId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { Consumer, SavedCard } from '../../domain/instrument.ts';
import type { Mode } from '../../domain/session.ts';
import type { HandleAtRest } from '../../vault/handles.ts';
import { isKeptAt, isUnexpired } from './chargeable.ts';
import { insertRestConsent } from './consents.ts';
import { type CardRow, cardOf } from './consumers.ts';
import type { Database, Sql } from '../pool.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { queueRemoval } from './removals.ts';

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

/** A card that a processor keeps for a caller, to be written for the first time or again. */
export interface CardToWrite {
  /** For a card that the caller does not have yet. */
  id: InstrumentId;
  merchantId: MerchantId;
  processor: string;
  fingerprint: string | null;
  brand: string;
  lastFour: string;
  expiryMonth: number;
  expiryYear: number;
  isDefault: boolean;
  /** What to keep as its handle under this id, and whether that is another than the one of before. */
  seal(id: InstrumentId, before: HandleAtRest | null): { handle: string; replaces: boolean };
}

/**
 * Keeps a card and, where the number is new or more is told of the caller, the caller; and that the integrator had asked
 * him. A card that he has already stays the same one, with its new expiry and handle, and is the newest.
 */
export function saveCardRow(
  database: Database,
  scope: Scope,
  caller: CallerDetails,
  card: CardToWrite,
): Promise<InstrumentId> {
  return database.transaction(async (sql) => {
    // Locks the caller's row: two cards of his are written one after the other.
    const consumerId = await keepCaller(sql, scope, caller);
    if (card.isDefault) {
      await sql.query(
        'update instruments set is_default = false where consumer_id = $1 and merchant_id = $2 and is_default',
        [consumerId, card.merchantId],
      );
    }
    const before = await findSame(sql, consumerId, card);
    const id = before?.id ?? card.id;
    await writeCard(sql, scope, { ...card, id, consumerId, ...card.seal(id, before) });
    await insertRestConsent(sql, id);
    return id;
  });
}

async function findSame(sql: Sql, consumerId: ConsumerId, card: CardToWrite): Promise<HandleAtRest | null> {
  const { rows } = await sql.query<HandleAtRest>(
    `select i.id, i.processor_handle as "processorHandle", i.handle_sealed as "handleSealed"
       from instruments i
       left join merchant_processors p on p.merchant_id = $2 and p.processor = $3
      where i.consumer_id = $1 and i.processor = $3 and i.fingerprint = $4 and i.deleted_at is null
        and coalesce(i.processor_account, i.merchant_id) = coalesce(p.processor_account, $2)`,
    [consumerId, card.merchantId, card.processor, card.fingerprint],
  );
  return rows[0] ?? null;
}

type WrittenCard = Omit<CardToWrite, 'seal'> & { consumerId: ConsumerId; handle: string; replaces: boolean };

async function writeCard(sql: Sql, scope: Scope, card: WrittenCard): Promise<void> {
  if (card.replaces) await queueRemoval(sql, card.id);
  await sql.query(
    `insert into instruments as i (id, account_id, mode, consumer_id, merchant_id, processor, processor_account,
                                   processor_handle, handle_sealed, fingerprint, brand, last_four, expiry_month,
                                   expiry_year, is_default)
     values ($1, $2, $3, $4, $5, $6,
             (select processor_account from merchant_processors where merchant_id = $5 and processor = $6),
             $7, true, $8, $9, $10, $11, $12, $13)
     on conflict (id) do update
        set processor_handle = excluded.processor_handle, handle_sealed = true, brand = excluded.brand,
            last_four = excluded.last_four, expiry_month = excluded.expiry_month, expiry_year = excluded.expiry_year,
            is_default = i.is_default or excluded.is_default, created_at = now()`,
    [
      ...[card.id, scope.accountId, scope.mode, card.consumerId, card.merchantId, card.processor, card.handle],
      ...[card.fingerprint, card.brand, card.lastFour, card.expiryMonth, card.expiryYear, card.isDefault],
    ],
  );
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
 * A caller's cards that can be charged at this merchant, newest first: kept there, not expired, not deleted.
 * @returns null when `startingAfter` is no card of this scope
 */
export function listCards(
  sql: Sql,
  scope: Scope,
  who: { callerPhone: string; merchantId: MerchantId; at: Date },
  page: PageRequest,
): Promise<Page<SavedCard> | null> {
  return readPage(page, {
    placeOf: (id) => idInScope(sql, 'instruments', scope, id),
    rowsBehind: (id, limit) =>
      sql.query<CardRow>(
        `select i.id, i.brand, i.last_four, i.expiry_month, i.expiry_year, i.is_default
           from merchants m
           left join merchant_processors p on p.merchant_id = m.id and p.processor = m.processor
           join consumers c on c.account_id = $1 and c.mode = $2 and c.phone = $3
           join instruments i on i.consumer_id = c.id and i.deleted_at is null
          where m.id = $4 and ${isKeptAt('i', 'm', 'p')} and ${isUnexpired('i', 'm', '$5::timestamptz')}
            and ${isBehind('i', 'instruments', '$6')}
          order by i.created_at desc, i.id desc limit $7`,
        [scope.accountId, scope.mode, who.callerPhone, who.merchantId, who.at, id, limit],
      ),
    itemOf: cardOf,
  });
}

/** A saved card, whose it is and in which mode. */
export interface Instrument extends SavedCard {
  mode: Mode;
}

/** The account's card, in whichever mode it is; not a deleted one. */
export async function findInstrument(sql: Sql, accountId: AccountId, id: InstrumentId): Promise<Instrument | null> {
  const { rows } = await sql.query<CardRow & { mode: Mode }>(
    `select id, brand, last_four, expiry_month, expiry_year, is_default, mode
       from instruments where id = $1 and account_id = $2 and deleted_at is null`,
    [id, accountId],
  );
  return rows[0] === undefined ? null : { ...cardOf(rows[0]), mode: rows[0].mode };
}

/** Seals handles of before they were sealed, a batch of them. @returns how many */
export async function sealHandles(
  sql: Sql,
  limit: number,
  seal: (id: InstrumentId, handle: string) => string,
): Promise<number> {
  const { rows } = await sql.query<{ id: InstrumentId; processor_handle: string }>(
    'select id, processor_handle from instruments where not handle_sealed and deleted_at is null order by id limit $1',
    [limit],
  );
  await sql.query(
    `update instruments i set processor_handle = sealed.handle, handle_sealed = true
       from unnest($1::text[], $2::text[]) as sealed (id, handle)
      where i.id = sealed.id and not i.handle_sealed and i.deleted_at is null`,
    [rows.map(({ id }) => id), rows.map(({ id, processor_handle: handle }) => seal(id, handle))],
  );
  return rows.length;
}
