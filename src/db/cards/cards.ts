/** Reads saved cards and their callers, and saves cards over REST. */
import type { Scope } from '../../domain/account.ts';
import type { Actor } from '../../domain/audit.ts';
import type { AccountId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import type { Consumer, SavedCard } from '../../domain/instrument.ts';
import type { Mode } from '../../domain/session.ts';
import { insertAuditEvent } from '../audit/audit-events.ts';
import { columnsOf } from '../columns.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { type Database, readFirst, type Sql } from '../pool.ts';
import { insertRestConsent } from './consents.ts';
import { CARD } from './consumers.ts';
import { type CallerDetails, type CardToSave, saveCard } from './saved-cards.ts';

/** The consumer with this phone number (E.164). */
export function findConsumer(sql: Sql, { accountId, mode }: Scope, phone: string): Promise<Consumer | null> {
  const columns = columnsOf<Consumer>()('consumers', ['id firstName lastName email'], {});
  const text = `select ${columns} from consumers where account_id = $1 and mode = $2 and phone = $3`;
  return readFirst(sql, text, [accountId, mode, phone]);
}

/** Saves a card over REST. The consent says that the integrator asked the caller. */
export function saveCardOverRest(
  database: Database,
  by: Actor,
  scope: Scope,
  caller: CallerDetails,
  card: CardToSave,
): Promise<InstrumentId> {
  return database.transaction(async (sql) => {
    const { id } = await saveCard(sql, scope, caller, card);
    await insertRestConsent(sql, id);
    const { merchantId: merchant, processor, brand, lastFour: last_four } = card;
    const changes = { merchant, processor, brand, last_four };
    await insertAuditEvent(sql, by, { ...scope, action: 'card.saved', objectId: id, changes });
    return id;
  });
}

/**
 * A caller's cards that can be charged at this merchant, newest first: saved there, not expired, not deleted.
 * @returns null if `startingAfter` is no card of this scope
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
      sql.query<SavedCard>(
        `select ${CARD}
           from consumers c cross join lateral chargeable_cards(c.id, $4, $5) instruments
          where c.account_id = $1 and c.mode = $2 and c.phone = $3 and ${isBehind('instruments', '$6')}
          order by instruments.created_at desc, instruments.id desc limit $7`,
        [scope.accountId, scope.mode, of.callerPhone, of.merchantId, of.at, id, limit],
      ),
  });
}

/** A saved card and its mode. */
export interface Instrument extends SavedCard {
  mode: Mode;
}

/** The account's card, in either mode, unless deleted. */
export function findInstrument(sql: Sql, accountId: AccountId, id: InstrumentId): Promise<Instrument | null> {
  return readFirst(
    sql,
    `select ${CARD}, mode from instruments where id = $1 and account_id = $2 and deleted_at is null`,
    [id, accountId],
  );
}
