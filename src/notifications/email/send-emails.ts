/**
 * Sends due emails. An email whose outcome is lost is sent again: two receipts with one message ID do no harm, and a
 * mailbox shows one of them.
 */
import pLimit from 'p-limit';
import type { BaseLogger } from 'pino';
import { claimEmails, type DueEmail, type EmailOutcome, writeEmailOutcome } from '../../db/emails/emails.ts';
import type { Sql } from '../../db/pool.ts';
import type { Mode } from '../../domain/session.ts';
import type { MailAnswer, Mailer } from './ports.ts';
import { receiptEmail } from './receipt-email.ts';

export interface SendEmailsDeps {
  sql: Sql;
  /** `live` is null if no mail server is set. */
  mailers: { live: Mailer | null; test: Mailer };
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const BATCH = 20;
const CONCURRENCY = 4;
/** Longer than a mail server takes, with the others of a batch before it. */
const HOLD_MS = 10 * MINUTE;
const RETRY_DELAYS_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
const LATE_RETRY_MS = 60 * MINUTE;
/** A receipt from the day before yesterday is useless. */
const GIVEN_UP_AFTER_MS = 48 * 60 * MINUTE;

/** @returns whether more emails may be due */
export async function sendDueEmails(deps: SendEmailsDeps): Promise<{ more: boolean }> {
  const due = await claimEmails(deps.sql, BATCH, HOLD_MS);
  const limited = pLimit(CONCURRENCY);
  await Promise.all(due.map((email) => limited(() => sendEmail(deps, email))));
  return { more: due.length === BATCH };
}

async function sendEmail({ sql, mailers, log }: SendEmailsDeps, email: DueEmail): Promise<void> {
  const outcome = outcomeOf(email, await send(mailers[email.mode as Mode], email));
  await writeEmailOutcome(sql, email, outcome);
  if (outcome.status === 'sent') return;
  const fields = { emailId: email.id, kind: email.kind, errorCode: outcome.errorCode };
  if (outcome.status === 'waiting') log.warn(fields, 'email not accepted by the mail server, will retry');
  else log.error(fields, 'email given up');
}

async function send(mailer: Mailer | null, email: DueEmail): Promise<MailAnswer> {
  if (email.recipient === null) return { status: 'refused', code: 'caller_erased' };
  if (email.isOutdated) return { status: 'refused', code: 'replaced' };
  if (mailer === null) return { status: 'refused', code: 'not_configured' };
  const { id, recipient: to, businessName: fromName, branding } = email;
  const replyTo = branding?.supportEmail ?? null;
  return mailer.send({ id, to, fromName, replyTo, ...receiptEmail(email) });
}

function outcomeOf({ attempts, ageMs }: DueEmail, answer: MailAnswer): EmailOutcome {
  if (answer.status === 'sent') return { status: 'sent' };
  const isOver = answer.status === 'refused' || ageMs > GIVEN_UP_AFTER_MS;
  if (isOver) return { status: 'failed', errorCode: answer.code };
  return { status: 'waiting', errorCode: answer.code, nextInMs: RETRY_DELAYS_MS[attempts - 1] ?? LATE_RETRY_MS };
}
