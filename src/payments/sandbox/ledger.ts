/**
 * The sandbox processor's payments, in their own table, so that they survive our crashes. It stores last four digits
 * only.
 */

import type { Sql } from '../../db/pool.ts';
import type { DeclineCode } from '../../domain/charge.ts';
import type { AccountId, ChargeId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { Mode } from '../../domain/session.ts';

export interface SandboxPayment {
  paymentId: string;
  /** `action_required`: it waits for its payer and has no outcome yet. `authorized`: held, if it has not expired. */
  status: 'action_required' | 'authorized' | 'succeeded' | 'declined' | 'voided';
  /** The outcome, which is not returned before {@link settlesInMs} is 0. */
  declineCode: DeclineCode | null;
  settlesInMs: number;
  /** Since it was settled. */
  settledForMs: number;
  brand: string | null;
  lastFour: string | null;
  /** The name of the test card; null for any other card. */
  cardName: string | null;
  /** The card's expiry month; null if it is not saved. */
  keptMonth: number | null;
  keptYear: number | null;
  /** When its hold expires; null if it is taken at once. */
  captureBefore: Date | null;
}

interface NewSandboxPayment extends Omit<SandboxPayment, 'settledForMs' | 'keptMonth' | 'keptYear' | 'captureBefore'> {
  /** Our charge ID. A second payment with the same reference returns the first one. */
  reference: ChargeId;
  accountId: AccountId;
  mode: Mode;
  amount: Money;
  /** The card's expiry, if the card is to be saved; otherwise null. */
  keptUntil: { month: number; year: number } | null;
  /** How long a hold lasts. Null if the payment is taken at once. */
  heldForMs: number | null;
}

// Not now(), which is the start of the transaction: a payment written since would seem to be in the future.
const COLUMNS = `payment_id as "paymentId", status, decline_code as "declineCode", brand, last_four as "lastFour",
  card_name as "cardName", capture_before as "captureBefore", extract(month from kept_until)::integer as "keptMonth",
  extract(year from kept_until)::integer as "keptYear",
  greatest(0, extract(epoch from settles_at - clock_timestamp()) * 1000)::double precision as "settlesInMs",
  greatest(0, extract(epoch from clock_timestamp() - settles_at) * 1000)::double precision as "settledForMs"`;

/** @param reference our charge ID */
export async function findSandboxPayment(sql: Sql, reference: ChargeId): Promise<SandboxPayment | null> {
  const text = `select ${COLUMNS} from sandbox_payments where reference = $1`;
  return (await sql.query<SandboxPayment>(text, [reference])).rows[0] ?? null;
}

/** Our charge ID of a payment. Null for an unknown one. */
export async function findReference(sql: Sql, paymentId: string): Promise<string | null> {
  const text = 'select reference from sandbox_payments where payment_id = $1';
  return (await sql.query<{ reference: string }>(text, [paymentId])).rows[0]?.reference ?? null;
}

/**
 * Writes a payment in one statement.
 * @returns the payment with this reference, and whether it existed before
 */
export async function insertSandboxPayment(
  sql: Sql,
  payment: NewSandboxPayment,
): Promise<{ payment: SandboxPayment; repeated: boolean }> {
  const { reference, status, declineCode, amount, keptUntil } = payment;
  const { rows } = await sql.query<SandboxPayment>({
    name: 'insert_sandbox_payment',
    text: `insert into sandbox_payments (reference, payment_id, account_id, mode, status, amount_cents, currency, brand,
                                   last_four, card_name, decline_code, settles_at, kept_until,
                                   capture_before)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + $12::integer * interval '1 millisecond',
             make_date($13, $14, 1), now() + $15::double precision * interval '1 millisecond')
     on conflict (reference) do nothing returning ${COLUMNS}`,
    values: [
      reference,
      payment.paymentId,
      payment.accountId,
      payment.mode,
      status,
      amount.amountCents,
      amount.currency,
      payment.brand,
      payment.lastFour,
      payment.cardName,
      declineCode,
      payment.settlesInMs,
      keptUntil?.year ?? null,
      keptUntil?.month ?? null,
      payment.heldForMs,
    ],
  });
  if (rows[0] !== undefined) return { payment: rows[0], repeated: false };
  const first = await findSandboxPayment(sql, reference);
  if (first === null) throw new Error('a sandbox payment vanished');
  return { payment: first, repeated: true };
}

/**
 * Ends the wait for a payer. Changes nothing if the payment does not wait. @param declineCode null if it is approved
 */
export async function endSandboxAction(sql: Sql, reference: ChargeId, declineCode: DeclineCode | null): Promise<void> {
  await sql.query(
    `update sandbox_payments set decline_code = $2,
            status = case when $2::text is not null then 'declined' when capture_before is null then 'succeeded'
                          else 'authorized' end
      where reference = $1 and status = 'action_required'`,
    [reference, declineCode],
  );
}

/** A settled, successful payment. */
interface SettledPayment extends SandboxPayment {
  /** Not refunded yet. */
  leftCents: number;
}

/** @returns null if the payment is unknown, declined or not settled yet */
export async function findSettledPayment(sql: Sql, paymentId: string): Promise<SettledPayment | null> {
  const { rows } = await sql.query<SettledPayment>(
    `select ${COLUMNS}, coalesce(captured_cents, amount_cents) - refunded_cents as "leftCents" from sandbox_payments
      where payment_id = $1 and status = 'succeeded' and settles_at <= now()`,
    [paymentId],
  );
  return rows[0] ?? null;
}

interface ListedSandboxPayment extends SandboxPayment, Money {
  /** Of a captured hold; null for any other payment. */
  capturedCents: number | null;
  reference: ChargeId;
  createdAt: Date;
}

/** The account's payments of a time span, oldest first. */
export async function listSandboxPayments(
  sql: Sql,
  { accountId, mode, from, until }: { accountId: AccountId; mode: Mode; from: Date; until: Date },
): Promise<ListedSandboxPayment[]> {
  const { rows } = await sql.query<ListedSandboxPayment>(
    `select ${COLUMNS}, reference, amount_cents as "amountCents", captured_cents as "capturedCents", currency,
            created_at as "createdAt" from sandbox_payments
      where account_id = $1 and mode = $2 and created_at >= $3 and created_at < $4 order by created_at`,
    [accountId, mode, from, until],
  );
  return rows;
}
