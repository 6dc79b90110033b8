/** What one REST request needs to know, gathered in one round trip. */
import type { Scope } from '../../domain/account.ts';
import type { DeclineCode } from '../../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, ConsumerId, MerchantId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { ChargeFacts, CheckoutFacts } from '../../contract/resources.ts';
import { chargeableCards } from '../cards/chargeable.ts';
import { type CardRow, cardOf } from '../cards/consumers.ts';
import type { Sql } from '../pool.ts';
import type { ReadMerchant } from '../merchants/known-merchants.ts';
import { type MerchantRow, merchantOf } from '../merchants/merchants.ts';
import { type SessionRow, sessionColumns, sessionOf } from './sessions.ts';

/** Whom a checkout is for, as the request names them. Numbers are E.164. */
export interface CheckoutParties {
  merchantId: MerchantId | null;
  merchantNumber: string | null;
  callerPhone: string | null;
}

export interface CheckoutContext {
  accountCurrency: Currency;
  /** Of the account, in either mode: a key of the wrong one is told so. */
  merchantById: ReadMerchant | null;
  merchantByNumber: ReadMerchant | null;
  consumerId: ConsumerId | null;
}

interface ContextRow {
  currency: Currency;
  by_id: MerchantRow | null;
  by_id_version: string;
  by_number: MerchantRow | null;
  by_number_version: string;
  consumer_id: ConsumerId | null;
}

const CONTEXT = `
  select a.currency, to_jsonb(by_id) as by_id, by_id.xmin::text as by_id_version,
         to_jsonb(by_number) as by_number, by_number.xmin::text as by_number_version, c.id as consumer_id
    from accounts a
    left join merchants by_id on by_id.id = $3 and by_id.account_id = a.id
    left join merchant_numbers n on n.account_id = a.id and n.mode = $2 and n.number = $4
    left join merchants by_number on by_number.id = n.merchant_id
    left join consumers c on c.account_id = a.id and c.mode = $2 and c.phone = $5
   where a.id = $1`;

/** @throws when the account does not exist. */
export async function findCheckoutContext(sql: Sql, scope: Scope, parties: CheckoutParties): Promise<CheckoutContext> {
  const { rows } = await sql.query<ContextRow>({
    name: 'checkout_context',
    text: CONTEXT,
    values: [scope.accountId, scope.mode, parties.merchantId, parties.merchantNumber, parties.callerPhone],
  });
  const row = rows[0];
  if (row === undefined) throw new Error('the account of a valid key does not exist');
  return {
    accountCurrency: row.currency,
    merchantById: row.by_id === null ? null : { merchant: merchantOf(row.by_id), version: row.by_id_version },
    merchantByNumber:
      row.by_number === null ? null : { merchant: merchantOf(row.by_number), version: row.by_number_version },
    consumerId: row.consumer_id,
  };
}

/** A session with all that its resource shows; the charge is the one pending or succeeded, else the last that failed. */
export interface CheckoutReading extends CheckoutFacts {
  /** The object's text as it came. */
  metadataJson: string;
  /** Sealed, of the merchant's processor; null where none are kept. */
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

/** As {@link reading} finds it. */
export type ReadingRow = SessionRow & {
  metadata_json: string;
  credentials: string | null;
  merchant: MerchantRow | null;
  caller_first_name: string | null;
  charge: ChargeRow | null;
  cards: CardRow[];
};

/** @param ids SQL: which sessions. @param accounts SQL: whose. @param merchant SQL: what of merchant `m` */
export const reading = (ids: string, accounts: string, merchant = 'to_jsonb(m)') => `
  select ${sessionColumns('s')}, s.metadata::text as metadata_json, ${merchant} as merchant,
         p.credentials,
         c.first_name as caller_first_name, ${chargeableCards('$3::timestamptz')} as cards,
         (select to_jsonb(ch) from charges ch where ch.session_id = s.id
           order by (ch.status in ('pending', 'succeeded')) desc, ch.created_at desc limit 1) as charge
    from checkout_sessions s
    left join merchants m on m.id = s.merchant_id
    left join merchant_processors p on p.merchant_id = m.id and p.processor = m.processor
    left join consumers c on c.account_id = s.account_id and c.mode = s.mode and c.phone = s.caller_phone
   where s.id ${ids} and s.account_id ${accounts}`;
const READ_ONE = reading('= $1', '= $2');
const READ_SOME = reading('= any($1)', '= any($2)');

/** The account's session, in whichever mode it is. @param at cards that have expired by then are none */
export async function readCheckout(
  sql: Sql,
  accountId: AccountId,
  id: CheckoutSessionId,
  at: Date,
): Promise<CheckoutReading | null> {
  // A statement of its own: one with a list is planned anew each time, which takes longer than to run it.
  const { rows } = await sql.query<ReadingRow>({ name: 'read_checkout', text: READ_ONE, values: [id, accountId, at] });
  return rows[0] === undefined ? null : readingOf(rows[0]);
}

/** Those of these sessions that are one of the accounts', in any order. */
export async function readCheckouts(
  sql: Sql,
  accountIds: readonly AccountId[],
  ids: readonly CheckoutSessionId[],
  at = new Date(),
): Promise<CheckoutReading[]> {
  const { rows } = await sql.query<ReadingRow>({
    name: 'read_checkouts',
    text: READ_SOME,
    values: [ids, accountIds, at],
  });
  return rows.map(readingOf);
}

function readingOf(row: ReadingRow): CheckoutReading {
  return { ...readingBut(row), merchant: row.merchant === null ? null : merchantOf(row.merchant) };
}

/** A reading whose merchant is known otherwise. */
export function readingBut(row: Omit<ReadingRow, 'merchant'>): Omit<CheckoutReading, 'merchant'> {
  return {
    session: sessionOf(row),
    metadataJson: row.metadata_json,
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
