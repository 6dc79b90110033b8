/** Messages to alert targets: written, claimed and settled. */
import {
  ALERT_MESSAGE_KINDS,
  type AlertChannel,
  type AlertMessageId,
  type AlertMessageKind,
  type AlertTargetId,
} from '../../domain/alerts.ts';
import { newId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { type LanguageTag, languageTag } from '../../languages/index.ts';
import { readOne, type Sql } from '../pool.ts';

/** Who reads a message, and in which language. */
export interface AlertReader {
  id: AlertTargetId;
  /** The user's choice. English for the account's targets. */
  language: LanguageTag;
}

/**
 * The language is kept with the message, because its items are written in it.
 * @param content what it says, by its kind
 */
export async function insertAlertMessage(
  sql: Sql,
  { id: targetId, language }: AlertReader,
  kind: AlertMessageKind,
  content: object,
): Promise<void> {
  await sql.query('insert into alert_messages (id, target_id, kind, content) values ($1, $2, $3, $4)', [
    newId('AlertMessage'),
    targetId,
    kind,
    JSON.stringify({ ...content, language }),
  ]);
}

/** @returns how many test messages the target got in the last hour */
export async function countTestMessages(sql: Sql, targetId: AlertTargetId): Promise<number> {
  const { count } = await readOne<{ count: number }>(
    sql,
    `select count(*)::integer as count from alert_messages
      where target_id = $1 and kind = 'test' and created_at > now() - interval '1 hour'`,
    [targetId],
  );
  return count;
}

export interface DueAlert {
  id: AlertMessageId;
  targetId: AlertTargetId;
  kind: AlertMessageKind;
  content: unknown;
  /** Number of attempts, including this one. */
  attempts: number;
  ageMs: number;
  mode: Mode;
  channel: AlertChannel;
  /** The target is of a user, not of the account. */
  isOwn: boolean;
  /** Null for Slack. */
  email: string | null;
  /** Sealed; empty for email. */
  slackUrl: string;
  accountName: string;
  timeZone: string;
  language: LanguageTag;
}

/** SQL: in a rolling upgrade, a newer version also writes kinds that only its processes can send and list. */
export const IS_KNOWN_MESSAGE = `kind in (${ALERT_MESSAGE_KINDS.map((kind) => `'${kind}'`).join(', ')})`;

/** SQL: messages to send. */
const IS_WAITING = `status = 'waiting' and ${IS_KNOWN_MESSAGE}`;

/** SQL: when messages are due. */
export const ALERTS_DUE = `select next_attempt_at from alert_messages where ${IS_WAITING}`;

/**
 * Claims due messages for one attempt each. If the claiming process dies, another one tries again after `holdMs`, with the
 * same ID, so that a mailbox shows one message.
 */
export async function claimAlerts(sql: Sql, limit: number, holdMs: number): Promise<DueAlert[]> {
  const { rows } = await sql.query<Omit<DueAlert, 'language'> & { language: string | null }>(
    `update alert_messages m
        set attempts = m.attempts + 1, next_attempt_at = now() + $2 * interval '1 millisecond'
       from (select id from alert_messages where ${IS_WAITING} and next_attempt_at <= now()
              order by next_attempt_at limit $1 for no key update skip locked) due,
            alert_targets t left join users u on u.id = t.user_id, accounts a
      where m.id = due.id and t.id = m.target_id and a.id = t.account_id
     returning m.id, m.target_id as "targetId", m.kind, m.content, m.attempts,
               extract(epoch from now() - m.created_at)::double precision * 1000 as "ageMs", t.mode, t.channel,
               t.user_id is not null as "isOwn", coalesce(t.email, u.email) as email, t.slack_url as "slackUrl",
               a.name as "accountName", t.time_zone as "timeZone", m.content->>'language' as language`,
    [limit, holdMs],
  );
  return rows.map((row) => ({ ...row, language: languageTag(row.language ?? '') ?? 'en' }));
}

export type AlertOutcome =
  | { status: 'sent' }
  | { status: 'failed'; errorCode: string }
  | { status: 'waiting'; errorCode: string; nextInMs: number };

/** After this many failures in a row, a target that fails for good is left alone for an hour. */
export const FAILURES_TO_PAUSE = 3;

/** Only if no later claim exists. Counts the target's failures. */
export async function writeAlertOutcome(
  sql: Sql,
  { id, attempts }: Pick<DueAlert, 'id' | 'attempts'>,
  outcome: AlertOutcome,
): Promise<void> {
  await sql.query(
    `with settled as (
       update alert_messages
          set status = $3, error_code = $4, next_attempt_at = now() + $5 * interval '1 millisecond',
              settled_at = case when $3 = 'waiting' then null else now() end
        where id = $1 and attempts = $2 and status = 'waiting' returning target_id
     )
     update alert_targets t
        set failures = case when $3 = 'sent' then 0 else t.failures + 1 end,
            paused_until = case when $3 = 'failed' and t.failures + 1 >= ${FAILURES_TO_PAUSE} then now() + interval '1 hour'
                                else '-infinity' end
       from settled where t.id = settled.target_id`,
    [
      id,
      attempts,
      outcome.status,
      outcome.status === 'sent' ? null : outcome.errorCode,
      outcome.status === 'waiting' ? outcome.nextInMs : 0,
    ],
  );
}

/** Messages are kept for this long. */
const KEPT = "interval '30 days'";

export async function deleteOldAlerts(sql: Sql): Promise<void> {
  await sql.query(`delete from alert_messages where created_at < now() - ${KEPT}`);
}
