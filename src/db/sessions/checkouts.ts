/** Reads what opening a checkout needs, and checkouts with all that they show: one statement each. */
import type { Scope } from '../../domain/account.ts';
import type { DeclineCode } from '../../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, ConsumerId, MerchantId } from '../../domain/ids.ts';
import type { SavedCard } from '../../domain/instrument.ts';
import type { Currency } from '../../domain/money.ts';
import type { Merchant } from '../../domain/session.ts';
import type { ChargeFacts, CheckoutFacts } from '../../contract/resources.ts';
import { chargeableCards } from '../cards/chargeable.ts';
import { type CardRow, cardOf } from '../cards/consumers.ts';
import type { Sql } from '../pool.ts';
import { type MerchantRow, merchantOf } from '../merchants/merchants.ts';
import { type SessionRow, sessionColumns, sessionOf } from './sessions.ts';

/** Merchant and caller as a request names them. Numbers are E.164. */
export interface CheckoutParties {
  scope: Scope;
  merchantId: MerchantId | null;
  merchantNumber: string | null;
  callerPhone: string | null;
}

export interface CheckoutContext {
  accountCurrency: Currency;
  /** The account's merchant of that id, in either mode; without an id the one of that number. */
  merchant: Merchant | null;
  dialledMerchantId: MerchantId | null;
  consumerId: ConsumerId | null;
  /** The caller's cards that the merchant can charge, newest first. */
  cards: SavedCard[];
}

interface ContextRow {
  currency: Currency;
  merchant: MerchantRow | null;
  dialled_merchant_id: MerchantId | null;
  consumer_id: ConsumerId | null;
  cards: CardRow[];
}

const CONTEXTS = `
  select a.currency, to_jsonb(m) as merchant, dialled.merchant_id as dialled_merchant_id, c.id as consumer_id,
         ${chargeableCards('$6::timestamptz')} as cards
    from unnest($1::text[], $2::mode[], $3::text[], $4::text[], $5::text[])
           with ordinality as request (account_id, mode, merchant_id, number, phone, place)
    join accounts a on a.id = request.account_id
    left join merchant_numbers dialled
      on dialled.account_id = a.id and dialled.mode = request.mode and dialled.number = request.number
    left join merchants m on m.id = coalesce(request.merchant_id, dialled.merchant_id) and m.account_id = a.id
    left join consumers c on c.account_id = a.id and c.mode = request.mode and c.phone = request.phone
   order by request.place`;

/**
 * What several requests need to open their checkouts, in their order.
 * @param at cards that have expired by then are left out
 * @throws when an account does not exist
 */
export async function findCheckoutContexts(
  sql: Sql,
  all: readonly CheckoutParties[],
  at: Date,
): Promise<CheckoutContext[]> {
  const { rows } = await sql.query<ContextRow>({
    name: 'checkout_contexts',
    text: CONTEXTS,
    values: [
      all.map(({ scope }) => scope.accountId),
      all.map(({ scope }) => scope.mode),
      all.map(({ merchantId }) => merchantId),
      all.map(({ merchantNumber }) => merchantNumber),
      all.map(({ callerPhone }) => callerPhone),
      at,
    ],
  });
  if (rows.length !== all.length) throw new Error('the account of a valid key does not exist');
  return rows.map((row) => ({
    accountCurrency: row.currency,
    merchant: row.merchant === null ? null : merchantOf(row.merchant),
    dialledMerchantId: row.dialled_merchant_id,
    consumerId: row.consumer_id,
    cards: row.cards.map(cardOf),
  }));
}

/** A session with all that its resource shows. The charge is the one pending or succeeded, else the last that failed. */
export interface CheckoutReading extends CheckoutFacts {
  /** Encrypted credentials of the merchant's processor; null where none are stored. */
  credentials: string | null;
}

interface ChargeRow {
  id: ChargeId;
  status: ChargeFacts['status'];
  amount_cents: number;
  processor_payment_id: string | null;
  decline_code: DeclineCode | null;
  processor_code: string | null;
}

type ReadingRow = SessionRow & {
  credentials: string | null;
  merchant: MerchantRow | null;
  caller_first_name: string | null;
  charge: ChargeRow | null;
  cards: CardRow[];
};

const READING = `
  select ${sessionColumns('s')}, to_jsonb(m) as merchant, p.credentials, c.first_name as caller_first_name,
         ${chargeableCards('$3::timestamptz')} as cards,
         (select to_jsonb(ch) from charges ch where ch.session_id = s.id
           order by (ch.status in ('pending', 'succeeded')) desc, ch.created_at desc limit 1) as charge
    from checkout_sessions s
    left join merchants m on m.id = s.merchant_id
    left join merchant_processors p on p.merchant_id = m.id and p.processor = m.processor
    left join consumers c on c.account_id = s.account_id and c.mode = s.mode and c.phone = s.caller_phone`;

/** The account's session, in either mode. @param at cards that have expired by then are left out */
export async function readCheckout(
  sql: Sql,
  accountId: AccountId,
  id: CheckoutSessionId,
  at: Date,
): Promise<CheckoutReading | null> {
  const { rows } = await sql.query<ReadingRow>({
    name: 'read_checkout',
    text: `${READING} where s.id = $1 and s.account_id = $2`,
    values: [id, accountId, at],
  });
  return rows[0] === undefined ? null : readingOf(rows[0]);
}

/** Those of these sessions that belong to one of the accounts, in any order. */
export async function readCheckouts(
  sql: Sql,
  accountIds: readonly AccountId[],
  ids: readonly CheckoutSessionId[],
  at = new Date(),
): Promise<CheckoutReading[]> {
  const { rows } = await sql.query<ReadingRow>({
    name: 'read_checkouts',
    text: `${READING} where s.id = any($1) and s.account_id = any($2)`,
    values: [ids, accountIds, at],
  });
  return rows.map(readingOf);
}

function readingOf(row: ReadingRow): CheckoutReading {
  return {
    session: sessionOf(row),
    merchant: row.merchant === null ? null : merchantOf(row.merchant),
    credentials: row.credentials,
    callerFirstName: row.caller_first_name,
    charge: row.charge === null ? null : chargeOf(row.charge),
    cards: row.cards.map(cardOf),
  };
}

function chargeOf(row: ChargeRow): ChargeFacts {
  return {
    id: row.id,
    status: row.status,
    amountCents: row.amount_cents,
    processorPaymentId: row.processor_payment_id,
    declineCode: row.decline_code,
    processorCode: row.processor_code,
  };
}
