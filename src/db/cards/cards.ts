/** Reads saved cards and their callers, and saves cards over REST. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, ConsumerId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import type { Consumer, SavedCard } from '../../domain/instrument.ts';
import type { Mode } from '../../domain/session.ts';
import { insertRestConsent } from './consents.ts';
import { type CardRow, cardOf } from './consumers.ts';
import type { Database, Sql } from '../pool.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { type CallerDetails, type CardToSave, saveCard } from './saved-cards.ts';

interface ConsumerRow {
  id: ConsumerId;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
}

/** The consumer with this phone number (E.164). */
export async function findConsumer(sql: Sql, scope: Scope, phone: string): Promise<Consumer | null> {
  const { rows } = await sql.query<ConsumerRow>(
    'select id, first_name, last_name, email from consumers where account_id = $1 and mode = $2 and phone = $3',
    [scope.accountId, scope.mode, phone],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return { id: row.id, firstName: row.first_name, lastName: row.last_name, email: row.email };
}

/** Saves a card over REST, with a consent that says that the integrator asked the caller. */
export function saveCardOverRest(
  database: Database,
  scope: Scope,
  caller: CallerDetails,
  card: CardToSave,
): Promise<InstrumentId> {
  return database.transaction(async (sql) => {
    const { id } = await saveCard(sql, scope, caller, card);
    await insertRestConsent(sql, id);
    return id;
  });
}

/**
 * A caller's cards that can be charged at this merchant, newest first: kept there, not expired, not deleted.
 * @returns null when `startingAfter` is no card of this scope
 */
export function listCards(
  sql: Sql,
  scope: Scope,
  of: { callerPhone: string; merchantId: MerchantId; at: Date },
  page: PageRequest,
): Promise<Page<SavedCard> | null> {
  return readPage(page, {
    placeOf: (id) => idInScope(sql, 'instruments', scope, id),
    rowsBehind: (id, limit) =>
      sql.query<CardRow>(
        `select i.id, i.brand, i.last_four, i.expiry_month, i.expiry_year, i.is_default
           from consumers c cross join lateral chargeable_cards(c.id, $4, $5) i
          where c.account_id = $1 and c.mode = $2 and c.phone = $3 and ${isBehind('i', 'instruments', '$6')}
          order by i.created_at desc, i.id desc limit $7`,
        [scope.accountId, scope.mode, of.callerPhone, of.merchantId, of.at, id, limit],
      ),
    itemOf: cardOf,
  });
}

/** A saved card and its mode. */
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
