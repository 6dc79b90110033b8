/** Merchants with all that is provisioned for them: numbers, processor and credentials, order source. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, MerchantId } from '../../domain/ids.ts';
import type { Merchant } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';
import { insertMerchant, type MerchantRow, merchantOf } from './merchants.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';

/** Where a merchant's orders are looked up; `signingSecret` is sealed. */
export type OrderSourceSetting =
  | { kind: 'none' }
  | { kind: 'sandbox' }
  | { kind: 'http'; url: string; signingSecret: string };

export interface MerchantRecord {
  merchant: Merchant;
  /** E.164, ascending. */
  numbers: string[];
  /** Null: as the mode has it (the sandbox's table in test, none in live). */
  orderSource: OrderSourceSetting | null;
  /** Sealed; null where none are kept. */
  credentials: string | null;
  createdAt: Date;
}

type RecordRow = MerchantRow & {
  numbers: string[];
  order_source: { kind: OrderSourceSetting['kind']; url: string | null; signing_secret: string | null } | null;
  credentials: string | null;
  created_at: Date;
};

const RECORD = `
  select m.*, p.credentials, to_jsonb(o) as order_source,
         array(select n.number from merchant_numbers n where n.merchant_id = m.id order by n.number) as numbers
    from merchants m
    left join merchant_processors p on p.merchant_id = m.id and p.processor = m.processor
    left join order_sources o on o.merchant_id = m.id`;

function recordOf(row: RecordRow): MerchantRecord {
  return {
    merchant: merchantOf(row),
    numbers: row.numbers,
    orderSource: row.order_source === null ? null : orderSourceOf(row.order_source),
    credentials: row.credentials,
    createdAt: row.created_at,
  };
}

/** The table's checks keep the kind and its columns together. */
export function orderSourceOf(row: NonNullable<RecordRow['order_source']>): OrderSourceSetting {
  if (row.kind !== 'http') return { kind: row.kind };
  if (row.url === null || row.signing_secret === null) throw new Error('an http order source without its columns');
  return { kind: 'http', url: row.url, signingSecret: row.signing_secret };
}

/** The account's merchant, in whichever mode it is. */
export async function findMerchantRecord(
  sql: Sql,
  accountId: AccountId,
  id: MerchantId,
): Promise<MerchantRecord | null> {
  const { rows } = await sql.query<RecordRow>(`${RECORD} where m.id = $1 and m.account_id = $2`, [id, accountId]);
  return rows[0] === undefined ? null : recordOf(rows[0]);
}

/** Inside a transaction: nobody else changes the merchant until it ends. */
export async function lockMerchantRecord(
  sql: Sql,
  accountId: AccountId,
  id: MerchantId,
): Promise<MerchantRecord | null> {
  const { rows } = await sql.query<RecordRow>(`${RECORD} where m.id = $1 and m.account_id = $2 for update of m`, [
    id,
    accountId,
  ]);
  return rows[0] === undefined ? null : recordOf(rows[0]);
}

/** @returns null when `startingAfter` is none of them */
export function listMerchantRecords(sql: Sql, scope: Scope, page: PageRequest): Promise<Page<MerchantRecord> | null> {
  return readPage(page, {
    placeOf: (id) => idInScope(sql, 'merchants', scope, id),
    rowsBehind: (id, limit) =>
      sql.query<RecordRow>(
        `${RECORD} where m.account_id = $1 and m.mode = $2 and ${isBehind('m', 'merchants', '$3')}
                   order by m.created_at desc, m.id desc limit $4`,
        [scope.accountId, scope.mode, id, limit],
      ),
    itemOf: recordOf,
  });
}

/** A setting that another merchant of the account and mode has already. */
export class Taken extends Error {
  readonly what: 'slug' | 'numbers';
  constructor(what: 'slug' | 'numbers', cause?: unknown) {
    super(`another merchant has the ${what}`, { cause });
    this.name = 'Taken';
    this.what = what;
  }
}

/** In a transaction. @throws Taken */
export async function createMerchantRow(sql: Sql, merchant: Merchant, numbers: readonly string[]): Promise<void> {
  await insertMerchant(sql, merchant, []).catch(takenSlug);
  await setNumbers(sql, merchant, numbers);
}

/** Writes every setting but the processor, which is {@link connectProcessor}'s. @throws Taken */
export async function updateMerchantRow(sql: Sql, merchant: Merchant): Promise<void> {
  const { policy } = merchant;
  await sql
    .query(
      `update merchants set slug = $2, business_name = $3, currency = $4, policy = $5, policy_amount_cents = $6,
         language = $7, voice = $8, asks_postal_code = $9, asks_confirmation = $10, return_mode = $11,
         accepted_brands = $12, time_zone = $13, card_saving = $14
        where id = $1`,
      [
        ...[merchant.id, merchant.slug, merchant.businessName, merchant.currency, policy.kind],
        ...[policy.kind === 'above' ? policy.amountCents : null, merchant.language, merchant.voice],
        ...[merchant.asksPostalCode, merchant.asksConfirmation, merchant.returnMode, merchant.acceptedBrands],
        ...[merchant.timeZone, merchant.cardSaving],
      ],
    )
    .catch(takenSlug);
}

function takenSlug(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505' && constraint?.includes('slug')) throw new Taken('slug', error);
  throw error;
}

/** The merchant's numbers are these and no others. In a transaction. @throws Taken */
export async function setNumbers(sql: Sql, merchant: Merchant, numbers: readonly string[]): Promise<void> {
  await sql.query('delete from merchant_numbers where merchant_id = $1 and number <> all($2)', [merchant.id, numbers]);
  await sql.query(
    `insert into merchant_numbers (account_id, mode, number, merchant_id)
     select $1, $2, number, $3 from unnest($4::text[]) as number
     on conflict do nothing`,
    [merchant.accountId, merchant.mode, merchant.id, numbers],
  );
  const { rows } = await sql.query<{ count: number }>(
    'select count(*)::integer as count from merchant_numbers where merchant_id = $1',
    [merchant.id],
  );
  if (rows[0]?.count !== numbers.length) throw new Taken('numbers');
}

/** Puts the source in place of the one before. @param source with its secret sealed */
export async function setOrderSource(sql: Sql, merchant: Merchant, source: OrderSourceSetting): Promise<void> {
  const http = source.kind === 'http' ? source : null;
  await sql.query(
    `insert into order_sources (merchant_id, account_id, mode, kind, url, signing_secret)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant_id) do update
        set kind = excluded.kind, url = excluded.url, signing_secret = excluded.signing_secret`,
    [
      merchant.id,
      merchant.accountId,
      merchant.mode,
      source.kind,
      http === null ? null : http.url,
      http === null ? null : http.signingSecret,
    ],
  );
}

/**
 * In one statement: the merchant's processor and its credentials (sealed, or null where it needs none). Those of the one
 * before stay: its charges may have to be looked up or refunded.
 */
export async function connectProcessor(
  sql: Sql,
  merchant: Merchant,
  connection: {
    processor: string;
    credentials: string | null;
    /** The processor's name of the account that keeps the cards; null where they are the merchant's own. */
    account: string | null;
  },
): Promise<void> {
  await sql.query(
    `with connected as (
       insert into merchant_processors (merchant_id, account_id, mode, processor, credentials, processor_account)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (merchant_id, processor) do update
          set credentials = excluded.credentials, processor_account = excluded.processor_account, connected_at = now()
     )
     update merchants set processor = $4 where id = $1`,
    [
      ...[merchant.id, merchant.accountId, merchant.mode],
      ...[connection.processor, connection.credentials, connection.account],
    ],
  );
}

/** Whether the merchant was connected to that processor, maybe to another account of it, after that was begun. */
export async function isConnectedSince(
  sql: Sql,
  begun: { merchantId: MerchantId; processor: string; createdAt: Date },
): Promise<boolean> {
  const { rows } = await sql.query<{ since: boolean }>({
    name: 'is_connected_since',
    text: 'select connected_at >= $3 as since from merchant_processors where merchant_id = $1 and processor = $2',
    values: [begun.merchantId, begun.processor, begun.createdAt],
  });
  return rows[0]?.since === true;
}

/** Sealed, of a processor that the merchant is or was connected to; null where none are kept. */
export async function findCredentials(sql: Sql, merchantId: MerchantId, processor: string): Promise<string | null> {
  const { rows } = await sql.query<{ credentials: string | null }>({
    name: 'find_credentials',
    text: 'select credentials from merchant_processors where merchant_id = $1 and processor = $2',
    values: [merchantId, processor],
  });
  return rows[0]?.credentials ?? null;
}
