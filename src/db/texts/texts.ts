/** Texts to callers, their delivery reports, and the numbers that have opted out. */
import type { Scope } from '../../domain/account.ts';
import type { PaymentMethod } from '../../domain/bank-account.ts';
import type { Wallet } from '../../domain/charge.ts';
import { type AccountId, type ChargeId, type CheckoutSessionId, type MerchantId, newId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { Mode } from '../../domain/session.ts';
import type { TextReach, TextRecipient } from '../../domain/texts.ts';
import { CHARGE_OF_ORDER } from '../charges/charge-facts.ts';
import { WAS_PENDING, WAS_REPORTED_FAILED } from '../charges/told-outcomes.ts';
import { arrayOfAnyLength } from '../columns.ts';
import { CODE_SECONDS } from '../pay-links/page-codes.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
import { callerLanguage } from '../sessions/languages.ts';
import { TEXT_REACH, TEXTS_TO } from '../sessions/sessions.ts';
import { textReach } from './text-limits.ts';

export interface NewText {
  accountId: AccountId;
  mode: Mode;
  sessionId: CheckoutSessionId;
  /** With a charge ID, a second text of this kind is not inserted. */
  chargeId: ChargeId | null;
  kind: string;
  /** E.164. */
  recipient: string;
  body: string;
  segments: number;
}

/** Queues texts. Call it in the transaction of their cause. @returns the IDs of new texts */
export async function insertTexts(sql: Sql, texts: readonly NewText[]): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>({
    name: 'insert_texts',
    text: `insert into texts (id, account_id, mode, session_id, charge_id, kind, recipient, body, segments)
     select id, "accountId", mode, "sessionId", "chargeId", kind, recipient, body, segments
       from jsonb_to_recordset($1) as t (id text, "accountId" text, mode mode, "sessionId" text, "chargeId" text,
                                         kind text, recipient text, body text, segments integer)
     on conflict do nothing returning id`,
    values: [JSON.stringify(texts.map((text) => ({ id: newId('Text'), ...text })))],
  });
  return rows.map(({ id }) => id);
}

/** The data of a text about a charge. */
export interface ChargeForText {
  chargeId: ChargeId;
  accountId: AccountId;
  mode: Mode;
  sessionId: CheckoutSessionId;
  recipient: string;
  orderId: string | null;
  amountCents: number;
  tipCents: number;
  remainingCents: number;
  currency: Currency;
  brand: string | null;
  lastFour: string | null;
  wallet: Wallet | null;
  isHold: boolean;
  paymentMethod: PaymentMethod;
  /** Of a bank debit. */
  payerName: string | null;
  debitPhone: string | null;
  createdAt: Date;
  settledAt: Date;
  wasLate: boolean;
  /** A late charge that was reported as failed. */
  wasReportedFailed: boolean;
  /** The caller was told that the outcome is unknown. */
  wasPending: boolean;
  businessName: string;
  language: string;
  timeZone: string;
  /** The numbers that the account can text. */
  textReach: TextReach;
}

/** The charges whose payer has a number. */
export async function chargesForTexts(sql: Sql, ids: readonly ChargeId[]): Promise<ChargeForText[]> {
  const { rows } = await sql.query<ChargeForText>({
    name: 'charges_for_texts',
    text: `select c.id as "chargeId", c.account_id as "accountId", c.mode, c.session_id as "sessionId",
            ${TEXTS_TO} as recipient, checkout_sessions.order_id as "orderId", c.amount_cents as "amountCents", c.tip_cents as "tipCents", c.remaining_cents as "remainingCents", c.currency,
            c.brand, c.last_four as "lastFour", c.wallet, c.capture = 'manual' as "isHold", c.payment_method as "paymentMethod",
            checkout_sessions.payer_name as "payerName", m.bank_debit_phone as "debitPhone", c.created_at as "createdAt",
            coalesce(c.settled_at, now()) as "settledAt", c.was_late as "wasLate",
            ${WAS_REPORTED_FAILED} as "wasReportedFailed", ${WAS_PENDING} as "wasPending",
            m.business_name as "businessName", ${callerLanguage('m')} as language, m.time_zone as "timeZone",
            ${TEXT_REACH} as "textReach"
       from charges c
       join checkout_sessions on checkout_sessions.id = c.session_id
       join merchants m on m.id = c.merchant_id
      where c.id = any(${arrayOfAnyLength('$1::text[]')}) and ${TEXTS_TO} is not null`,
    values: [ids],
  });
  return rows;
}

/**
 * Why a text about a payment is no longer sent: its session takes no payment, another session has paid or is paying for
 * the order, its code is too old, or a newer text of its kind was requested while the carrier was down. The same
 * applies to a charge's failure text once the charge was found paid, and to a receipt once its payment has failed.
 */
type TooLate = 'session_closed' | 'order_paid' | 'code_expired' | 'replaced';

/** SQL: a text's {@link TooLate}. */
const TOO_LATE = `case
  when t.kind = 'not_charged' and exists (select from charges c where c.id = t.charge_id and c.was_late) then 'replaced'
  when t.kind in ('receipt', 'late_receipt')
       and exists (select from charges c where c.id = t.charge_id and c.status = 'failed') then 'replaced'
  when t.kind not in ('pay_link', 'page_code') then null
  when not exists (select from checkout_sessions s
                    where s.id = t.session_id and s.status = 'open' and s.expires_at > now()) then 'session_closed'
  when (select ${CHARGE_OF_ORDER} from checkout_sessions where id = t.session_id) is not null then 'order_paid'
  when t.kind = 'page_code' and t.created_at <= now() - interval '${CODE_SECONDS} seconds' then 'code_expired'
  when exists (select from texts newer
                where newer.session_id = t.session_id and newer.kind = t.kind and newer.created_at > t.created_at
                  and newer.status in ('waiting', 'sending', 'sent')) then 'replaced' end`;

/** A text to send, or to look up at the carrier. */
export interface DueText {
  id: string;
  mode: Mode;
  kind: string;
  recipient: string;
  /** Empty where {@link sealedBody} holds the words. */
  body: string;
  sealedBody: string | null;
  /** Why it must not be sent any more; null if it can be. */
  tooLate: TooLate | null;
  /** The carrier was asked before, with an unknown result. */
  inDoubt: boolean;
  optedOut: boolean;
  /** Number of attempts, including this one. */
  attempts: number;
  firstSentAt: Date;
  ageMs: number;
}

/** SQL: texts to send, or to look up. */
export const TEXTS_DUE = `select id from texts where status in ('waiting', 'sending') and next_attempt_at <= now()`;

/** Due texts: those about a payment first, then those that have been due longest. */
export async function dueTexts(sql: Sql, limit: number): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `${TEXTS_DUE}
      order by kind in ('pay_link', 'page_code'), next_attempt_at limit $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Marks a text as sending before the carrier is asked. From then on only a lookup can tell that it was not sent.
 * @param holdMs time after which another process can look it up
 * @returns null if it is not due, or is already being sent
 */
export function claimText(sql: Sql, id: string, holdMs: number): Promise<DueText | null> {
  return readFirst(sql, {
    name: 'claim_text',
    text: `update texts t
              set status = 'sending', attempts = t.attempts + 1, first_sent_at = coalesce(t.first_sent_at, now()),
                  next_attempt_at = now() + $2 * interval '1 millisecond'
             from (select id, status from texts
                    where id = $1 and status in ('waiting', 'sending') and next_attempt_at <= now() for no key update) was
            where t.id = was.id
           returning t.id, t.mode, t.kind, t.recipient, t.body, t.sealed_body as "sealedBody",
                     ${TOO_LATE} as "tooLate",
                     was.status = 'sending' as "inDoubt",
                     exists (select 1 from text_opt_outs o where o.phone = t.recipient) as "optedOut", t.attempts,
                     t.first_sent_at as "firstSentAt",
                     extract(epoch from now() - t.created_at)::double precision * 1000 as "ageMs"`,
    values: [id, holdMs],
  });
}

export interface TextOutcome {
  /** `waiting`: certainly not accepted; `sending`: in doubt. */
  status: 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown' | 'opted_out';
  carrier: string;
  carrierMessageId: string | null;
  errorCode: string | null;
  /** Only for these two statuses. */
  nextInMs: number;
}

/** Only if no later claim exists: a late answer must not undo a newer result. */
export async function writeTextOutcome(sql: Sql, { id, attempts }: DueText, outcome: TextOutcome): Promise<void> {
  await sql.query({
    name: 'write_text_outcome',
    text: `update texts set status = $3, carrier = $4, carrier_message_id = $5, error_code = $6,
            next_attempt_at = now() + $7 * interval '1 millisecond',
            settled_at = case when $3 in ('waiting', 'sending') then null else now() end
      where id = $1 and attempts = $2 and status = 'sending'`,
    values: [
      id,
      attempts,
      outcome.status,
      outcome.carrier,
      outcome.carrierMessageId,
      outcome.errorCode,
      outcome.nextInMs,
    ],
  });
}

/** Whether a caller of the merchant can be texted, before there is a session. */
export function findTextFacts(
  sql: Sql,
  { accountId, mode }: Scope,
  { merchantId, phone }: { merchantId: MerchantId; phone: string },
): Promise<Pick<TextRecipient, 'hasOptedOut' | 'textReach'>> {
  return readOne(
    sql,
    `select exists (select from text_opt_outs o where o.phone = $4) as "hasOptedOut",
            ${textReach({ accountId: '$1::text', mode: '$2::mode', merchantId: '$3::text' })} as "textReach"`,
    [accountId, mode, merchantId, phone],
  );
}

/** Opts a number out of texts from all accounts. @param phone E.164 @param keyword the caller's reply */
export async function optOut(sql: Sql, phone: string, keyword: string): Promise<void> {
  await sql.query('insert into text_opt_outs (phone, keyword) values ($1, $2) on conflict do nothing', [
    phone,
    keyword,
  ]);
}

/** Texts go to this number again. @param phone E.164 */
export async function optIn(sql: Sql, phone: string): Promise<void> {
  await sql.query('delete from text_opt_outs where phone = $1', [phone]);
}

/** A text as the demo page shows it. */
export interface ShownText {
  id: string;
  recipient: string;
  /** Empty where {@link sealedBody} holds the words. */
  body: string;
  sealedBody: string | null;
  status: string;
  segments: number;
  createdAt: Date;
}

/** The newest texts of an account's test mode. */
export async function newestTestTexts(sql: Sql, accountId: AccountId, limit: number): Promise<ShownText[]> {
  const { rows } = await sql.query<ShownText>(
    `select id, recipient, body, sealed_body as "sealedBody", status, segments, created_at as "createdAt" from texts
      where account_id = $1 and mode = 'test' order by created_at desc, id limit $2`,
    [accountId, limit],
  );
  return rows;
}

/** A carrier's report about a text. */
export interface DeliveryReport {
  carrier: 'twilio' | 'telnyx';
  /** Our ID, if the carrier reports it; otherwise the carrier's ID identifies the text. */
  textId: string | null;
  carrierMessageId: string;
  /** `unconfirmed`: the network gives no confirmation. */
  delivery: 'delivered' | 'undelivered' | 'unconfirmed';
  /** The carrier's error code if it was not delivered. */
  code: string | null;
}

/**
 * Writes a report to the row of its text. Our own ID counts only if the carrier's ID does not contradict it, because Telnyx signs bodies, not URLs. A text in
 * doubt becomes `sent`, because the carrier has it. A delivered text stays delivered.
 * @returns the text's ID; null if it is not ours, or nothing changed
 */
export async function recordDelivery(sql: Sql, report: DeliveryReport): Promise<string | null> {
  const { rows } = await sql.query<{ id: string }>(
    `update texts
        set delivery = $4, delivery_code = $5, delivery_at = now(), carrier = $1,
            carrier_message_id = coalesce(carrier_message_id, $2),
            status = case when status in ('sending', 'unknown') then 'sent' else status end,
            settled_at = coalesce(settled_at, now())
      where case when $3::text is null then carrier_message_id = $2 and carrier = $1
                 else id = $3 and coalesce(carrier_message_id, $2) = $2 end
        and (delivery is null or delivery <> 'delivered' and delivery <> $4)
      returning id`,
    [report.carrier, report.carrierMessageId, report.textId, report.delivery, report.code],
  );
  return rows[0]?.id ?? null;
}
