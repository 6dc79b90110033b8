/** Counts events, deliveries, texts and charges that wait in the database, and for how long: for the metrics. */
import type { Backlog, Waiting } from '../lib/observability/metrics.ts';
import type { Sql } from './pool.ts';

/** Counting takes time, and more than this is too many in any case. */
const COUNTED = 100_000;

/** Each part reads a partial index of waiting rows. */
const BACKLOG = `
  select 'events' as kind,
         (select count(*)::integer from (select from events where relayed_at is null limit ${COUNTED}) e) as count,
         (select created_at from events where relayed_at is null order by sequence limit 1) as oldest
  union all
  select 'webhooks', count(*)::integer, min(created_at)
    from (select created_at from webhook_deliveries where status = 'waiting' limit ${COUNTED}) d
  union all
  select 'texts', count(*)::integer, min(created_at)
    from (select created_at from texts where status in ('waiting', 'sending') order by next_attempt_at limit ${COUNTED}) t
  union all
  select 'charges', count(*)::integer, min(created_at)
    from (select created_at from charges where status = 'pending' and debited_at is null order by resolve_at limit ${COUNTED}) c`;

/** Counts up to {@link COUNTED}. @param now the time that ages are relative to */
export async function readBacklog(sql: Sql, now: Date): Promise<Backlog> {
  const { rows } = await sql.query<{ kind: Waiting; count: number; oldest: Date | null }>({
    name: 'backlog',
    text: BACKLOG,
  });
  const age = (at: Date | null) => (at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1_000));
  const entries = rows.map(({ kind, count, oldest }) => [kind, { count, oldestSeconds: age(oldest) }] as const);
  return Object.fromEntries(entries) as Backlog;
}
