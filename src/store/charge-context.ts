/** All that a charge of a saved card is judged by, in one round trip. */
import type { Charge } from '../domain/charge.ts';
import type { AccountId, CheckoutSessionId, ConsumerId, InstrumentId, MerchantId } from '../domain/ids.ts';
import type { CheckoutSession, Merchant } from '../domain/session.ts';
import { chargeableCards, isKeptAt } from './chargeable.ts';
import { type ChargeRow, chargeOf } from './charges.ts';
import type { Sql } from './database.ts';
import { type MerchantRow, merchantOf } from './merchants.ts';
import { type SessionRow, sessionColumns, sessionOf } from './sessions.ts';

/** The card that is asked for, whoever's it is. */
export interface AskedCard {
  id: InstrumentId;
  consumerId: ConsumerId;
  merchantId: MerchantId;
  processor: string;
  /** As the record has it; vault/handles.ts opens it. */
  processorHandle: string;
  handleSealed: boolean;
  brand: string;
  lastFour: string;
  /** Kept where the session's merchant can charge it. */
  isHere: boolean;
  /** Of those that can be charged at the session's merchant for its caller. */
  isUsable: boolean;
}

export interface ChargeContext {
  session: CheckoutSession;
  merchant: Merchant | null;
  /** Sealed; of the merchant's processor. */
  credentials: string | null;
  /** Whoever calls from the session's number, if known. */
  consumerId: ConsumerId | null;
  /** Cards of the caller that can be charged at the merchant. */
  usableCards: number;
  /** Null when the account has no such card in the session's mode. */
  card: AskedCard | null;
  /** The charge that is pending or succeeded. */
  live: Charge | null;
  /** Charges of the session that failed. */
  declines: number;
}

interface InstrumentJson {
  id: InstrumentId;
  consumer_id: ConsumerId;
  merchant_id: MerchantId;
  processor: string;
  processor_handle: string;
  handle_sealed: boolean;
  brand: string;
  last_four: string;
}

type Row = SessionRow & {
  merchant: MerchantRow | null;
  credentials: string | null;
  caller_id: ConsumerId | null;
  cards: { id: InstrumentId }[];
  card: InstrumentJson | null;
  card_is_here: boolean | null;
  live: (ChargeRow & { created_at: string; settled_at: string | null }) | null;
  declines: number;
};

const CONTEXT = `
  select ${sessionColumns('s')}, to_jsonb(m) as merchant, p.credentials, c.id as caller_id,
         ${chargeableCards('$4::timestamptz')} as cards,
         to_jsonb(asked) as card, ${isKeptAt('asked', 'm', 'p')} as card_is_here,
         (select to_jsonb(ch) from charges ch
           where ch.session_id = s.id and ch.status in ('pending', 'succeeded')) as live,
         (select count(*)::integer from charges ch where ch.session_id = s.id and ch.status = 'failed') as declines
    from checkout_sessions s
    left join merchants m on m.id = s.merchant_id
    left join merchant_processors p on p.merchant_id = m.id and p.processor = m.processor
    left join consumers c on c.account_id = s.account_id and c.mode = s.mode and c.phone = s.caller_phone
    left join instruments asked on asked.id = $3 and asked.account_id = s.account_id and asked.mode = s.mode
                               and asked.deleted_at is null
   where s.id = $1 and s.account_id = $2`;

/** The account's session, in whichever mode it is. @param at cards that have expired by then can't be used */
export async function readChargeContext(
  sql: Sql,
  accountId: AccountId,
  sessionId: CheckoutSessionId,
  instrumentId: InstrumentId | null,
  at: Date,
): Promise<ChargeContext | null> {
  const values = [sessionId, accountId, instrumentId, at];
  const { rows } = await sql.query<Row>({ name: 'charge_context', text: CONTEXT, values });
  const row = rows[0];
  if (row === undefined) return null;
  return {
    session: sessionOf(row),
    merchant: row.merchant === null ? null : merchantOf(row.merchant),
    credentials: row.credentials,
    consumerId: row.caller_id,
    usableCards: row.cards.length,
    card: row.card === null ? null : askedCard(row.card, row.cards, row.card_is_here === true),
    live: row.live === null ? null : liveOf(row.live),
    declines: row.declines,
  };
}

function askedCard(card: InstrumentJson, usable: Row['cards'], isHere: boolean): AskedCard {
  return {
    id: card.id,
    consumerId: card.consumer_id,
    merchantId: card.merchant_id,
    processor: card.processor,
    processorHandle: card.processor_handle,
    handleSealed: card.handle_sealed,
    brand: card.brand,
    lastFour: card.last_four,
    isHere,
    isUsable: usable.some(({ id }) => id === card.id),
  };
}

/** JSON has no dates. */
function liveOf(row: NonNullable<Row['live']>): Charge {
  const charge = chargeOf(row);
  return {
    ...charge,
    createdAt: new Date(row.created_at),
    settledAt: row.settled_at === null ? null : new Date(row.settled_at),
  };
}
