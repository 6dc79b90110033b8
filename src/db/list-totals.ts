/** Sums or counts all rows that a list's filters match: not too many, and not for too long, because the list's page waits. */
import type { Conditions } from './conditions.ts';
import type { Database } from './pool.ts';

/** No more rows are summed. */
export const MOST_SUMMED = 10_000;
/** A filter that no index serves reads all rows of the account. */
const STATEMENT_LIMIT_MS = 500;
const QUERY_CANCELED = '57014';

interface Counted {
  /** SQL: the counts and sums of the rows of `listed`. */
  sums: string;
  /** SQL up to the WHERE clause. */
  select: string;
  conditions: Conditions;
  /** SQL: the list's order, so that its index is used. If null, the planner chooses, and reads in any order. */
  order: string | null;
}

interface Summed extends Counted {
  /** SQL: the sums' order. */
  highestFirst: string;
  /** SQL: of the rows that agree in `by`, only the first one in the order of `first` is summed. Absent: all are. */
  once?: { by: string; first: string };
}

/** By currency. @returns null if more than {@link MOST_SUMMED} rows match, or if it takes too long */
export async function readListTotals<Totals extends object>(
  database: Pick<Database, 'transaction'>,
  { sums, select, conditions, order, highestFirst, once }: Summed,
): Promise<Totals[] | null> {
  const summed =
    once === undefined ? 'every' : `(select distinct on (${once.by}) * from every order by ${once.by}, ${once.first})`;
  return readLimited<Totals>(
    database,
    limitedRows({ select, conditions, order }),
    `select currency, ${ROWS_READ}, ${sums} from ${summed} listed
      group by currency order by ${highestFirst} desc nulls last, currency`,
  );
}

/** In one row, for lists without amounts. @returns null as {@link readListTotals} */
export const readListCounts = <Counts extends object>(
  database: Pick<Database, 'transaction'>,
  { sums, ...listed }: Counted,
): Promise<Counts | null> => readCounts<Counts>(database, { rows: limitedRows(listed), sums, from: 'every listed' });

interface CountedRows {
  rows: Statement;
  /** SQL: the counts. */
  sums: string;
  /** SQL: the table `every` with the rows, and joins. */
  from: string;
}

/** As {@link readListCounts}, if the rows have a statement of their own. */
export async function readCounts<Counts extends object>(
  database: Pick<Database, 'transaction'>,
  { rows, sums, from }: CountedRows,
): Promise<Counts | null> {
  const counted = await readLimited<Counts>(database, rows, `select ${ROWS_READ}, ${sums} from ${from}`);
  return counted?.[0] ?? null;
}

/** A statement that selects up to {@link MOST_SUMMED} rows and one more, which tells that there are more. */
interface Statement {
  text: string;
  values: readonly unknown[];
}

function limitedRows({ select, conditions, order }: Omit<Counted, 'sums'>): Statement {
  const limit = conditions.parameter(MOST_SUMMED + 1);
  const ordered = order === null ? '' : `order by ${order}`;
  return { text: `${select} where ${conditions.sql} ${ordered} limit ${limit}`, values: conditions.values };
}

/** By what the rows have in `by`, the most frequent first. @returns null as {@link readListTotals} */
export async function readListGroups<Group extends { count: number }>(
  database: Pick<Database, 'transaction'>,
  { by, ...listed }: Omit<Counted, 'sums'> & { by: string },
): Promise<Group[] | null> {
  return readLimited<Group>(
    database,
    limitedRows(listed),
    `select ${ROWS_READ}, ${by}, count(*)::integer as count from every listed group by ${by} order by count desc, ${by}`,
  );
}

const ROWS_READ = '(select count(*) from every)::integer as "rowsRead"';

/** @param summed SQL: the SELECT over `every`, with {@link ROWS_READ} */
async function readLimited<Row extends object>(
  database: Pick<Database, 'transaction'>,
  { text, values }: Statement,
  summed: string,
): Promise<Row[] | null> {
  const statement = `with every as materialized (${text}) ${summed}`;
  try {
    const rows = await database.transaction(async (sql) => {
      await sql.query(`select set_config('statement_timeout', '${STATEMENT_LIMIT_MS}', true)`);
      return (await sql.query<Row & { rowsRead: number }>(statement, [...values])).rows;
    });
    if (rows.some(({ rowsRead }) => rowsRead > MOST_SUMMED)) return null;
    return rows.map(({ rowsRead: _, ...totals }) => totals as unknown as Row);
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED) return null;
    throw error;
  }
}
