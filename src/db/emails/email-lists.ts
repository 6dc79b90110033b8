/** Reads lists of emails to callers. */
import type { Scope } from '../../domain/account.ts';
import type { EmailStatus, ListedEmail } from '../../domain/emails.ts';
import type { ChargeId, CheckoutSessionId } from '../../domain/ids.ts';
import { inScope, type ListedTable, readListedPage, type TimeRange } from '../conditions.ts';
import type { Page, PageRequest } from '../pages.ts';
import type { Sql } from '../pool.ts';

/** Null matches everything. */
interface EmailFilter extends TimeRange {
  sessionId: CheckoutSessionId | null;
  chargeId: ChargeId | null;
  status: EmailStatus | null;
  /** Only those that should have been sent, and were not. */
  undelivered: boolean;
}

/** SQL: receipts that were no longer wanted did not fail. */
export const IS_UNDELIVERED = `(emails.status = 'failed' and emails.error_code not in ('caller_erased', 'replaced'))`;

const EMAILS: ListedTable = { name: 'emails', time: 'created_at', byMerchant: 'newest' };

const SELECT = `
  select emails.id, emails.session_id as "sessionId", emails.charge_id as "chargeId", emails.kind,
         (select s.caller_email from checkout_sessions s where s.id = emails.session_id) as recipient, emails.status,
         emails.attempts, emails.error_code as "errorCode", emails.created_at as "createdAt",
         emails.settled_at as "settledAt"
    from emails`;

/** Newest first. @returns null if `startingAfter` is no email of the scope */
export function listEmails(
  sql: Sql,
  scope: Scope,
  filter: EmailFilter,
  page: PageRequest,
): Promise<Page<ListedEmail> | null> {
  const conditions = inScope(EMAILS, scope, filter)
    .add('emails.session_id = $?', filter.sessionId)
    .add('emails.charge_id = $?', filter.chargeId)
    .add('emails.status = $?', filter.status);
  if (filter.undelivered) conditions.require(IS_UNDELIVERED);
  return readListedPage(sql, EMAILS, scope, { select: SELECT, conditions, page });
}
