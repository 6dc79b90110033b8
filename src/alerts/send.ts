/**
 * Sends due alerts. One whose outcome is lost is sent again: a mailbox shows two emails with one message ID once, and two
 * equal messages in Slack do no harm.
 */
import pLimit from 'p-limit';
import type { BaseLogger } from 'pino';
import { type AlertOutcome, claimAlerts, type DueAlert, writeAlertOutcome } from '../db/alerts/alert-messages.ts';
import type { Sql } from '../db/pool.ts';
import type { AlertNews, AlertReport, AlertSummary } from '../domain/alerts.ts';
import { TimeLimit, withinLimit } from '../lib/concurrency/time-limit.ts';
import { post } from '../lib/http-client/post.ts';
import { ForbiddenAddress, isPublicOnly } from '../lib/http-client/public-addresses.ts';
import { openOrNull, type Vault } from '../lib/vault/vault.ts';
import type { MailAnswer, Mailer } from '../notifications/email/ports.ts';
import { slackUrlContext } from './manage.ts';
import { type AlertMessage, newsMessage, testMessage } from './message.ts';
import { emailOf, slackBody } from './render.ts';
import { reportMessage } from './report.ts';
import { summaryMessage } from './summary.ts';

export interface SendAlertsDeps {
  sql: Sql;
  vault: Vault | null;
  /** The readers are users of the dashboard, so `live` sends in both modes. `test` is for test mode without a mail server. */
  mailers: { live: Mailer | null; test: Mailer };
  /** Channels of test mode can have private addresses. */
  privateTargets: boolean;
  /** Ends in `/dashboard`. Null: messages have no links. */
  dashboardUrl: string | null;
  log: Pick<BaseLogger, 'warn' | 'error'>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const BATCH = 20;
const CONCURRENCY = 4;
/** Longer than a server takes, with the others of a batch before it. */
const HOLD_MS = 10 * MINUTE;
const RETRY_DELAYS_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
const LATE_RETRY_MS = 60 * MINUTE;
const GIVEN_UP_AFTER_MS = 24 * 60 * MINUTE;
const ANSWER_LIMIT_MS = 15 * SECOND;
const ANSWER_BYTES = 1_024;

/** @returns whether more may be due */
export async function sendDueAlerts(deps: SendAlertsDeps, stop: AbortSignal): Promise<{ more: boolean }> {
  const due = await claimAlerts(deps.sql, BATCH, HOLD_MS);
  const limited = pLimit(CONCURRENCY);
  await Promise.all(due.map((alert) => limited(() => sendAlert(deps, alert, stop))));
  return { more: due.length === BATCH };
}

async function sendAlert(deps: SendAlertsDeps, alert: DueAlert, stop: AbortSignal): Promise<void> {
  const outcome = outcomeOf(alert, await send(deps, alert, stop));
  await writeAlertOutcome(deps.sql, alert, outcome);
  if (outcome.status === 'sent') return;
  const fields = { alertMessageId: alert.id, alertTargetId: alert.targetId, errorCode: outcome.errorCode };
  if (outcome.status === 'waiting') deps.log.warn(fields, 'alert not accepted, will retry');
  else deps.log.error(fields, 'alert given up');
}

function send(deps: SendAlertsDeps, alert: DueAlert, stop: AbortSignal): Promise<MailAnswer> {
  const message = messageOf(alert, deps.dashboardUrl);
  return alert.channel === 'slack' ? sendToSlack(deps, alert, message, stop) : sendEmail(deps, alert, message);
}

function messageOf(alert: DueAlert, dashboardUrl: string | null): AlertMessage {
  const context = { ...alert, dashboardUrl };
  switch (alert.kind) {
    case 'test':
      return testMessage(context);
    case 'summary':
      return summaryMessage(context, alert.content as AlertSummary);
    case 'report':
      return reportMessage(context, alert.content as AlertReport);
    case 'alert':
      return newsMessage(context, alert.content as AlertNews);
  }
}

async function sendEmail({ mailers }: SendAlertsDeps, alert: DueAlert, message: AlertMessage): Promise<MailAnswer> {
  const mailer = mailers.live ?? (alert.mode === 'test' ? mailers.test : null);
  if (mailer === null || alert.email === null) return { status: 'refused', code: 'not_configured' };
  return mailer.send({ id: alert.id, to: alert.email, fromName: 'Ringkey', replyTo: null, ...emailOf(message) });
}

async function sendToSlack(
  { vault, privateTargets }: SendAlertsDeps,
  { targetId, slackUrl, mode }: DueAlert,
  message: AlertMessage,
  stop: AbortSignal,
): Promise<MailAnswer> {
  const url = openOrNull(vault, slackUrl, slackUrlContext(targetId));
  if (url === null) return { status: 'unavailable', code: 'cannot_decrypt' };
  const request = {
    url,
    body: slackBody(message),
    headers: {},
    publicOnly: isPublicOnly(mode, privateTargets),
    answerLimitBytes: ANSWER_BYTES,
    cut: true,
  };
  try {
    const { status } = await withinLimit(ANSWER_LIMIT_MS, (signal) => post({ ...request, signal }), stop);
    return answerOf(status);
  } catch (error) {
    return { status: 'unavailable', code: codeOf(error) };
  }
}

/** Slack answers 4xx if the channel or the app is gone, and 429 if there are too many messages. */
function answerOf(status: number): MailAnswer {
  if (status >= 200 && status < 300) return { status: 'sent' };
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return { status: isFinal ? 'refused' : 'unavailable', code: String(status) };
}

function codeOf(error: unknown): string {
  if (error instanceof ForbiddenAddress) return 'forbidden_address';
  return error instanceof TimeLimit ? 'timeout' : 'connection';
}

function outcomeOf({ attempts, ageMs, kind }: DueAlert, answer: MailAnswer): AlertOutcome {
  if (answer.status === 'sent') return { status: 'sent' };
  // The reader of a test's result waits.
  const isOver = answer.status === 'refused' || kind === 'test' || ageMs > GIVEN_UP_AFTER_MS;
  if (isOver) return { status: 'failed', errorCode: answer.code };
  return { status: 'waiting', errorCode: answer.code, nextInMs: RETRY_DELAYS_MS[attempts - 1] ?? LATE_RETRY_MS };
}
