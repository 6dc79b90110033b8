/** The sandbox processor's payments, in a table of its own, so that they survive our crashes. Only last four digits. */
import type { DeclineCode } from '../../domain/charge.ts';
import type { AccountId, ChargeId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { Mode } from '../../domain/session.ts';
import { queryFirst, type Sql } from '../../db/pool.ts';

export interface SandboxPayment {
  paymentId: string;
  /** Its outcome, not to be answered before {@link settlesInMs} is 0. */
  declineCode: DeclineCode | null;
  settlesInMs: number;
  brand: string | null;
  lastFour: string | null;
  /** Null where it is not kept. */
  keptCard: SandboxCard | null;
}

/** A test card by name, and the month it ends with. */
export interface SandboxCard {
  name: string;
  expiryMonth: number;
  expiryYear: number;
}

export interface NewSandboxPayment {
  /** Our charge id; a second payment of the same reference is the first one. */
  reference: ChargeId;
  paymentId: string;
  accountId: AccountId;
  mode: Mode;
  amount: Money;
  brand: string | null;
  lastFour: string | null;
  /** Of the test card; null for any other. */
  cardName: string | null;
  /** The card is to be kept; null where it is not. */
  keptUntil: { month: number; year: number } | null;
  declineCode: DeclineCode | null;
  settlesInMs: number;
}

interface Row {
  payment_id: string;
  decline_code: DeclineCode | null;
  settles_in_ms: number;
  brand: string | null;
  last_four: string | null;
  card_name: string | null;
  kept_month: number | null;
  kept_year: number | null;
}

const COLUMNS = `payment_id, decline_code, brand, last_four, card_name,
  extract(month from kept_until)::integer as kept_month, extract(year from kept_until)::integer as kept_year,
  greatest(0, extract(epoch from settles_at - clock_timestamp()) * 1000)::double precision as settles_in_ms`;

function paymentOf(row: Row): SandboxPayment {
  const { payment_id: paymentId, decline_code: declineCode, settles_in_ms: settlesInMs } = row;
  const { brand, last_four: lastFour } = row;
  return {
    paymentId,
    declineCode,
    settlesInMs,
    brand,
    lastFour,
    keptCard: declineCode === null ? keptCardOf(row) : null,
  };
}

function keptCardOf({ card_name: name, kept_month: expiryMonth, kept_year: expiryYear }: Row): SandboxCard | null {
  return name === null || expiryMonth === null || expiryYear === null ? null : { name, expiryMonth, expiryYear };
}

/** @param reference our charge id */
export async function findSandboxPayment(sql: Sql, reference: ChargeId): Promise<SandboxPayment | null> {
  return queryFirst(sql, paymentOf, `select ${COLUMNS} from sandbox_payments where reference = $1`, [reference]);
}

/** @returns the payment of this reference, and whether it is this one or was there before */
export async function insertSandboxPayment(
  sql: Sql,
  payment: NewSandboxPayment,
): Promise<{ payment: SandboxPayment; repeated: boolean }> {
  const { rows } = await sql.query<Row>(
    `insert into sandbox_payments (reference, payment_id, account_id, mode, status, amount_cents, currency, brand,
                                   last_four, card_name, decline_code, settles_at, kept_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + $12::integer * interval '1 millisecond',
             make_date($13, $14, 1))
     on conflict (reference) do nothing returning ${COLUMNS}`,
    [
      payment.reference,
      payment.paymentId,
      payment.accountId,
      payment.mode,
      payment.declineCode === null ? 'succeeded' : 'declined',
      payment.amount.amountCents,
      payment.amount.currency,
      payment.brand,
      payment.lastFour,
      payment.cardName,
      payment.declineCode,
      payment.settlesInMs,
      payment.keptUntil?.year ?? null,
      payment.keptUntil?.month ?? null,
    ],
  );
  if (rows[0] !== undefined) return { payment: paymentOf(rows[0]), repeated: false };
  const first = await findSandboxPayment(sql, payment.reference);
  if (first === null) throw new Error('a sandbox payment vanished');
  return { payment: first, repeated: true };
}

/** The test card of a settled, successful payment, which was to be kept; null for any other. */
export async function findSandboxCard(sql: Sql, paymentId: string): Promise<SandboxCard | null> {
  const { rows } = await sql.query<Row>(
    `select ${COLUMNS} from sandbox_payments
      where payment_id = $1 and status = 'succeeded' and settles_at <= now()`,
    [paymentId],
  );
  return rows[0] === undefined ? null : paymentOf(rows[0]).keptCard;
}
