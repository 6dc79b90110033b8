/** The table `alert_targets`: who is told about attention items. */
import type { Scope } from '../../domain/account.ts';
import type { AlertSettings, AlertTarget, AlertTargetId } from '../../domain/alerts.ts';
import type { UserId } from '../../domain/ids.ts';
import { type LanguageTag, languageTag } from '../../languages/index.ts';
import { columnsOf } from '../columns.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
import { IS_KNOWN_MESSAGE } from './alert-messages.ts';

const SETTINGS = 'topics urgentOnly timeZone quietFrom quietUntil summaryHour summaryIfEmpty reportMerchants';

const TARGET = columnsOf<AlertTarget>()(
  'alert_targets',
  [`id accountId mode userId channel name createdAt ${SETTINGS}`],
  {
    email:
      '(select coalesce(alert_targets.email, u.email) from (select) one left join users u on u.id = alert_targets.user_id)',
    last: `(select json_build_object('kind', m.kind, 'status', m.status, 'attempts', m.attempts, 'errorCode', m.error_code,
                                     'createdAt', m.created_at, 'settledAt', m.settled_at)
              from alert_messages m where m.target_id = alert_targets.id and ${IS_KNOWN_MESSAGE}
             order by m.created_at desc limit 1)`,
  },
);

export interface NewAlertTarget extends AlertSettings, Pick<AlertTarget, 'id' | 'userId' | 'channel' | 'name'> {
  /** Null for a user's own target, and for Slack. */
  email: string | null;
  /** Sealed; empty for email. */
  slackUrl: string;
}

/** SQL: the month before, `2026-10`. @param at SQL: a local time */
export const MONTH_BEFORE = (at: string) => `to_char(${at} - interval '1 month', 'YYYY-MM')`;

/** SQL: a new summary begins with the day that is not over. `now()` fails in an unknown time zone. */
const SUMMARIZED_ON = (zone: string) => `(now() at time zone ${zone})::date - 1`;

/** SQL: a new report begins with the month that is not over. */
const REPORTED_MONTH = (zone: string) => MONTH_BEFORE(`(now() at time zone ${zone})`);

const settingsOf = (settings: AlertSettings) => [
  settings.topics,
  settings.urgentOnly,
  settings.timeZone,
  settings.quietFrom,
  settings.quietUntil,
  settings.summaryHour,
  settings.summaryIfEmpty,
  settings.reportMerchants,
];

/** Call it in a transaction. @returns null if the account has `max` targets in this mode; a user's own do not count */
export async function insertAlertTarget(
  sql: Sql,
  { accountId, mode }: Scope,
  target: NewAlertTarget,
  max: number,
): Promise<AlertTarget | null> {
  // One at a time per account, because two concurrent requests could both see the last free place.
  await sql.query('select 1 from accounts where id = $1 for no key update', [accountId]);
  const { id, userId, channel, name, email, slackUrl } = target;
  return readFirst(
    sql,
    `insert into alert_targets (id, account_id, mode, user_id, channel, name, email, slack_url, topics, urgent_only, time_zone,
                                quiet_from, quiet_until, summary_hour, summary_if_empty, report_merchants, summarized_on,
                                reported_month)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, ${SUMMARIZED_ON('$11')},
            ${REPORTED_MONTH('$11')}
      where $4::text is not null
         or (select count(*) from alert_targets where account_id = $2 and mode = $3 and user_id is null) < $17
     on conflict do nothing returning ${TARGET}`,
    [id, accountId, mode, userId, channel, name, email, slackUrl, ...settingsOf(target), max],
  );
}

/** Forgets failures, so that a corrected target is tried at once. */
export function changeAlertTarget(
  sql: Sql,
  id: AlertTargetId,
  { name, slackUrl, ...settings }: AlertSettings & { name: string; slackUrl?: string },
): Promise<AlertTarget> {
  return readOne(
    sql,
    `update alert_targets
        set topics = $2, urgent_only = $3, time_zone = $4, quiet_from = $5, quiet_until = $6, summary_hour = $7,
            summary_if_empty = $8, report_merchants = $9, name = $10, slack_url = coalesce($11, slack_url),
            failures = 0, paused_until = '-infinity', report_failures = 0, report_retry_at = null,
            summarized_on = case when summary_hour is null then ${SUMMARIZED_ON('$4')} else summarized_on end,
            reported_month = case when report_merchants = '{}' then ${REPORTED_MONTH('$4')} else reported_month end
      where id = $1 returning ${TARGET}`,
    [id, ...settingsOf(settings), name, slackUrl ?? null],
  );
}

/** A target of the account. */
export function findAlertTarget(sql: Sql, scope: Scope, id: AlertTargetId): Promise<AlertTarget | null> {
  return readFirst(
    sql,
    `select ${TARGET} from alert_targets where id = $1 and account_id = $2 and mode = $3 and user_id is null`,
    [id, scope.accountId, scope.mode],
  );
}

/** The language that the target's user has chosen. English for the account's targets, and for users without a choice. */
export async function languageOfTarget(sql: Sql, id: AlertTargetId): Promise<LanguageTag> {
  const user = await readFirst<{ language: string | null }>(
    sql,
    'select u.language from alert_targets t join users u on u.id = t.user_id where t.id = $1',
    [id],
  );
  return languageTag(user?.language ?? '') ?? 'en';
}

/** Until the transaction ends. */
export async function lockAlertTarget(sql: Sql, id: AlertTargetId): Promise<void> {
  await sql.query('select from alert_targets where id = $1 for no key update', [id]);
}

/** The user's own target. */
export function findOwnAlertTarget(sql: Sql, scope: Scope, userId: UserId): Promise<AlertTarget | null> {
  return readFirst(sql, `select ${TARGET} from alert_targets where user_id = $1 and account_id = $2 and mode = $3`, [
    userId,
    scope.accountId,
    scope.mode,
  ]);
}

/** The account's targets, newest first. @returns null if `startingAfter` is none of them */
export function listAlertTargets(sql: Sql, scope: Scope, page: PageRequest): Promise<Page<AlertTarget> | null> {
  return readPage(page, {
    placeOf: (id) => idInScope(sql, 'alert_targets', scope, id),
    rowsBehind: (id, limit) =>
      sql.query<AlertTarget>(
        `select ${TARGET} from alert_targets
          where account_id = $1 and mode = $2 and user_id is null and ${isBehind('alert_targets', '$3')}
          order by created_at desc, id desc limit $4`,
        [scope.accountId, scope.mode, id, limit],
      ),
  });
}

/** @param day that the summary was of: `2026-11-20` */
export async function noteSummary(sql: Sql, id: AlertTargetId, day: string): Promise<void> {
  await sql.query('update alert_targets set summarized_on = $2 where id = $1', [id, day]);
}

/** @param month that the report was of: `2026-10` */
export async function noteReport(sql: Sql, id: AlertTargetId, month: string): Promise<void> {
  await sql.query(
    'update alert_targets set reported_month = $2, report_failures = 0, report_retry_at = null where id = $1',
    [id, month],
  );
}

/** The report could not be counted, and is counted again after this time. */
export async function retryReport(sql: Sql, id: AlertTargetId, delayMs: number): Promise<void> {
  await sql.query(
    `update alert_targets set report_failures = report_failures + 1, report_retry_at = now() + $2 * interval '1 millisecond'
      where id = $1`,
    [id, delayMs],
  );
}

/** Deletes its messages, too. */
export async function deleteAlertTarget(sql: Sql, id: AlertTargetId): Promise<void> {
  await sql.query('delete from alert_targets where id = $1', [id]);
}

/** Of a user who is removed, in both modes. */
export async function deleteOwnAlertTargets(sql: Sql, userId: UserId): Promise<void> {
  await sql.query('delete from alert_targets where user_id = $1', [userId]);
}
