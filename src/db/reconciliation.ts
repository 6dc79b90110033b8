/** Reads the data to compare with the processors' lists, and claims the connection that is due. */
import type { Charge } from '../domain/charge.ts';
import type { CaptureMode } from '../domain/hold.ts';
import type { AccountId, ChargeId, CheckoutSessionId, MerchantId, RefundId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { Refund } from '../domain/refund.ts';
import type { Mode } from '../domain/session.ts';
import { CHARGE } from './charges/charges.ts';
import { columnsOf, moneyOf } from './columns.ts';
import { readFirst, type Sql } from './pool.ts';
import { REFUND } from './refunds/refunds.ts';

/** The merchant was connected to another account before, or it is not known to which one. */
export type RecordsChange = 'another_account' | 'unknown_account';

/** A merchant and a current or former processor. */
export interface Connection {
  accountId: AccountId;
  merchantId: MerchantId;
  mode: Mode;
  processor: string;
  /** Since when the processor's records are those of the present account. They do not have earlier charges. */
  recordsSince: Date;
  /** Why earlier charges are not in them. Null if the merchant was not connected before, or it is not known. */
  recordsChange: RecordsChange | null;
  /** Charges are compared up to this time; null if never. */
  reconciledUntil: Date | null;
}

const CONNECTION = columnsOf<Connection>()(
  'merchant_processors',
  ['accountId merchantId mode processor recordsSince recordsChange reconciledUntil'],
  {},
);

/** Null matches everything. */
export interface ConnectionFilter {
  accountId: AccountId | null;
  merchantId: MerchantId | null;
  mode: Mode | null;
}

export async function listConnections(
  sql: Sql,
  { accountId, merchantId, mode }: ConnectionFilter,
): Promise<Connection[]> {
  const { rows } = await sql.query<Connection>(
    `select ${CONNECTION} from merchant_processors
      where ($1::text is null or account_id = $1) and ($2::text is null or merchant_id = $2) and ($3::mode is null or mode = $3)
      order by account_id, merchant_id, processor`,
    [accountId, merchantId, mode],
  );
  return rows;
}

/** Claims a connection whose reconciliation is due, for `holdMs`. Null if none is due. */
export function claimConnection(sql: Sql, holdMs: number): Promise<Connection | null> {
  return readFirst(
    sql,
    `update merchant_processors set reconcile_at = now() + $1::integer * interval '1 millisecond'
      where (merchant_id, processor) in (
        select merchant_id, processor from merchant_processors where reconcile_at <= now()
         order by reconcile_at limit 1 for update skip locked)
      returning ${CONNECTION}`,
    [holdMs],
  );
}

/** @param until charges were compared up to this time; null if they could not be */
export async function endReconciliation(
  sql: Sql,
  { merchantId, processor }: Connection,
  nextInMs: number,
  until: Date | null,
): Promise<void> {
  await sql.query(
    `update merchant_processors set reconcile_at = now() + $3::integer * interval '1 millisecond',
                                    reconciled_until = greatest(reconciled_until, $4::timestamptz)
      where merchant_id = $1 and processor = $2`,
    [merchantId, processor, nextInMs, until],
  );
}

type Owned = Pick<Connection, 'merchantId' | 'mode'>;

/** The merchant's charges among these. Entries that name another merchant's charge are ignored. */
export async function findChargesOf(sql: Sql, of: Owned, ids: readonly ChargeId[]): Promise<Map<ChargeId, Charge>> {
  const text = `select ${CHARGE} from charges where id = any($1) and merchant_id = $2 and mode = $3`;
  const { rows } = await sql.query<Charge>(text, [ids, of.merchantId, of.mode]);
  return new Map(rows.map((charge) => [charge.id, charge]));
}

/** The charges that exist, of any merchant. */
export async function knownCharges(sql: Sql, ids: readonly ChargeId[]): Promise<Set<ChargeId>> {
  const { rows } = await sql.query<{ id: ChargeId }>('select id from charges where id = any($1)', [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** The merchant's charges at the processor that took or hold the amount, created in the period. */
export async function listPaidCharges(
  sql: Sql,
  { merchantId, processor }: Pick<Connection, 'merchantId' | 'processor'>,
  from: Date,
  until: Date,
): Promise<Charge[]> {
  const { rows } = await sql.query<Charge>(
    `select ${CHARGE} from charges
      where merchant_id = $1 and created_at >= $2 and created_at < $3 and processor = $4 and status in ('authorized', 'succeeded')
        and amount_cents > 0
      order by created_at`,
    [merchantId, from, until, processor],
  );
  return rows;
}

/** How many charges the merchant has at the processor, created in the period. */
export async function countChargesOf(
  sql: Sql,
  { merchantId, processor }: Pick<Connection, 'merchantId' | 'processor'>,
  from: Date,
  until: Date,
): Promise<number> {
  const row = await readFirst<{ charges: number }>(
    sql,
    `select count(*)::integer as charges from charges
      where merchant_id = $1 and created_at >= $2 and created_at < $3 and processor = $4`,
    [merchantId, from, until, processor],
  );
  return row?.charges ?? 0;
}

/** The merchant's refunds at the processor that did not fail, created in the period. */
export async function listRefundsOf(
  sql: Sql,
  { merchantId, processor, accountId, mode }: Connection,
  from: Date,
  until: Date,
): Promise<Map<RefundId, Refund>> {
  const { rows } = await sql.query<Refund>(
    `select ${REFUND} from refunds
      where account_id = $1 and mode = $2 and merchant_id = $3 and processor = $4 and created_at >= $5 and created_at < $6`,
    [accountId, mode, merchantId, processor, from, until],
  );
  return new Map(rows.map((refund) => [refund.id, refund]));
}

/** The data to restore a charge that the database has lost. */
interface SessionOfLost {
  id: CheckoutSessionId;
  accountId: AccountId;
  merchantId: MerchantId | null;
  mode: Mode;
  amount: Money;
  capture: CaptureMode;
  /** Its merchant takes parts of the amount. */
  takesParts: boolean;
}

export function findSessionOfLost(sql: Sql, id: CheckoutSessionId): Promise<SessionOfLost | null> {
  const columns = columnsOf<SessionOfLost>()('checkout_sessions', ['id accountId merchantId mode capture'], {
    amount: moneyOf('checkout_sessions'),
    takesParts: `exists (select from merchants m
                          where m.id = checkout_sessions.merchant_id and m.partial_minimum_cents is not null)`,
  });
  return readFirst(sql, `select ${columns} from checkout_sessions where id = $1`, [id]);
}
