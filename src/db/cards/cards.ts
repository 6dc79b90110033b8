/** Reads saved cards and their callers, and saves cards over REST. */
import type { Scope } from '../../domain/account.ts';
import type { Actor } from '../../domain/audit.ts';
import type { AccountId, ConsumerId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import type { Consumer, SavedCard, ShownConsent } from '../../domain/instrument.ts';
import type { Mode } from '../../domain/session.ts';
import { insertAuditEvent } from '../audit/audit-events.ts';
import { columnsOf, jsonOf } from '../columns.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { type Database, readFirst, type Sql } from '../pool.ts';
import { insertRestConsent, type RestConsent } from './consents.ts';
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
  consent: Omit<RestConsent, 'merchantId'>,
): Promise<InstrumentId> {
  return database.transaction(async (sql) => {
    const { id } = await saveCard(sql, scope, caller, card);
    const { merchantId: merchant, processor, brand, lastFour: last_four } = card;
    await insertRestConsent(sql, id, { ...consent, merchantId: merchant });
    const { saveTerms: save_terms, maxAmountCents: max_amount_cents } = consent;
    const terms = save_terms === 'returning' ? {} : { save_terms, max_amount_cents };
    const changes = { merchant, processor, brand, last_four, ...terms };
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
): Promise<Page<ConsentedCard> | null> {
  return readPage(page, {
    placeOf: (id) => idInScope(sql, 'instruments', scope, id),
    rowsBehind: (id, limit) =>
      sql.query<ConsentedCard>(
        `select ${CARD}, ${CONSENT_AT_MERCHANT} as consent
           from consumers c cross join lateral chargeable_cards(c.id, $4, $5) instruments
          where c.account_id = $1 and c.mode = $2 and c.phone = $3 and ${isBehind('instruments', '$6')}
          order by instruments.created_at desc, instruments.id desc limit $7`,
        [scope.accountId, scope.mode, of.callerPhone, of.merchantId, of.at, id, limit],
      ),
  });
}

/** A saved card, and what its caller agreed to at one merchant. */
export interface ConsentedCard extends SavedCard {
  /** Null if the card was saved at another merchant that shares its account at the processor. */
  consent: ShownConsent | null;
}

/** SQL: the consent that counts at merchant `$4`, from rows of `instruments`: one to charge alone before any other. */
const CONSENT_AT_MERCHANT = jsonOf(`
  select k.channel, k.save_terms as "saveTerms", k.max_amount_cents as "maxAmountCents", k.wording,
         (extract(epoch from k.agreed_at) * 1000)::double precision as "agreedAtMs"
    from card_consents k
   where k.consumer_id = c.id and k.instrument_id = instruments.id and k.merchant_id = $4 and k.status = 'kept'
   order by (k.save_terms = 'merchant_initiated') desc, k.id desc limit 1`);

/** A saved card, its mode and its caller. */
export interface Instrument extends SavedCard {
  mode: Mode;
  consumerId: ConsumerId;
  /** The caller's number, E.164. */
  callerPhone: string;
}

/** The account's card, in either mode, unless deleted. */
export function findInstrument(sql: Sql, accountId: AccountId, id: InstrumentId): Promise<Instrument | null> {
  return readFirst(
    sql,
    `select ${CARD}, instruments.mode, c.id as "consumerId", c.phone as "callerPhone"
       from instruments join consumers c on c.id = instruments.consumer_id
      where instruments.id = $1 and instruments.account_id = $2 and instruments.deleted_at is null`,
    [id, accountId],
  );
}
