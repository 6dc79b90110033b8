/** All that explains why a saved card was not charged, in one round trip; of the record no more than somebody looks at. */
import type { Charge } from '../../domain/charge.ts';
import type { AccountId, CheckoutSessionId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import type { CheckoutSession, Merchant } from '../../domain/session.ts';
import { isKeptAt, isUnexpired } from '../cards/chargeable.ts';
import { type ChargeRow, chargeOf } from './charges.ts';
import type { Sql } from '../pool.ts';

/** The card that is asked for, whoever's it is. */
export interface AskedCard {
  id: InstrumentId;
  processor: string;
  /** As the record has it; vault/handles.ts opens it. */
  processorHandle: string;
  handleSealed: boolean;
  brand: string;
  lastFour: string;
  /** The caller's of the session's number. */
  isCallers: boolean;
  /** Kept where the session's merchant can charge it. */
  isHere: boolean;
  isUnexpired: boolean;
}

/** What a charge looks at of its session. */
export type ChargedSession = Pick<
  CheckoutSession,
  'id' | 'mode' | 'status' | 'verdict' | 'callerPhone' | 'orderId' | 'platformCallId'
>;

export interface ChargeContext {
  session: ChargedSession;
  /** Its time is over, by the record's clock: the one that counts. */
  past: boolean;
  merchant: Pick<Merchant, 'id' | 'processor'> | null;
  /** Sealed; of the merchant's processor. */
  credentials: string | null;
  /** Null when the account has no such card in the session's mode. */
  card: AskedCard | null;
  /** The charge that is pending or succeeded. */
  live: Charge | null;
  /** Charges of the session that failed. */
  declines: number;
}

interface Row {
  mode: ChargedSession['mode'];
  status: ChargedSession['status'];
  verdict: ChargedSession['verdict'];
  past: boolean;
  caller_phone: string | null;
  order_id: string | null;
  platform_call_id: string | null;
  declines: number;
  merchant_id: MerchantId | null;
  processor: string | null;
  credentials: string | null;
  card_id: InstrumentId | null;
  card_processor: string;
  processor_handle: string;
  handle_sealed: boolean;
  brand: string;
  last_four: string;
  is_callers: boolean | null;
  is_here: boolean | null;
  is_unexpired: boolean | null;
  live: (ChargeRow & { created_at: string; settled_at: string | null }) | null;
}

/** Whether the card is deleted is no condition of its join: it would be one of an index, which is then read from end to end. */
const CONTEXT = `
  select s.mode, s.status, s.verdict, s.expires_at <= now() as past, s.caller_phone, s.order_id, s.platform_call_id, s.declines,
         m.id as merchant_id, m.processor, p.credentials, case when asked.deleted_at is null then asked.id end as card_id,
         asked.processor as card_processor, asked.processor_handle, asked.handle_sealed,
         asked.brand, asked.last_four, asked.consumer_id = c.id as is_callers, ${isKeptAt('asked', 'm', 'p')} as is_here,
         ${isUnexpired('asked', 'm', '$4::timestamptz')} as is_unexpired, to_jsonb(live) as live
    from checkout_sessions s
    left join merchants m on m.id = s.merchant_id
    left join merchant_processors p on p.merchant_id = m.id and p.processor = m.processor
    left join consumers c on c.account_id = s.account_id and c.mode = s.mode and c.phone = s.caller_phone
    left join instruments asked on asked.id = $3 and asked.account_id = s.account_id and asked.mode = s.mode
    left join charges live on live.session_id = s.id and live.status in ('pending', 'succeeded')
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
    session: {
      ...{ id: sessionId, mode: row.mode, status: row.status, verdict: row.verdict },
      ...{ callerPhone: row.caller_phone, orderId: row.order_id, platformCallId: row.platform_call_id },
    },
    past: row.past,
    merchant: row.merchant_id === null ? null : { id: row.merchant_id, processor: row.processor },
    credentials: row.credentials,
    card: row.card_id === null ? null : askedCard(row.card_id, row),
    live: row.live === null ? null : liveOf(row.live),
    declines: row.declines,
  };
}

function askedCard(id: InstrumentId, row: Row): AskedCard {
  return {
    id,
    processor: row.card_processor,
    processorHandle: row.processor_handle,
    handleSealed: row.handle_sealed,
    brand: row.brand,
    lastFour: row.last_four,
    isCallers: row.is_callers === true,
    isHere: row.is_here === true,
    isUnexpired: row.is_unexpired === true,
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

const HAS_CARDS = `
  select exists (
    select from checkout_sessions s
      join merchants m on m.id = s.merchant_id
      left join merchant_processors p on p.merchant_id = m.id and p.processor = m.processor
      join consumers c on c.account_id = s.account_id and c.mode = s.mode and c.phone = s.caller_phone
      join instruments i on i.consumer_id = c.id and i.deleted_at is null
     where s.id = $1 and ${isKeptAt('i', 'm', 'p')} and ${isUnexpired('i', 'm', '$2::timestamptz')}) as has`;

/** Whether the session's caller has any card that can be charged at its merchant, for who asked for one that can't. */
export async function hasChargeableCard(sql: Sql, sessionId: CheckoutSessionId, at: Date): Promise<boolean> {
  const { rows } = await sql.query<{ has: boolean }>({ name: 'has_cards', text: HAS_CARDS, values: [sessionId, at] });
  return rows[0]?.has === true;
}
