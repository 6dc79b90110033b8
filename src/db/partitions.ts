/**
 * Tables with a partition a day. A worker creates partitions ahead of time and drops old ones, which costs nothing per
 * row. The functions are in the database (migration 0069).
 *
 * A unique index of a partitioned table must contain the day. So `events`, `webhook_deliveries` and `texts` have no
 * partitions: an event of a kind is written once a charge or session, a receipt once a charge, and a delivery once an
 * event and endpoint, on whichever day. Their unique indexes are what prevents a second one.
 */
import { readOne, type Sql } from './pool.ts';

interface PartitionedTable {
  name: string;
  /** Of its rows, as metrics name it. */
  kind: string;
  /** The column of the partitions' bounds. */
  time: string;
  /** Rows live up to a day longer, until the day of their partition is as old. */
  retentionDays: number;
}

/** @param requestDays RINGKEY_REQUEST_LOG_DAYS */
const partitioned = (requestDays: number): PartitionedTable[] => [
  // Velocity rules look back a day at most.
  { name: 'charge_signals', kind: 'velocitySignals', time: 'created_at', retentionDays: 1 },
  { name: 'attempt_counts', kind: 'attemptCounts', time: 'minute', retentionDays: 1 },
  { name: 'webhook_attempts', kind: 'webhookAttempts', time: 'created_at', retentionDays: WEBHOOK_ATTEMPT_DAYS },
  { name: 'request_log', kind: 'requests', time: 'created_at', retentionDays: requestDays },
];

/** The default of RINGKEY_REQUEST_LOG_DAYS. */
const REQUEST_DAYS = 30;
/** As long as their deliveries. */
const WEBHOOK_ATTEMPT_DAYS = 30;
/** Long enough for an installation whose workers are stopped over a weekend. */
const DAYS_AHEAD = 3;
const MOST_STRAY_ROWS = 1_000;

/** @param kind of the rows @param rows how many; about as many if they were in a partition, whose rows nothing counts */
type OnPruned = (kind: string, rows: number) => void;

/**
 * Creates the partitions of the next days, drops old ones, and deletes old rows that found no partition of their day.
 * @returns how many partitions were created and dropped
 * @throws `lock_not_available` if a partition is in use; the next run drops it
 */
export async function maintainPartitions(
  sql: Sql,
  requestDays = REQUEST_DAYS,
  onPruned: OnPruned = () => undefined,
): Promise<{ made: number; dropped: number }> {
  const tables = partitioned(requestDays);
  const done = { made: 0, dropped: 0 };
  // Drops can fail because a table is in use, so they come last.
  for (const table of tables) done.made += await makePartitions(sql, table);
  for (const table of tables) done.dropped += await dropPartitions(sql, table, onPruned);
  return done;
}

/** For the metrics: for how many days after today each table has partitions. */
export async function readPartitionsAhead(sql: Sql): Promise<{ table: string; days: number }[]> {
  const { rows } = await sql.query<{ table: string; days: number }>({
    name: 'partitions_ahead',
    text: `select parent.relname as table,
                  max(to_date(right(part.relname, 8), 'YYYYMMDD')) - (now() at time zone 'UTC')::date as days
             from pg_inherits
             join pg_class parent on parent.oid = inhparent and parent.relkind = 'p'
             join pg_class part on part.oid = inhrelid and part.relname ~ '_[0-9]{8}$'
            group by parent.relname`,
  });
  return rows;
}

async function makePartitions(sql: Sql, { name }: PartitionedTable): Promise<number> {
  const text = 'select make_day_partitions($1, $2) as made';
  return (await readOne<{ made: number }>(sql, text, [name, DAYS_AHEAD])).made;
}

async function dropPartitions(
  sql: Sql,
  { name, kind, time, retentionDays }: PartitionedTable,
  onPruned: OnPruned,
): Promise<number> {
  const retention = `${retentionDays} days`;
  const { rowCount } = await sql.query(
    `delete from ${name}_default where ctid = any (array(
       select ctid from ${name}_default where ${time} < now() - $1::interval limit ${MOST_STRAY_ROWS}))`,
    [retention],
  );
  onPruned(kind, rowCount ?? 0);
  const before = await listPartitions(sql, name);
  const text = 'select drop_day_partitions($1, $2::interval) as dropped';
  const { dropped } = await readOne<{ dropped: number }>(sql, text, [name, retention]);
  // Otherwise, if some have gone, another worker dropped and counted them.
  if (dropped > 0) {
    const left = new Set((await listPartitions(sql, name)).map((partition) => partition.name));
    const gone = before.filter((partition) => !left.has(partition.name));
    onPruned(
      kind,
      gone.reduce((sum, { rows }) => sum + rows, 0),
    );
  }
  return dropped;
}

/** With PostgreSQL's estimate of their rows, or the rows inserted so far if it has made none. */
async function listPartitions(sql: Sql, parent: string): Promise<{ name: string; rows: number }[]> {
  const { rows } = await sql.query<{ name: string; rows: number }>(
    `select relname as name, (case when reltuples < 0 then pg_stat_get_live_tuples(oid) else reltuples end)::float8 as rows
       from pg_class join pg_inherits on inhrelid = oid
      where inhparent = $1::regclass`,
    [parent],
  );
  return rows;
}
