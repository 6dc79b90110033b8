/** Adds, changes and removes alert targets, for the API and the dashboard. All changes are in the audit trail. */
import { ApiError } from '../contract/errors.ts';
import { countTestMessages, insertAlertMessage } from '../db/alerts/alert-messages.ts';
import {
  changeAlertTarget,
  deleteAlertTarget,
  findOwnAlertTarget,
  insertAlertTarget,
  languageOfTarget,
  lockAlertTarget,
} from '../db/alerts/alert-targets.ts';
import { countNewTargets, insertAuditEvent } from '../db/audit/audit-events.ts';
import { listMerchantNames } from '../db/merchants/merchant-records.ts';
import type { Database, Sql } from '../db/pool.ts';
import type { Scope } from '../domain/account.ts';
import { MAX_ALERT_TARGETS } from '../domain/account-limits.ts';
import type { AlertSettings, AlertTarget } from '../domain/alerts.ts';
import { type Actor, type AuditAction, type AuditChanges, changedFields } from '../domain/audit.ts';
import { newId, type UserId } from '../domain/ids.ts';
import { requireVault, type Vault } from '../lib/vault/vault.ts';

/** The encryption context of the URL of a Slack channel. */
export function slackUrlContext(id: string): string {
  return `alert target:${id}`;
}

interface AlertDeps {
  database: Database;
  vault: Vault | null;
}

/** PostgreSQL knows fewer zones than Node.js, and a target with an unknown one could never be told anything. */
async function requireZone(sql: Sql, timeZone: string): Promise<void> {
  const { rowCount } = await sql.query('select from pg_timezone_names where lower(name) = lower($1)', [timeZone]);
  if (rowCount !== 0) return;
  throw new ApiError('invalid_value', { param: 'time_zone', message: '`time_zone` must be an IANA time zone.' });
}

/** @throws ApiError */
async function requireStorable(sql: Sql, scope: Scope, { timeZone, reportMerchants }: AlertSettings): Promise<void> {
  await requireZone(sql, timeZone);
  const found = await listMerchantNames(sql, scope, reportMerchants);
  if (found.length === reportMerchants.length) return;
  const message = '`report_merchants` must be different merchants of this account and mode.';
  throw new ApiError('invalid_value', { param: 'report_merchants', message });
}

/** Of an account, per mode. Otherwise, deleted ones make room for a list of other people's addresses. */
const MAX_NEW_A_DAY = 50;

/** @param to an email address, or the URL of a Slack channel. @throws ApiError */
export function addAlertTarget(
  { database, vault }: AlertDeps,
  by: Actor,
  scope: Scope,
  to: { email: string } | { slackUrl: string },
  settings: AlertSettings & { name: string },
): Promise<AlertTarget> {
  const id = newId('AlertTarget');
  const slackUrl = 'slackUrl' in to ? requireVault(vault).seal(to.slackUrl, slackUrlContext(id)) : '';
  const email = 'email' in to ? to.email : null;
  const channel = email === null ? 'slack' : 'email';
  return database.transaction(async (sql) => {
    await requireStorable(sql, scope, settings);
    const target = await insertAlertTarget(
      sql,
      scope,
      { ...settings, id, userId: null, channel, email, slackUrl },
      MAX_ALERT_TARGETS,
    );
    if (target === null) {
      throw new ApiError('invalid_value', {
        message: `An account can have up to ${MAX_ALERT_TARGETS} alert targets per mode.`,
      });
    }
    if (email !== null && (await countNewTargets(sql, scope)) >= MAX_NEW_A_DAY) {
      const message = `An account can create up to ${MAX_NEW_A_DAY} alert targets per day and mode.`;
      throw new ApiError('invalid_value', { param: 'email', message });
    }
    await audit(sql, by, 'alert_target.created', target, shown(target));
    return target;
  });
}

/** @param slackUrl undefined: unchanged */
export function editAlertTarget(
  { database, vault }: AlertDeps,
  by: Actor,
  before: AlertTarget,
  settings: AlertSettings & { name: string },
  slackUrl?: string,
): Promise<AlertTarget> {
  const sealed =
    slackUrl === undefined ? {} : { slackUrl: requireVault(vault).seal(slackUrl, slackUrlContext(before.id)) };
  return database.transaction(async (sql) => {
    await requireStorable(sql, before, settings);
    const after = await changeAlertTarget(sql, before.id, { ...settings, ...sealed });
    const changes = {
      ...changedFields(shown(before), shown(after)),
      ...(slackUrl !== undefined && { slack_url: 'changed' }),
    };
    await audit(sql, by, 'alert_target.changed', after, changes);
    return after;
  });
}

export function removeAlertTarget(
  { database }: Pick<AlertDeps, 'database'>,
  by: Actor,
  target: AlertTarget,
): Promise<void> {
  return database.transaction((sql) => remove(sql, by, target));
}

/** The reader of an address may not want them. */
const MAX_TESTS_AN_HOUR = 10;

/** A worker sends it within seconds. @throws ApiError */
export function sendTestAlert(database: Database, { id }: Pick<AlertTarget, 'id'>): Promise<void> {
  return database.transaction(async (sql) => {
    // Two requests at once could both see the last free place.
    await lockAlertTarget(sql, id);
    if ((await countTestMessages(sql, id)) >= MAX_TESTS_AN_HOUR) {
      const message = `An alert target gets up to ${MAX_TESTS_AN_HOUR} test messages per hour.`;
      throw new ApiError('invalid_value', { message });
    }
    await insertAlertMessage(sql, { id, language: await languageOfTarget(sql, id) }, 'test', {});
  });
}

/** Sets the user's own alerts, to the address that the user signs in with. Null removes them. */
export function setOwnAlerts(
  deps: AlertDeps,
  by: Actor,
  scope: Scope & { userId: UserId },
  settings: AlertSettings | null,
): Promise<void> {
  const { database } = deps;
  return database.transaction(async (sql) => {
    const before = await findOwnAlertTarget(sql, scope, scope.userId);
    if (settings === null) {
      if (before !== null) await remove(sql, by, before);
      return;
    }
    await requireStorable(sql, scope, settings);
    if (before !== null) {
      const after = await changeAlertTarget(sql, before.id, { ...settings, name: '' });
      return audit(sql, by, 'alert_target.changed', after, changedFields(shown(before), shown(after)));
    }
    const own = {
      id: newId('AlertTarget'),
      userId: scope.userId,
      channel: 'email',
      name: '',
      email: null,
      slackUrl: '',
    } as const;
    const target = await insertAlertTarget(sql, scope, { ...settings, ...own }, MAX_ALERT_TARGETS);
    // Null: the same form was sent twice at once.
    if (target !== null) await audit(sql, by, 'alert_target.created', target, shown(target));
  });
}

async function remove(sql: Sql, by: Actor, target: AlertTarget): Promise<void> {
  await deleteAlertTarget(sql, target.id);
  await audit(sql, by, 'alert_target.deleted', target, shown(target));
}

function audit(
  sql: Sql,
  by: Actor,
  action: AuditAction,
  { id: objectId, accountId, mode }: AlertTarget,
  changes: AuditChanges,
): Promise<void> {
  return insertAuditEvent(sql, by, { accountId, mode, action, objectId, changes });
}

/** Without the URL of a Slack channel. */
function shown(target: AlertTarget): AuditChanges {
  const { channel, name, email, topics, urgentOnly, timeZone, quietFrom, quietUntil, summaryHour, summaryIfEmpty } =
    target;
  const { reportMerchants } = target;
  return {
    channel,
    name,
    email,
    topics,
    urgent_only: urgentOnly,
    time_zone: timeZone,
    quiet_from: quietFrom,
    quiet_until: quietUntil,
    summary_hour: summaryHour,
    summary_if_empty: summaryIfEmpty,
    report_merchants: reportMerchants,
  };
}
