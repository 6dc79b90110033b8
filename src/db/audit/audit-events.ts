/** The table `audit_events`: written in the transaction of the change, and never changed. */
import type { Scope } from '../../domain/account.ts';
import type { Actor, AuditAction, AuditEntry, AuditEvent, OperatorAuditEntry } from '../../domain/audit.ts';
import { newId } from '../../domain/ids.ts';
import { columnsOf } from '../columns.ts';
import type { TimeRange } from '../conditions.ts';
import { type Page, type PageRequest, readPage } from '../pages.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
import { sequencesIn } from '../sequences.ts';

/** Writes a change. Call it in the transaction of the change. */
export async function insertAuditEvent(sql: Sql, by: Actor, entry: AuditEntry | OperatorAuditEntry): Promise<void> {
  const { accountId, mode, action, objectId, changes = {} } = entry;
  await sql.query(
    `insert into audit_events (id, account_id, mode, action, object_id, changes, actor_kind, actor_id, source, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      newId('AuditEvent'),
      accountId,
      mode,
      action,
      objectId,
      JSON.stringify(changes),
      by.kind,
      by.id,
      by.source,
      by.requestId,
    ],
  );
}

const AUDIT_EVENT = columnsOf<AuditEvent>()('audit_events', ['id accountId mode action objectId changes createdAt'], {
  actor: `json_build_object('kind', actor_kind, 'id', actor_id, 'source', source, 'requestId', request_id)`,
  objectName: `case when action like 'merchant.%' then
    (select m.business_name from merchants m where m.id = object_id and m.account_id = audit_events.account_id) end`,
});

/** @returns how many alert targets with an email address were created in the last day, those deleted since included */
export async function countNewTargets(sql: Sql, { accountId, mode }: Scope): Promise<number> {
  const { count } = await readOne<{ count: number }>(
    sql,
    `select count(*)::integer as count from audit_events
      where account_id = $1 and mode = $2 and action = 'alert_target.created' and changes ->> 'channel' = 'email'
        and created_at > now() - interval '1 day'`,
    [accountId, mode],
  );
  return count;
}

/** Null matches everything. */
interface AuditFilter extends TimeRange {
  objectId: string | null;
  action: AuditAction | null;
}

/**
 * The scope's events and those of its whole account, newest first.
 * @returns null if `startingAfter` is none of them
 */
export function listAuditEvents(
  sql: Sql,
  { accountId, mode }: Scope,
  { objectId, action, after, before }: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEvent> | null> {
  const isOfScope = 'account_id = $1 and (mode is null or mode = $2)';
  return readPage<string, AuditEvent>(page, {
    async placeOf(id) {
      const text = `select sequence::text from audit_events where ${isOfScope} and id = $3`;
      return (await readFirst<{ sequence: string }>(sql, text, [accountId, mode, id]))?.sequence ?? null;
    },
    async rowsBehind(place, limit) {
      const whose = { whose: 'account_id = $1', values: [accountId] };
      const range = await sequencesIn(sql, { name: 'audit_events', ...whose }, { after, before });
      return sql.query<AuditEvent>(
        `select ${AUDIT_EVENT} from audit_events
          where ${isOfScope} and ($3::bigint is null or sequence < $3)
            and ($4::text is null or object_id = $4) and ($5::text is null or action = $5)
            and ($7::bigint is null or sequence >= $7) and ($8::bigint is null or sequence < $8)
            and ($9::timestamptz is null or created_at >= $9) and ($10::timestamptz is null or created_at < $10)
          order by sequence desc limit $6`,
        [accountId, mode, place, objectId, action, limit, range.after, range.before, after, before],
      );
    },
  });
}

/** @param span an interval of PostgreSQL */
export async function wasAuditedWithin(
  sql: Sql,
  { accountId, mode, action, objectId }: Pick<AuditEntry, 'accountId' | 'mode' | 'action' | 'objectId'>,
  span: string,
): Promise<boolean> {
  const recent = await readFirst(
    sql,
    `select from audit_events
      where object_id = $1 and account_id = $2 and mode is not distinct from $3 and action = $4
        and created_at > now() - $5::interval
      order by sequence desc limit 1`,
    [objectId, accountId, mode, action, span],
  );
  return recent !== null;
}
