/** Reads columns of encrypted texts in batches, and replaces those that have not changed since. For key rotation. */
import type { Sql } from './pool.ts';

/** Names and types are our own SQL, never input. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key, in its order: the type of each column by name. */
  key: Readonly<Record<string, string>>;
  /** SQL: which rows are sealed; by default all. */
  sealedIf?: string;
}

export interface SealedText {
  /** The row's key as text, in the order of {@link SealedColumn.key}. */
  key: readonly string[];
  sealed: string;
}

/** Up to `limit` sealed texts of the rows after `after`, in key order. */
export async function readSealed(
  sql: Sql,
  { table, column, key: keyTypes, sealedIf = 'true' }: SealedColumn,
  after: readonly string[] | null,
  limit: number,
): Promise<SealedText[]> {
  const key = Object.entries(keyTypes);
  const names = key.map(([name]) => name).join(', ');
  const cursor = key.map(([, type], place) => `$${place + 2}::${type}`).join(', ');
  const { rows } = await sql.query<SealedText>(
    `select array[${key.map(([name]) => `${name}::text`).join(', ')}] as key, ${column} as sealed
       from ${table}
      where ${column} <> '' and ${sealedIf} ${after === null ? '' : `and (${names}) > (${cursor})`}
      order by ${names} limit $1`,
    [limit, ...(after ?? [])],
  );
  return rows;
}

/**
 * Replaces each text that is unchanged since it was read. Skips rows locked by other transactions, because waiting for
 * them could deadlock.
 * @returns how many were replaced
 */
export async function replaceSealed(
  sql: Sql,
  { table, column, key: keyTypes }: SealedColumn,
  texts: readonly (SealedText & { resealed: string })[],
): Promise<number> {
  const key = Object.entries(keyTypes);
  const names = key.map(([name]) => name);
  const isSame = (other: string) => key.map(([name, type]) => `t.${name} = ${other}.${name}::${type}`).join(' and ');
  const { rowCount } = await sql.query(
    `with wanted as (
       select * from unnest($1::text[], $2::text[], ${names.map((_, place) => `$${place + 3}::text[]`).join(', ')})
         as w (sealed, resealed, ${names.join(', ')})
     ), held as (
       select w.* from ${table} t join wanted w on ${isSame('w')} and t.${column} = w.sealed
          for no key update of t skip locked
     )
     update ${table} t set ${column} = held.resealed from held
      where ${isSame('held')} and t.${column} = held.sealed`,
    [
      texts.map(({ sealed }) => sealed),
      texts.map(({ resealed }) => resealed),
      ...names.map((_, place) => texts.map((text) => text.key[place])),
    ],
  );
  return rowCount ?? 0;
}

/** The beginnings of the sealed secrets of accounts and processors, which name their keys: one for each key. */
export async function readKeysInUse(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ start: string }>(
    `select split_part(header_signing_secret, '.', 1) || '.' as start from accounts where header_secret_sealed
      union select split_part(credentials, '.', 1) || '.' from merchant_processors where credentials <> ''`,
  );
  return rows.map(({ start }) => start);
}
