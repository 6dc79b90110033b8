/** Merchants with what belongs to them (numbers, processor credentials, order source): read, create, change. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, MerchantId } from '../../domain/ids.ts';
import type { OrderSourceSetting } from '../../domain/order-source.ts';
import type { Merchant } from '../../domain/session.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { queryFirst, type Sql } from '../pool.ts';
import { insertMerchantRow, type MerchantRow, merchantOf, updateMerchantRow } from './merchants.ts';
import { type OrderSourceRow, orderSourceOf } from './order-sources.ts';

export interface MerchantRecord {
  merchant: Merchant;
  /** E.164, ascending. */
  numbers: string[];
  /** Null: the mode's default. */
  orderSource: OrderSourceSetting | null;
  /** Encrypted; null where none are stored. */
  credentials: string | null;
  createdAt: Date;
}

type RecordRow = MerchantRow & {
  numbers: string[];
  order_source: OrderSourceRow | null;
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
    orderSource: orderSourceOf(row.order_source),
    credentials: row.credentials,
    createdAt: row.created_at,
  };
}

/** The account's merchant, in either mode. */
export function findMerchantRecord(sql: Sql, accountId: AccountId, id: MerchantId): Promise<MerchantRecord | null> {
  return readRecord(sql, `${RECORD} where m.id = $1 and m.account_id = $2`, [id, accountId]);
}

/** Locks the merchant's row until the transaction ends. */
export function lockMerchantRecord(sql: Sql, accountId: AccountId, id: MerchantId): Promise<MerchantRecord | null> {
  return readRecord(sql, `${RECORD} where m.id = $1 and m.account_id = $2 for update of m`, [id, accountId]);
}

async function readRecord(sql: Sql, text: string, values: unknown[]): Promise<MerchantRecord | null> {
  return queryFirst(sql, recordOf, text, values);
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
export class SettingTaken extends Error {
  readonly what: 'slug' | 'numbers';
  constructor(what: 'slug' | 'numbers', cause?: unknown) {
    super(`another merchant has the ${what}`, { cause });
    this.name = 'SettingTaken';
    this.what = what;
  }
}

/** In a transaction. @throws SettingTaken */
export async function createMerchantRecord(sql: Sql, merchant: Merchant, numbers: readonly string[]): Promise<void> {
  await insertMerchantRow(sql, merchant).catch(throwIfSlugTaken);
  await setNumbers(sql, merchant, numbers);
}

/** Writes every setting but the processor, which `connectProcessor` sets. @throws SettingTaken */
export async function updateMerchant(sql: Sql, merchant: Merchant): Promise<void> {
  await updateMerchantRow(sql, merchant).catch(throwIfSlugTaken);
}

function throwIfSlugTaken(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  const isUniqueViolation = code === '23505';
  if (isUniqueViolation && constraint?.includes('slug')) throw new SettingTaken('slug', error);
  throw error;
}

/** Replaces the merchant's numbers. In a transaction. @throws SettingTaken */
export async function setNumbers(sql: Sql, merchant: Merchant, numbers: readonly string[]): Promise<void> {
  await sql.query('delete from merchant_numbers where merchant_id = $1 and number <> all($2)', [merchant.id, numbers]);
  await addNumbers(sql, merchant, numbers);
  const { rows } = await sql.query<{ count: number }>(
    'select count(*)::integer as count from merchant_numbers where merchant_id = $1',
    [merchant.id],
  );
  if (rows[0]?.count !== numbers.length) throw new SettingTaken('numbers');
}

async function addNumbers(sql: Sql, merchant: Merchant, numbers: readonly string[]): Promise<void> {
  await sql.query(
    `insert into merchant_numbers (account_id, mode, number, merchant_id)
     select $1, $2, number, $3 from unnest($4::text[]) as number
     on conflict do nothing`,
    [merchant.accountId, merchant.mode, merchant.id, numbers],
  );
}

/** Stores a demo merchant and its numbers (E.164). A merchant that is there already stays as it is. */
export async function seedMerchant(sql: Sql, merchant: Merchant, numbers: readonly string[]): Promise<void> {
  await insertMerchantRow(sql, merchant, 'on conflict (id) do nothing');
  await addNumbers(sql, merchant, numbers);
}
