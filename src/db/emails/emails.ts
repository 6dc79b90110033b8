/** Receipts by email: queued with the event that causes them, claimed and sent by a worker. */

import type { PaymentMethod } from '../../domain/bank-account.ts';
import type { PageBranding } from '../../domain/branding.ts';
import type { Wallet } from '../../domain/charge.ts';
import type { EmailKind } from '../../domain/emails.ts';
import { type ChargeId, newId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { LineItem, Mode } from '../../domain/session.ts';
import { WAS_PENDING, WAS_REPORTED_FAILED } from '../charges/told-outcomes.ts';
import type { Sql } from '../pool.ts';
import { callerLanguage } from '../sessions/languages.ts';

/**
 * Queues the emails about these charges. Only for callers with an address, once for each charge and kind. A caller who
 * was never left in doubt gets no email about a decline.
 */
export async function insertEmails(
  sql: Sql,
  outcomes: readonly { chargeId: ChargeId; kind: Exclude<EmailKind, 'late_receipt'> }[],
): Promise<void> {
  const rows = outcomes.map(({ chargeId, kind }) => ({ id: newId('Email'), chargeId, kind }));
  await sql.query({
    name: 'insert_emails',
    text: `insert into emails (id, account_id, mode, session_id, charge_id, kind)
     select new.id, c.account_id, c.mode, c.session_id, c.id,
            case when new.kind = 'receipt' and ${WAS_REPORTED_FAILED} then 'late_receipt' else new.kind end
       from jsonb_to_recordset($1) as new (id text, "chargeId" text, kind text)
       join charges c on c.id = new."chargeId"
       join checkout_sessions s on s.id = c.session_id
      where s.caller_email is not null and (new.kind <> 'not_charged' or ${WAS_PENDING})
     on conflict do nothing`,
    values: [JSON.stringify(rows)],
  });
}

/** An email to send, with what it says. */
export interface DueEmail {
  id: string;
  mode: Mode;
  kind: EmailKind;
  /** Null: the caller was erased. */
  recipient: string | null;
  /** Number of attempts, including this one. */
  attempts: number;
  ageMs: number;
  chargeId: ChargeId;
  orderId: string | null;
  /** The tip included. */
  amountCents: number;
  tipCents: number;
  /** Of the amount due, beside this payment. */
  remainingCents: number;
  currency: Currency;
  /** The amount is held and was not taken since. */
  isHold: boolean;
  paymentMethod: PaymentMethod;
  brand: string | null;
  lastFour: string | null;
  wallet: Wallet | null;
  lineItems: LineItem[];
  at: Date;
  businessName: string;
  language: string;
  timeZone: string;
  /** The merchant's, otherwise the account's. */
  branding: Partial<PageBranding> | null;
  /**
   * The charge was found paid after this email about its failure was queued, its hold has ended without a capture, or the
   * payment of this receipt has failed since.
   */
  isOutdated: boolean;
}

/** SQL: when emails are due. */
export const EMAILS_DUE = `select next_attempt_at from emails where status = 'waiting'`;

/**
 * Claims due emails for one attempt each. If the claiming process dies, another one tries again after `holdMs`, with the
 * same message ID, so that a mailbox shows one message.
 */
export async function claimEmails(sql: Sql, limit: number, holdMs: number): Promise<DueEmail[]> {
  const { rows } = await sql.query<DueEmail>(
    `update emails e
        set attempts = e.attempts + 1, next_attempt_at = now() + $2 * interval '1 millisecond'
       from (select id from emails where status = 'waiting' and next_attempt_at <= now()
              order by next_attempt_at limit $1 for no key update skip locked) due,
            checkout_sessions, charges c, merchants m, accounts a
      where e.id = due.id and checkout_sessions.id = e.session_id and c.id = e.charge_id and m.id = c.merchant_id
        and a.id = e.account_id
     returning e.id, e.mode, e.kind, checkout_sessions.caller_email as recipient, e.attempts,
               extract(epoch from now() - e.created_at)::double precision * 1000 as "ageMs", c.id as "chargeId",
               checkout_sessions.order_id as "orderId", coalesce(c.captured_cents, c.amount_cents) as "amountCents", c.tip_cents as "tipCents", c.remaining_cents as "remainingCents",
               c.currency,
               c.status = 'authorized' as "isHold", c.payment_method as "paymentMethod", c.brand,
               c.last_four as "lastFour", c.wallet,
               checkout_sessions.line_items as "lineItems",
               case when c.was_late then c.created_at else coalesce(c.settled_at, c.created_at) end as at,
               m.business_name as "businessName", ${callerLanguage('m')} as language, m.time_zone as "timeZone",
               coalesce(case e.mode when 'test' then a.page_branding_test else a.page_branding_live end, '{}')
                 || coalesce(jsonb_strip_nulls(m.page_branding), '{}') as branding,
               (e.kind = 'not_charged' and c.was_late) or c.status in ('voided', 'expired')
               or (e.kind in ('receipt', 'late_receipt') and c.status = 'failed') as "isOutdated"`,
    [limit, holdMs],
  );
  return rows;
}

export type EmailOutcome =
  | { status: 'sent' }
  | { status: 'failed'; errorCode: string }
  | { status: 'waiting'; errorCode: string; nextInMs: number };

/** Only if no later claim exists. */
export async function writeEmailOutcome(
  sql: Sql,
  { id, attempts }: Pick<DueEmail, 'id' | 'attempts'>,
  outcome: EmailOutcome,
): Promise<void> {
  await sql.query(
    `update emails
        set status = $3, error_code = $4, next_attempt_at = now() + $5 * interval '1 millisecond',
            settled_at = case when $3 = 'waiting' then null else now() end
      where id = $1 and attempts = $2 and status = 'waiting'`,
    [
      id,
      attempts,
      outcome.status,
      outcome.status === 'sent' ? null : outcome.errorCode,
      outcome.status === 'waiting' ? outcome.nextInMs : 0,
    ],
  );
}
