/**
 * The table `hold_changes`, and the holds that they change: rows are created as pending, then settled with their charge.
 * Locks are taken in the order charge, change.
 */
import type { Charge } from '../../domain/charge.ts';
import type { HoldChange, HoldChangeFailure } from '../../domain/hold.ts';
import type { AccountId, ChargeId, HoldChangeId } from '../../domain/ids.ts';
import { CHARGE } from '../charges/charges.ts';
import { columnsOf, moneyOf } from '../columns.ts';
import { claimDue, type DueClaim, needsSettling } from '../due.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';

/** SQL: a {@link HoldChange} from a row of `hold_changes`. */
const HOLD_CHANGE = columnsOf<HoldChange>()(
  'hold_changes',
  [
    'id chargeId accountId mode merchantId kind status processor processorPaymentId failure processorCode createdAt',
    'settledAt',
  ],
  { amount: moneyOf('hold_changes') },
);

/** Locks a charge until the transaction ends. @returns null if the account has no such charge */
export function lockHold(sql: Sql, accountId: AccountId, id: ChargeId): Promise<Charge | null> {
  const text = `select ${CHARGE} from charges where id = $1 and account_id = $2 for no key update`;
  return readFirst(sql, text, [id, accountId]);
}

/** The pending or succeeded change of a hold; null if there is none. */
export function findLiveChange(sql: Sql, chargeId: ChargeId): Promise<HoldChange | null> {
  const text = `select ${HOLD_CHANGE} from hold_changes where charge_id = $1 and status in ('pending', 'succeeded')`;
  return readFirst(sql, text, [chargeId]);
}

interface PendingChange extends Pick<HoldChange, 'id' | 'kind'> {
  amountCents: number;
  /** When the resolver takes over from a process that died. */
  resolveAfterMs: number;
}

/** @throws a unique violation if the hold has another pending or succeeded change */
export function insertPendingChange(sql: Sql, charge: Charge, change: PendingChange): Promise<HoldChange> {
  return readOne(
    sql,
    `insert into hold_changes (id, charge_id, account_id, mode, merchant_id, kind, amount_cents, currency, processor,
                               processor_payment_id, resolve_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + $11::integer * interval '1 millisecond')
     returning ${HOLD_CHANGE}`,
    [
      change.id,
      charge.id,
      charge.accountId,
      charge.mode,
      charge.merchantId,
      change.kind,
      change.amountCents,
      charge.amount.currency,
      charge.processor,
      charge.processorPaymentId,
      change.resolveAfterMs,
    ],
  );
}

/** @returns null if the change is already settled */
export function writeChangeOutcome(
  sql: Sql,
  id: HoldChangeId,
  failed: { reason: HoldChangeFailure; processorCode: string | null } | null,
): Promise<HoldChange | null> {
  return readFirst(
    sql,
    `update hold_changes set status = $2::refund_status, settled_at = now(), failure = $3, processor_code = $4
      where id = $1 and status = 'pending'
     returning ${HOLD_CHANGE}`,
    [id, failed === null ? 'succeeded' : 'failed', failed?.reason ?? null, failed?.processorCode ?? null],
  );
}

/** The outcome is unknown: hands the change to the resolver within `resolveAfterMs`. */
export async function scheduleChange(sql: Sql, id: HoldChangeId, resolveAfterMs: number): Promise<void> {
  await sql.query(
    `update hold_changes set resolve_at = least(resolve_at, now() + $2::integer * interval '1 millisecond')
      where id = $1 and status = 'pending'`,
    [id, resolveAfterMs],
  );
}

/** The resolver looks up a pending change again that it has given up: until it is settled, the hold stays blocked. */
export async function resumeChange(sql: Sql, chargeId: ChargeId): Promise<void> {
  await sql.query(
    `update hold_changes set resolve_at = now(), resolve_attempts = 0
      where charge_id = $1 and ${needsSettling('hold_changes')}`,
    [chargeId],
  );
}

/** A pending change to ask the processor about. */
export type DueChange = DueClaim & { change: HoldChange };

/** Claims due changes for the resolver; see {@link claimDue}. */
export async function claimDueChanges(sql: Sql, limit: number, delaysMs: readonly number[]): Promise<DueChange[]> {
  const rows = await claimDue<HoldChange>(sql, 'hold_changes', HOLD_CHANGE, limit, delaysMs);
  return rows.map(({ ageMs, attempt, last, ...change }) => ({ change, ageMs, attempt, last }));
}

/** What became of a hold. */
export type HoldEnd =
  | { status: 'succeeded'; capturedCents: number }
  | { status: 'voided' | 'expired'; capturedCents: null };

/** @returns null if the charge is not authorized (any more) */
export function writeHoldEnd(sql: Sql, id: ChargeId, { status, capturedCents }: HoldEnd): Promise<Charge | null> {
  return readFirst(
    sql,
    `update charges set status = $2::charge_status, captured_cents = $3::integer, hold_check_at = null
      where id = $1 and status = 'authorized'
     returning ${CHARGE}`,
    [id, status, capturedCents],
  );
}

/** A hold whose state is to be read. */
export interface DueHold {
  charge: Charge;
  /** Since the charge was created. */
  ageMs: number;
}

/** Claims holds that are due, each for one reading within `againInMs`. */
export async function claimDueHolds(sql: Sql, limit: number, againInMs: number): Promise<DueHold[]> {
  const { rows } = await sql.query<Charge & { ageMs: number }>(
    `update charges set hold_check_at = now() + $2::integer * interval '1 millisecond'
      where id in (select id from charges where status = 'authorized' and hold_check_at <= now()
                    order by hold_check_at limit $1 for no key update skip locked)
     returning ${CHARGE}, extract(epoch from now() - created_at)::double precision * 1000 as "ageMs"`,
    [limit, againInMs],
  );
  return rows.map(({ ageMs, ...charge }) => ({ charge, ageMs }));
}

/** SQL: when the next hold is due. */
export const HOLDS_DUE = `select min(hold_check_at) from charges where status = 'authorized'`;

/** The hold is still held. @param captureBefore as the processor says now; null if it does not */
export async function writeStillHeld(sql: Sql, id: ChargeId, captureBefore: Date | null): Promise<void> {
  await sql.query(
    `update charges set capture_before = coalesce($2::timestamptz, capture_before),
            hold_check_at = greatest(now() + interval '1 hour', coalesce($2::timestamptz, capture_before, now() + interval '1 day'))
      where id = $1 and status = 'authorized'`,
    [id, captureBefore],
  );
}

/** Makes the resolver read the hold's state soon, because something about it is in doubt. */
export async function checkHoldSoon(sql: Sql, id: ChargeId): Promise<void> {
  await sql.query(`update charges set hold_check_at = now() where id = $1 and status = 'authorized'`, [id]);
}
