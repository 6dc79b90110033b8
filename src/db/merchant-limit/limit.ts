/**
 * A database with the rows of some merchants only, for users who are limited to them. It is enforced here, for every
 * query: names of tables mean the views of the schema `limited` (views.ts), and nothing can be written. Without the views,
 * queries fail.
 */
import type { MerchantId } from '../../domain/ids.ts';
import type { MerchantLimit } from '../../domain/user.ts';
import type { Database, Sql } from '../pool.ts';
import { MERCHANTS_SETTING } from './views.ts';

interface Limited {
  isLimited(): boolean;
}

/** Whether `sql` reads the rows of some merchants only, now. */
export const isLimited = (sql: Sql & Partial<Limited>): boolean => sql.isLimited?.() === true;

/** @returns the database itself if there is no limit */
export const limitToMerchants = (database: Database, limit: MerchantLimit): Database =>
  followLimit(database, () => limit);

/** @param limitOf the limit of the current request, read for each query */
export function followLimit(database: Database, limitOf: () => MerchantLimit): Database {
  const limited = <T>(merchants: readonly MerchantId[], work: (sql: Sql) => Promise<T>, silenceLimitMs?: number) =>
    database.transaction(async (sql) => {
      await sql.query(startOf(merchants));
      return work(withoutNames(sql));
    }, silenceLimitMs);
  const followed: Database & Limited = {
    isLimited: () => limitOf() !== null,
    query: ((...statement: [string]) => {
      const limit = limitOf();
      return limit === null ? database.query(...statement) : limited(limit, (sql) => sql.query(...statement));
    }) as Sql['query'],
    transaction: (work, silenceLimitMs) => {
      const limit = limitOf();
      return limit === null ? database.transaction(work, silenceLimitMs) : limited(limit, work, silenceLimitMs);
    },
    close: () => database.close(),
  };
  return followed;
}

/** The gate is locked until the transaction ends, so the views cannot be dropped meanwhile. */
function startOf(merchants: readonly MerchantId[]): string {
  if (!merchants.every((id) => /^\w+$/.test(id))) throw new Error('a merchant has an unusual ID');
  return `set transaction read only; set local search_path = limited, public;
    set local ${MERCHANTS_SETTING} = '${merchants.join(',')}'; select from limited.gate`;
}

/** Under its name, a statement is prepared with the tables. It would be parsed again each time. */
function withoutNames(sql: Sql): Sql & Limited {
  const query = (statement: unknown, values?: unknown[]) => {
    if (typeof statement !== 'object' || statement === null) return sql.query(statement as string, values);
    const { name: _, ...unnamed } = statement as { name?: string; text: string; values?: unknown[] };
    return values === undefined ? sql.query(unnamed) : sql.query(unnamed, values);
  };
  return { query: query as Sql['query'], isLimited: () => true };
}
