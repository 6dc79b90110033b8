/** Reads checkout sessions for requests: those that are asked for together come in one round trip. */
import type { AccountId, CheckoutSessionId } from '../domain/ids.ts';
import { type CheckoutReading, type ReadingRow, reading, readingOf } from './checkouts.ts';
import type { Sql } from './database.ts';
import { STATEMENT_SIZES, sizeFor, together } from './together.ts';

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
       cross join lateral (${reading('= asked.id', '= asked.account_id')}) read`;
    return [size, { name: `read_checkouts_${size}`, text }] as const;
  }),
);

export function createCheckoutReader(sql: Sql): CheckoutReader {
  return together((all) => readAll(sql, all), { most: Math.max(...STATEMENT_SIZES) });
}

async function readAll(sql: Sql, all: readonly AskedSession[]): Promise<(CheckoutReading | null)[]> {
  const size = sizeFor(all.length);
  const [first, ...others] = all;
  const statement = STATEMENTS.get(size);
  if (first === undefined || statement === undefined) throw new Error('nothing was asked for, or too much at once');
  const values: unknown[] = [first.id, first.accountId, first.at];
  for (const { id, accountId } of others) values.push(id, accountId);
  // What is left of the list names nothing.
  values.push(...new Array<null>(2 * (size - all.length)).fill(null));
  const { rows } = await sql.query<ReadingRow>({ ...statement, values });
  const found = new Map(rows.map((row) => [row.id, row]));
  return all.map(({ id, accountId }) => {
    const row = found.get(id);
    // Two accounts may have asked for the same id: it is one's at most.
    return row?.account_id === accountId ? readingOf(row) : null;
  });
}
