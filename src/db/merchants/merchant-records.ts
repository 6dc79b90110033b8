/** Reads, creates and changes merchants with their numbers, processor credentials and order source. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, MerchantId } from '../../domain/ids.ts';
import type { Merchant, OrderSourceSetting } from '../../domain/merchant.ts';
import type { Mode } from '../../domain/session.ts';
import { jsonOf } from '../columns.ts';
import { isDuplicate } from '../error-kinds.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { readFirst, type Sql } from '../pool.ts';
import { insertMerchantRow, MERCHANT, updateMerchantRow } from './merchants.ts';
import { orderSourceOf } from './order-sources.ts';

export interface MerchantRecord {
  merchant: Merchant;
  /** E.164, ascending. */
  numbers: string[];
  /** Null for the mode's default. */
  orderSource: OrderSourceSetting | null;
  /** Encrypted; null if none are stored. */
  credentials: string | null;
  createdAt: Date;
}

const RECORD = `
  select ${jsonOf(`select ${MERCHANT}`)} as merchant, ${orderSourceOf('merchants.id')} as "orderSource",
         array(select number from merchant_numbers where merchant_id = merchants.id order by number) as numbers,
         p.credentials, merchants.created_at as "createdAt"
    from merchants
    left join merchant_processors p on p.merchant_id = merchants.id and p.processor = merchants.processor`;

/** The account's merchant, in either mode. */
export function findMerchantRecord(sql: Sql, accountId: AccountId, id: MerchantId): Promise<MerchantRecord | null> {
  return readFirst(sql, `${RECORD} where merchants.id = $1 and merchants.account_id = $2`, [id, accountId]);
}

/** Locks the merchant's row until the transaction ends. */
export function lockMerchantRecord(sql: Sql, accountId: AccountId, id: MerchantId): Promise<MerchantRecord | null> {
  const text = `${RECORD} where merchants.id = $1 and merchants.account_id = $2 for no key update of merchants`;
  return readFirst(sql, text, [id, accountId]);
}

/** Those of the IDs that are merchants of the scope, in this order. */
export async function listMerchantNames(
  sql: Sql,
  { accountId, mode }: Scope,
  ids: readonly MerchantId[],
): Promise<Pick<Merchant, 'id' | 'businessName'>[]> {
  const { rows } = await sql.query<Pick<Merchant, 'id' | 'businessName'>>(
    `select id, business_name as "businessName" from merchants
      where account_id = $1 and mode = $2 and id = any($3) order by array_position($3::text[], id)`,
    [accountId, mode, ids],
  );
  return rows;
}

export interface MerchantChoice
  extends Pick<Merchant, 'id' | 'slug' | 'businessName' | 'mode' | 'currency' | 'timeZone' | 'processor'> {
  createdAt: Date;
  isChosen: boolean;
}

interface MerchantSearch {
  /** Null for both. */
  mode: Mode | null;
  /** The IDs of merchants that are always among the choices. */
  chosen: readonly string[];
  /** A part of the name in any case, or an ID; empty for all. */
  text: string;
  /** How many to find at most. */
  most: number;
}

export interface MerchantChoices {
  /** Those that are chosen, then the newest that match. Each by mode and name. */
  merchants: readonly MerchantChoice[];
  /** How many match, without those that are only chosen. */
  found: number;
  /** More merchants match than these. */
  hasMore: boolean;
}

/** SQL: whether a merchant's name contains the text in any case, or its ID is the text. @param parameter not null */
const isFoundBy = (parameter: string) =>
  `(position(lower(${parameter}) in lower(merchants.business_name)) > 0 or merchants.id = ${parameter})`;

/** Merchants of the account to choose from. */
export async function listMerchantChoices(
  sql: Sql,
  accountId: AccountId,
  { mode, chosen, text, most }: MerchantSearch,
): Promise<MerchantChoices> {
  const { rows } = await sql.query<MerchantChoice & { found: number }>(
    `with found as (
       select id from merchants
        where account_id = $1 and ($5::mode is null or mode = $5::mode)
          and ${isFoundBy('$3')}
        order by created_at desc, id desc limit $4 + 1
     )
     select id, slug, business_name as "businessName", mode, currency, time_zone as "timeZone", processor,
            created_at as "createdAt", id = any($2) as "isChosen", (select count(*) from found)::int as found
       from merchants
      where account_id = $1 and ($5::mode is null or mode = $5::mode)
        and (id = any($2) or id in (select id from found limit $4))
      order by id = any($2) desc, mode desc, lower(business_name), id`,
    [accountId, chosen, text, most, mode],
  );
  const found = rows[0]?.found ?? 0;
  return { merchants: rows, found: Math.min(found, most), hasMore: found > most };
}

/**
 * @param search a part of the name in any case, or an ID; null for all
 * @returns null if `startingAfter` is none of the scope's merchants
 */
export function listMerchantRecords(
  sql: Sql,
  scope: Scope,
  page: PageRequest,
  search: string | null = null,
): Promise<Page<MerchantRecord> | null> {
  return readPage(page, {
    placeOf: (id) => idInScope(sql, 'merchants', scope, id),
    rowsBehind: (id, limit) =>
      sql.query<MerchantRecord>(
        `${RECORD}
          where merchants.account_id = $1 and merchants.mode = $2 and ${isBehind('merchants', '$3')}
            and ($5::text is null or ${isFoundBy('$5')})
          order by merchants.created_at desc, merchants.id desc limit $4`,
        [scope.accountId, scope.mode, id, limit, search],
      ),
  });
}

/** Another merchant of the account and mode already has this setting. */
export class SettingInUse extends Error {
  readonly what: 'slug' | 'numbers';
  constructor(what: 'slug' | 'numbers', cause?: unknown) {
    super(`another merchant has the ${what}`, { cause });
    this.name = 'SettingInUse';
    this.what = what;
  }
}

/** Call it in a transaction. @throws SettingInUse */
export async function createMerchantRecord(sql: Sql, merchant: Merchant, numbers: readonly string[]): Promise<void> {
  await insertMerchantRow(sql, merchant).catch(throwIfSlugInUse);
  await setNumbers(sql, merchant, numbers);
}

/** Writes every setting except the processor, which `connectProcessor` sets. @throws SettingInUse */
export function updateMerchant(sql: Sql, merchant: Merchant): Promise<void> {
  return updateMerchantRow(sql, merchant).catch(throwIfSlugInUse);
}

function throwIfSlugInUse(error: unknown): never {
  const { constraint } = error as { constraint?: string };
  throw isDuplicate(error) && constraint?.includes('slug') ? new SettingInUse('slug', error) : error;
}

/** Replaces the merchant's numbers. Call it in a transaction. @throws SettingInUse */
export async function setNumbers(sql: Sql, merchant: Merchant, numbers: readonly string[]): Promise<void> {
  await sql.query('delete from merchant_numbers where merchant_id = $1 and number <> all($2)', [merchant.id, numbers]);
  await addNumbers(sql, merchant, numbers);
  const { rowCount } = await sql.query('select from merchant_numbers where merchant_id = $1', [merchant.id]);
  if (rowCount !== numbers.length) throw new SettingInUse('numbers');
}

async function addNumbers(sql: Sql, merchant: Merchant, numbers: readonly string[]): Promise<void> {
  await sql.query(
    `insert into merchant_numbers (account_id, mode, number, merchant_id)
     select $1, $2, number, $3 from unnest($4::text[]) as number
     on conflict do nothing`,
    [merchant.accountId, merchant.mode, merchant.id, numbers],
  );
}

/** Stores a demo merchant and its numbers (E.164). An existing merchant stays unchanged. */
export async function seedMerchant(sql: Sql, merchant: Merchant, numbers: readonly string[]): Promise<void> {
  await insertMerchantRow(sql, merchant, 'on conflict (id) do nothing');
  await addNumbers(sql, merchant, numbers);
}
