/** Reads checkout sessions for requests: those that are asked for together come in one round trip. */
import type { AccountId, CheckoutSessionId, MerchantId } from '../../domain/ids.ts';
import type { Merchant } from '../../domain/session.ts';
import { type CheckoutReading, type ReadingRow, reading, readingBut } from './checkouts.ts';
import type { Sql } from '../pool.ts';
import type { KnownMerchants, ReadMerchant } from '../merchants/known-merchants.ts';
import { type MerchantRow, merchantOf } from '../merchants/merchants.ts';
import { STATEMENT_SIZES, sizeFor, together } from '../../concurrency/batching.ts';

export interface AskedSession {
  accountId: AccountId;
  id: CheckoutSessionId;
  /** Cards that have expired by then are none. */
  at: Date;
}

/** The account's session, in whichever mode it is; null where there is none. */
export type CheckoutReader = (asked: AskedSession) => Promise<CheckoutReading | null>;

/** A statement for each size: one plan each, made once. The moment is the third parameter of every reading. */
const STATEMENTS = new Map(
  STATEMENT_SIZES.map((size) => {
    const others = Array.from({ length: size - 1 }, (_, at) => `, ($${4 + 2 * at}, $${5 + 2 * at})`).join('');
    const text = `
      select read.* from (values ($1, $2)${others}) asked (id, account_id)
       cross join lateral (${reading('= asked.id', '= asked.account_id', 'm.xmin::text')}) read`;
    return [size, { name: `read_checkouts_${size}`, text }] as const;
  }),
);

export function createCheckoutReader(sql: Sql, merchants: KnownMerchants): CheckoutReader {
  return together((all) => readAll(sql, merchants, all), { most: Math.max(...STATEMENT_SIZES) });
}

/** Instead of the merchant, the version of its row; null where there is none. */
type Row = Omit<ReadingRow, 'merchant'> & { merchant: string | null };

async function readAll(
  sql: Sql,
  known: KnownMerchants,
  all: readonly AskedSession[],
): Promise<(CheckoutReading | null)[]> {
  const size = sizeFor(all.length);
  const [first, ...others] = all;
  const statement = STATEMENTS.get(size);
  if (first === undefined || statement === undefined) throw new Error('nothing was asked for, or too much at once');
  const values: unknown[] = [first.id, first.accountId, first.at];
  for (const { id, accountId } of others) values.push(id, accountId);
  // What is left of the list names nothing.
  values.push(...new Array<null>(2 * (size - all.length)).fill(null));
  const { rows } = await sql.query<Row>({ values, ...statement });
  const found = new Map(rows.map((row) => [row.id, row]));
  const merchants = await merchantsOf(sql, known, rows);
  return all.map(({ id, accountId }) => {
    const row = found.get(id);
    // Two accounts may have asked for the same id: it is one's at most.
    if (row?.account_id !== accountId) return null;
    const merchant = row.merchant_id === null ? null : (merchants.get(row.merchant_id) ?? null);
    // Not spread first: of an object that begins so, V8 keeps each until its next big collection.
    return { merchant, ...readingBut(row) };
  });
}

/** The rows' merchants: those that are known and have not changed, the others read now. */
async function merchantsOf(sql: Sql, known: KnownMerchants, rows: readonly Row[]): Promise<Map<MerchantId, Merchant>> {
  const merchants = new Map<MerchantId, Merchant>();
  const others = new Set<MerchantId>();
  for (const { account_id: accountId, mode, merchant_id: id, merchant: version } of rows) {
    if (id === null || version === null) continue;
    const read = known.find({ accountId, mode }, id);
    if (read?.version === version) merchants.set(id, read.merchant);
    else others.add(id);
  }
  if (others.size === 0) return merchants;
  for (const read of await readMerchants(sql, [...others])) {
    known.keep(read);
    merchants.set(read.merchant.id, read.merchant);
  }
  return merchants;
}

async function readMerchants(sql: Sql, ids: readonly MerchantId[]): Promise<ReadMerchant[]> {
  const { rows } = await sql.query<MerchantRow & { version: string }>({
    text: 'select m.*, m.xmin::text as version from merchants m where m.id = any($1)',
    values: [ids],
  });
  return rows.map((row) => ({ merchant: merchantOf(row), version: row.version }));
}
