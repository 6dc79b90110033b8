/** What is new for an alert target: attention items that opened or closed since its last message. */

import type { AlertTopic } from '../../domain/alerts.ts';
import { type AlertTargetId, kindsOf } from '../../domain/alerts.ts';
import type { AttentionItem, AttentionItemId } from '../../domain/attention.ts';
import type { AccountId, MerchantId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import type { LanguageTag } from '../../languages/index.ts';
import { isKnownKind } from '../attention/known-kinds.ts';
import { readFirst, type Sql } from '../pool.ts';
import { languageOfTarget, MONTH_BEFORE } from './alert-targets.ts';

/** Targets that can get a message now: none waits to be sent, and they are not paused. None of limited users. */
const IS_READY = `t.paused_until <= now()
  and not exists (select from users u where u.id = t.user_id and u.is_limited)
  and not exists (select from alert_messages m where m.target_id = t.id and m.status = 'waiting' and m.kind <> 'test')`;

/** @param after the last target of the batch before; empty at first */
export async function listReadyTargets(sql: Sql, after: string, limit: number): Promise<AlertTargetId[]> {
  const { rows } = await sql.query<{ id: AlertTargetId }>(
    `select t.id from alert_targets t where ${IS_READY} and t.id > $1 order by t.id limit $2`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

export interface ReadyTarget {
  id: AlertTargetId;
  accountId: AccountId;
  mode: Mode;
  topics: AlertTopic[];
  urgentOnly: boolean;
  timeZone: string;
  language: LanguageTag;
  isQuiet: boolean;
  summaryIfEmpty: boolean;
  /** The day before today in the target's zone, if its summary is due: `2026-11-20`. */
  dayToSummarize: string | null;
  reportMerchants: MerchantId[];
  /** The month before the present one in the target's zone, if its report is due: `2026-10`. */
  monthToReport: string | null;
  /** How often counting that report has failed. */
  reportFailures: number;
}

/** Reports are made at the hour of the summary, or at this one. If no worker runs then, later in the month. */
const REPORT_HOUR = 8;

const IS_REPORT_DUE = `cardinality(t.report_merchants) > 0 and coalesce(t.reported_month < local.month_before, true)
  and coalesce(t.report_retry_at <= now(), true)
  and (extract(day from local.day) > 1 or local.hour >= coalesce(t.summary_hour, ${REPORT_HOUR}))`;

/** @returns null if the target is not ready */
export const findReadyTarget = (sql: Sql, id: AlertTargetId) => readReadyTarget(sql, id, '');

/** Locks the target until the transaction ends. @returns null if another worker has it, or it is no longer ready */
export const lockReadyTarget = (sql: Sql, id: AlertTargetId) =>
  readReadyTarget(sql, id, 'for no key update of t skip locked');

async function readReadyTarget(sql: Sql, id: AlertTargetId, lock: string): Promise<ReadyTarget | null> {
  const row = await readFirst<Omit<ReadyTarget, 'language'>>(
    sql,
    `select t.id, t.account_id as "accountId", t.mode, t.topics, t.urgent_only as "urgentOnly", t.time_zone as "timeZone",
            coalesce(case when quiet_from <= quiet_until then local.hour >= quiet_from and local.hour < quiet_until
                          else local.hour >= quiet_from or local.hour < quiet_until end, false) as "isQuiet",
            t.summary_if_empty as "summaryIfEmpty",
            case when local.hour >= t.summary_hour and coalesce(t.summarized_on < local.day - 1, true)
                 then (local.day - 1)::text end as "dayToSummarize",
            t.report_merchants as "reportMerchants", case when ${IS_REPORT_DUE} then local.month_before end as "monthToReport",
            t.report_failures as "reportFailures"
       from alert_targets t
      cross join lateral (
        select extract(hour from now() at time zone t.time_zone) as hour, (now() at time zone t.time_zone)::date as day,
               ${MONTH_BEFORE('(now() at time zone t.time_zone)')} as month_before) local
      where t.id = $1 and ${IS_READY} ${lock}`,
    [id],
  );
  return row && { ...row, language: await languageOfTarget(sql, id) };
}

type NewItem = Pick<AttentionItem, 'id' | 'kind' | 'subject' | 'merchantId' | 'businessName' | 'facts'> & {
  isClosed: boolean;
};

/** The same problem is not told again within this time, even if it was gone meanwhile. */
const SILENCE = "interval '30 minutes'";

const IS_SET_ASIDE = `(coalesce(mark.done_at >= i.newest_at, false) or coalesce(mark.quiet_until > now(), false))`;

/** SQL: the item was told, and not set aside since. An item that needs attention again after that is told again. */
const IS_KNOWN = `n.item_id = i.id and not (coalesce(mark.done_at > n.opened_told_at, false)
  or coalesce(mark.quiet_until > n.opened_told_at, false))`;

const OPENED = `
  select i.id, i.kind, i.subject, i.merchant_id, i.facts, false as is_closed
    from attention_items i
    left join attention_marks mark on mark.item_id = i.id and mark.account_id = $2
   where i.closed_at is null and ((i.account_id = $2 and i.mode = $3) or i.account_id is null)
     and i.kind = any($4) and not ${IS_SET_ASIDE}
     and not exists (
       select from alert_notices n join attention_items told on told.id = n.item_id
        where n.target_id = $1 and told.kind = i.kind and told.subject = i.subject
          and told.account_id is not distinct from i.account_id and told.mode is not distinct from i.mode
          and (n.opened_told_at > now() - ${SILENCE} or (${IS_KNOWN})))`;

const CLOSED = `
  select i.id, i.kind, i.subject, i.merchant_id, i.facts, true as is_closed
    from alert_notices n join attention_items i on i.id = n.item_id
   where n.target_id = $1 and n.closed_told_at is null and i.closed_at is not null and ${isKnownKind('i.kind')}`;

/** Oldest first. During quiet hours, urgent problems only. */
export async function findNews(sql: Sql, target: ReadyTarget): Promise<NewItem[]> {
  const { id, accountId, mode, topics, urgentOnly, isQuiet } = target;
  const { rows } = await sql.query<NewItem>(
    `select item.id, item.kind, item.subject, item.merchant_id as "merchantId", item.facts, item.is_closed as "isClosed",
            m.business_name as "businessName"
       from (${OPENED} ${isQuiet ? '' : `union all ${CLOSED}`}) item left join merchants m on m.id = item.merchant_id
      order by item.id`,
    [id, accountId, mode, kindsOf(topics, urgentOnly || isQuiet)],
  );
  return rows;
}

/** In the transaction that writes the message. */
export async function noteNews(sql: Sql, id: AlertTargetId, news: readonly NewItem[]): Promise<void> {
  const idsOf = (isClosed: boolean): AttentionItemId[] =>
    news.filter((item) => item.isClosed === isClosed).map((item) => item.id);
  await sql.query(
    `insert into alert_notices (target_id, item_id, opened_told_at) select $1, item_id, now() from unnest($2::text[]) item_id
     on conflict (target_id, item_id) do update set opened_told_at = now()`,
    [id, idsOf(false)],
  );
  await sql.query('update alert_notices set closed_told_at = now() where target_id = $1 and item_id = any($2)', [
    id,
    idsOf(true),
  ]);
}
