/** The table `processor_notifications`: an inbox of what processors notify, and what is left to do about it. */
import type { DisputeFacts } from '../../domain/dispute.ts';
import type { AccountId, ChargeId, MerchantId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { readFirst, type Sql } from '../pool.ts';

/** What a notification is about: hints that select what to look up. */
export interface NotifiedSubject {
  /** The processor's ID. */
  paymentId: string | null;
  /** Our charge, as the notification names it. */
  chargeId: ChargeId | null;
  /** The processor's ID. */
  disputeId: string | null;
  /** The processor's ID of a payout. Then the others are null. */
  payoutId?: string | null;
}

/** What a notification itself says of its dispute. */
export interface NotifiedDispute extends DisputeFacts {
  /** The processor's ID. */
  paymentId: string;
  /** Our charge, as the notification names it. */
  chargeId?: ChargeId | null;
  /** Grows with each state of the dispute. */
  version: number | null;
}

/** A merchant's connection that can receive notifications. */
export interface NotifiedConnection {
  merchantId: MerchantId;
  processor: string;
  accountId: AccountId;
  mode: Mode;
  /** Encrypted: the current secret, and the previous one while it is still accepted. */
  secrets: string[];
}

/** @returns null if the merchant was never connected to the processor, or has no secret for it */
export function findNotifiedConnection(
  sql: Sql,
  merchantId: MerchantId,
  processor: string,
): Promise<NotifiedConnection | null> {
  return readFirst(sql, {
    name: 'find_notified_connection',
    text: `select merchant_id as "merchantId", processor, account_id as "accountId", mode,
                  array_remove(array[notification_secret,
                    case when previous_secret_until > now() then previous_notification_secret end], null) as secrets
             from merchant_processors
            where merchant_id = $1 and processor = $2 and notification_secret is not null`,
    values: [merchantId, processor],
  });
}

/**
 * Sets the secret of a merchant's connection. The former one is accepted for `keepHours` more.
 * @param sealed encrypted; null to accept no more notifications, at once
 */
export async function setNotificationSecret(
  sql: Sql,
  merchantId: MerchantId,
  processor: string,
  sealed: string | null,
  keepHours: number,
): Promise<void> {
  await sql.query(
    // The merchants of the test data are at the sandbox without a row.
    `insert into merchant_processors as before (merchant_id, account_id, mode, processor, notification_secret)
     select id, account_id, mode, $2, $3 from merchants where id = $1
     on conflict (merchant_id, processor) do update
        set previous_notification_secret = case when $3::text is not null then before.notification_secret end,
            previous_secret_until = case when $3::text is not null and before.notification_secret is not null
                                         then now() + $4::integer * interval '1 hour' end,
            notification_secret = $3`,
    [merchantId, processor, sealed, keepHours],
  );
}

/** What is set of a connection's secrets, without the secrets. */
export interface SecretState {
  hasSecret: boolean;
  /** Until when the former secret is accepted. Null if there is none. */
  previousSecretUntil: Date | null;
}

export async function readSecretState(sql: Sql, merchantId: MerchantId, processor: string): Promise<SecretState> {
  const found = await readFirst<SecretState>(
    sql,
    `select notification_secret is not null as "hasSecret",
            case when previous_secret_until > now() then previous_secret_until end as "previousSecretUntil"
       from merchant_processors where merchant_id = $1 and processor = $2`,
    [merchantId, processor],
  );
  return found ?? { hasSecret: false, previousSecretUntil: null };
}

interface NewNotification {
  id: string;
  type: string;
  /** Null: nothing to do, it is only recorded. */
  subject: NotifiedSubject | null;
  dispute?: NotifiedDispute | null;
}

/** @returns false if the notification was received before */
export async function insertNotification(
  sql: Sql,
  { merchantId, processor, accountId, mode }: NotifiedConnection,
  { id, type, subject, dispute = null }: NewNotification,
): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: 'insert_processor_notification',
    text: `insert into processor_notifications (merchant_id, processor, account_id, mode, event_id, type, payment_id,
                                                charge_id, dispute_id, due_at, dispute, payout_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $10 then now() end, $11, $12)
           on conflict do nothing`,
    values: [
      merchantId,
      processor,
      accountId,
      mode,
      id,
      type,
      subject?.paymentId ?? null,
      subject?.chargeId ?? null,
      subject?.disputeId ?? null,
      subject !== null,
      dispute === null ? null : JSON.stringify(dispute),
      subject?.payoutId ?? null,
    ],
  });
  return rowCount === 1;
}

/** A notification to handle. */
export interface DueNotification extends NotifiedSubject, Omit<NotifiedConnection, 'secrets'> {
  id: string;
  type: string;
  payoutId: string | null;
  /** Null: the processor is asked. */
  dispute: NotifiedDispute | null;
  /** This one included. */
  attempt: number;
  receivedAt: Date;
}

/** SQL: when the next notification is due. */
export const NOTIFICATIONS_DUE = 'select min(due_at) from processor_notifications where due_at is not null';

/**
 * Claims due notifications, each for one attempt.
 * @param delaysMs `delaysMs[n]`: the pause after attempt n + 1. After the last one, a notification is given up.
 */
export async function claimNotifications(
  sql: Sql,
  limit: number,
  delaysMs: readonly number[],
): Promise<DueNotification[]> {
  const { rows } = await sql.query<DueNotification & { dispute: StoredDispute | null }>(
    `update processor_notifications
        set attempts = attempts + 1, due_at = now() + ($2::integer[])[attempts + 1] * interval '1 millisecond'
      where id in (select id from processor_notifications where due_at <= now()
                    order by due_at limit $1 for no key update skip locked)
     returning id, merchant_id as "merchantId", processor, account_id as "accountId", mode, type,
               payment_id as "paymentId", charge_id as "chargeId", dispute_id as "disputeId",
               payout_id as "payoutId", dispute,
               attempts as attempt, received_at as "receivedAt"`,
    [limit, [...delaysMs]],
  );
  return rows.map((row) => Object.assign(row, { dispute: row.dispute && disputeOf(row.dispute) }));
}

/** As JSON has it. */
type StoredDispute = Omit<NotifiedDispute, 'evidenceDueAt'> & { evidenceDueAt: string | null };

const disputeOf = ({ evidenceDueAt: due, ...dispute }: StoredDispute): NotifiedDispute =>
  Object.assign(dispute, { evidenceDueAt: due === null ? null : new Date(due) });

/** Nothing is left to do. */
export async function endNotification(sql: Sql, id: string): Promise<void> {
  await sql.query('update processor_notifications set due_at = null where id = $1', [id]);
}
