/** Pending charges and refunds for the resolver: claims due rows, and tells when the next one is due. */
import { readFirst, readOne, type Sql } from './pool.ts';

type ResolvedTable = 'charges' | 'refunds' | 'hold_changes';

/** One claim of a pending row. */
export interface DueClaim {
  /** Since its creation. */
  ageMs: number;
  /** Number of lookups, including this one. */
  attempt: number;
  /** The resolver will not look it up again. */
  last: boolean;
}

/** A row to settle manually. */
export interface ToSettle<Row> {
  row: Row;
  /** Since it was created. */
  ageMs: number;
  /** The resolver no longer looks it up. */
  givenUp: boolean;
}

/**
 * SQL: the row is pending, and the resolver has given up on it. The partial indexes on `resolve_at` contain these rows.
 */
export const needsSettling = (table: ResolvedTable) =>
  `(${table}.status = 'pending' and ${table}.resolve_at = 'infinity')`;

const AGE_MS = `extract(epoch from now() - created_at)::double precision * 1000 as "ageMs"`;

/**
 * Time from a row's last claim until it counts as given up and can be settled manually. Longer than a lookup takes, so
 * that no answer of the processor is outstanding.
 */
const LAST_ANSWER_MS = 2 * 60_000;

/** How many due rows take turns. Limits what a claim reads after a long outage. */
const IN_TURNS = 1_000;

/**
 * SQL: the due rows with their place among those of their merchant. The first rows of all merchants are claimed before
 * the second ones, so that a processor that does not answer delays its own merchant only.
 */
const inTurns = (table: ResolvedTable) =>
  `select id, row_number() over (partition by merchant_id order by resolve_at) as place
     from (select id, merchant_id, resolve_at from ${table} where status = 'pending' and resolve_at <= now()
            order by resolve_at limit ${IN_TURNS}) due`;

/**
 * Claims up to `limit` due rows for one lookup each, and sets the time of their next. If the claiming process dies, one
 * lookup is skipped. Rows whose last lookup is long over are given up on and not returned.
 * @param columns SQL: the columns to read
 * @param delaysMs `delaysMs[n]`: pause after lookup n + 1; none follows the last
 *
 */
export async function claimDue<Row extends object>(
  sql: Sql,
  table: ResolvedTable,
  columns: string,
  limit: number,
  delaysMs: readonly number[],
): Promise<(Row & DueClaim)[]> {
  const { rows } = await sql.query<Row & DueClaim & { isOver: boolean }>(
    `update ${table}
        set resolve_attempts = resolve_attempts + 1,
            resolve_at = coalesce(now() + ($2::integer[])[resolve_attempts + 1] * interval '1 millisecond', 'infinity')
      where id in (select ${table}.id from ${table} join (${inTurns(table)}) turn on turn.id = ${table}.id
                    where ${table}.status = 'pending' and ${table}.resolve_at <= now()
                    order by turn.place, ${table}.resolve_at limit $1 for no key update of ${table} skip locked)
     returning ${columns}, resolve_attempts as attempt, resolve_attempts >= cardinality($2::integer[]) as last,
               resolve_at = 'infinity' as "isOver", ${AGE_MS}`,
    [limit, [...delaysMs, LAST_ANSWER_MS]],
  );
  return rows.flatMap(({ isOver, ...row }) => (isOver ? [] : [row as unknown as Row & DueClaim]));
}

/** @param options.lock locks the row until the transaction ends. @returns null for an unknown ID */
export async function findRowToSettle<Row extends object>(
  sql: Sql,
  table: ResolvedTable,
  columns: string,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<ToSettle<Row> | null> {
  const found = await readFirst<Row & Omit<ToSettle<Row>, 'row'>>(
    sql,
    `select ${columns}, resolve_at = 'infinity' as "givenUp", ${AGE_MS} from ${table} where id = $1
     ${lock ? 'for no key update' : ''}`,
    [id],
  );
  if (found === null) return null;
  const { givenUp, ageMs, ...row } = found;
  return { row: row as unknown as Row, givenUp, ageMs };
}

/** SQL: when the next pending row is due. */
export const pendingDue = (table: ResolvedTable) =>
  `select min(resolve_at) from ${table} where status = 'pending' and resolve_at < 'infinity'`;

/**
 * @param times for each kind of work, SQL that selects one column of times
 * @returns milliseconds until the first time of each kind, at least 0; null if there is none
 */
export function dueInMs<Kind extends string>(
  sql: Sql,
  times: Readonly<Record<Kind, string>>,
): Promise<Record<Kind, number | null>> {
  const columns = Object.entries<string>(times).map(
    ([kind, at]) => `(select greatest(0, extract(epoch from min(at) - now()) * 1000)::double precision
                        from (${at}) due (at) having min(at) is not null) as "${kind}"`,
  );
  return readOne(sql, `select ${columns.join(', ')}`);
}
