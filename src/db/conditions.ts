/**
 * The WHERE clause of a list with optional filters, and its pages by keyset. The statement contains only the filters in
 * use and has no name, so that PostgreSQL plans it for these values and uses the index of the most selective one.
 */
import type { Scope } from '../domain/account.ts';
import { isLimited } from './merchant-limit/limit.ts';
import { type Page, type PageRequest, readPage } from './pages.ts';
import { readFirst, type Sql } from './pool.ts';

/** A time range: from `after` inclusive to `before` exclusive. Null is unlimited. */
export interface TimeRange {
  after: Date | null;
  before: Date | null;
}

export class Conditions {
  readonly values: unknown[] = [];
  readonly #texts: string[] = [];

  /** Adds a condition unless the value is null. @param condition SQL with `$?` for the value */
  add(condition: string, value: unknown): this {
    if (value !== null) this.#texts.push(condition.replaceAll('$?', this.parameter(value)));
    return this;
  }

  /** @param condition SQL */
  require(condition: string): this {
    this.#texts.push(condition);
    return this;
  }

  /** SQL: the parameter of a value. */
  parameter(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  get sql(): string {
    return this.#texts.join(' and ');
  }
}

/** A table that is listed newest first. Its rows have an ID and a scope. */
export interface ListedTable {
  name:
    | 'calls'
    | 'charges'
    | 'checkout_sessions'
    | 'disputes'
    | 'emails'
    | 'payout_entries'
    | 'payouts'
    | 'refunds'
    | 'request_log'
    | 'texts';
  /** The column that the list is ordered by. */
  time: 'created_at' | 'started_at';
  /**
   * For users who are limited to merchants, of a table with an index by `merchant_id` and time: `bound` is
   * {@link boundByMerchants}. `newest` reads the newest rows of each merchant, if no filter is about other tables.
   */
  byMerchant?: 'bound' | 'newest';
}

/** The rows of a scope within a time range. */
export function inScope(
  { name, time }: ListedTable,
  { accountId, mode }: Scope,
  { after, before }: TimeRange,
): Conditions {
  return new Conditions()
    .add(`${name}.account_id = $?`, accountId)
    .add(`${name}.mode = $?`, mode)
    .add(`${name}.${time} >= $?`, after)
    .add(`${name}.${time} < $?`, before);
}

/** As text, because a Date has no microseconds. */
interface Place {
  at: string;
  id: string;
}

/**
 * A page of the matching rows, newest first.
 * @param select SQL up to the WHERE clause
 * @param conditions from {@link inScope}, with more added
 * @returns null if `startingAfter` is none of the scope's rows
 */
export function readListedPage<T extends object>(
  sql: Sql,
  table: ListedTable,
  { accountId, mode }: Scope,
  { select, conditions, page }: { select: string; conditions: Conditions; page: PageRequest },
): Promise<Page<T> | null> {
  const { name, time } = table;
  return readPage<Place, T>(page, {
    placeOf: (id) =>
      readFirst(sql, `select ${time}::text as at, id from ${name} where id = $1 and account_id = $2 and mode = $3`, [
        id,
        accountId,
        mode,
      ]),
    rowsBehind(place, limit) {
      const at = place && `${conditions.parameter(place.at)}::timestamptz`;
      if (place !== null) conditions.add(`(${name}.${time}, ${name}.id) < (${at}, $?)`, place.id);
      boundByMerchants(sql, table, conditions, at);
      const order = `order by ${name}.${time} desc, ${name}.id desc limit ${conditions.parameter(limit)}`;
      const isByEach = table.byMerchant === 'newest' && isLimited(sql);
      const condition = isByEach ? isNewestOfMerchants(name, conditions.sql, order) : conditions.sql;
      return sql.query<T>(`${select} where ${condition} ${order}`, conditions.values);
    },
  });
}

/**
 * For users who are limited to merchants: no row is newer than the newest of their merchants. Otherwise, if these have
 * only old rows, the list would read the newer rows of all others. The views have only their merchants.
 * @param at SQL: the place of the page, or null
 */
export function boundByMerchants(
  sql: Sql,
  { name, time, byMerchant }: ListedTable,
  conditions: Conditions,
  at: string | null,
): void {
  if (byMerchant !== 'bound' || !isLimited(sql)) return;
  const behind = at === null ? '' : `and own.${time} <= ${at}`;
  conditions.require(`${name}.${time} <= (
    select max(newest.at) from merchants limited_to
     cross join lateral (select own.${time} as at from ${name} own where own.merchant_id = limited_to.id ${behind}
                          order by own.${time} desc limit 1) newest)`);
}

/**
 * SQL, for users who are limited to merchants: a row is on the page, which is made of the newest rows of each of their
 * merchants. Otherwise, if these are few among the rows of all merchants, the list would read the others. The views have
 * only their merchants.
 * @param order with a limit
 */
export const isNewestOfMerchants = (
  table: string,
  conditions: string,
  order: string,
): string => `${table}.id = any(array(
  select ${table}.id from merchants limited_to
   cross join lateral (select ${table}.* from ${table}
                        where ${table}.merchant_id = limited_to.id and ${conditions} ${order}) ${table}
   ${order}))`;
