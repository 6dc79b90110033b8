/** Late charges: reported as failed, or lost by the database, but found paid at the processor. */
import type { Charge } from '../../domain/charge.ts';
import type { ChargeId, CheckoutSessionId } from '../../domain/ids.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import { readFirst, type Sql } from '../pool.ts';
import { isLiveCharge, orderCharge } from './charge-facts.ts';
import { CHARGE, type PaidFacts } from './charges.ts';

/** The session of a late charge, with its order. */
type LateSession = Pick<CheckoutSession, 'merchantId' | 'orderId'> & {
  /** Another session can pay for the same order. */
  allowRepeat: boolean;
};

export function findLateSession(sql: Sql, id: CheckoutSessionId): Promise<LateSession | null> {
  return readFirst(
    sql,
    `select merchant_id as "merchantId", order_id as "orderId", allow_repeat as "allowRepeat"
       from checkout_sessions where id = $1`,
    [id],
  );
}

/** Another charge that pays for the same thing. */
export type OtherCharge = Pick<Charge, 'id' | 'status'>;

/** Locks the session's live charge. Null if it has none except `except`. */
export function lockLiveCharge(sql: Sql, id: CheckoutSessionId, except: ChargeId): Promise<OtherCharge | null> {
  return readFirst(
    sql,
    `select id, status from charges where session_id = $1 and id <> $2 and ${isLiveCharge('charges')} for no key update`,
    [id, except],
  );
}

/** The charge, except `except`, that pays for the order, in whichever session; null if there is none. */
export function findOrdersOther(
  sql: Sql,
  { merchantId, orderId }: LateSession,
  except: ChargeId,
): Promise<OtherCharge | null> {
  const text = orderCharge('charges.id, charges.status', '$1', '$2', 'charges.id <> $3');
  return readFirst(sql, text, [merchantId, orderId, except]);
}

/** Locks a charge and reads its status. */
export function lockCharge(sql: Sql, id: ChargeId): Promise<OtherCharge | null> {
  return readFirst(sql, 'select id, status from charges where id = $1 for no key update', [id]);
}

/**
 * @param captureBefore undefined if the money was taken; otherwise it is held
 * @returns null if the charge is not failed: it is pending, or was already found
 */
export function writeLateSuccess(
  sql: Sql,
  id: ChargeId,
  { processorPaymentId, card, captureBefore, taken }: PaidFacts & { captureBefore?: Date | null },
  duplicateOf: ChargeId | null,
): Promise<Charge | null> {
  return readFirst(
    sql,
    `update charges
        set status = $6::charge_status, was_late = true, duplicate_of = $2, settled_at = now(), processor_payment_id = $3,
            decline_code = null, processor_code = null, returned_at = null, brand = coalesce($4, brand), last_four = coalesce($5, last_four),
            capture_before = $7::timestamptz, hold_check_at = case when $6::charge_status = 'authorized' then coalesce($7::timestamptz, now() + interval '1 day') end,
            captured_cents = case when capture = 'manual' and $6::charge_status = 'succeeded' then coalesce($8::integer, amount_cents) end
      where id = $1 and status = 'failed'
      returning ${CHARGE}`,
    [
      id,
      duplicateOf,
      processorPaymentId,
      card?.brand ?? null,
      card?.lastFour ?? null,
      captureBefore === undefined ? 'succeeded' : 'authorized',
      captureBefore ?? null,
      taken?.amountCents ?? null,
    ],
  );
}

/** @returns false if it was written before */
export async function writeAcknowledgement(sql: Sql, id: ChargeId): Promise<boolean> {
  const text = `update charges set attention_acknowledged_at = now() where id = $1 and attention_acknowledged_at is null`;
  return (await sql.query(text, [id])).rowCount === 1;
}

/** A charge has failed, so its supposed duplicates are none. The first one found becomes its session's live charge. */
export async function releaseDuplicates(sql: Sql, failed: ChargeId): Promise<void> {
  const { rows } = await sql.query<{ id: ChargeId }>({
    name: 'list_duplicates',
    text: 'select id from charges where duplicate_of = $1 order by settled_at, id for no key update',
    values: [failed],
  });
  const [first] = rows;
  if (first === undefined) return;
  await sql.query('update charges set duplicate_of = $2 where duplicate_of = $1 and id <> $2', [failed, first.id]);
  await sql.query('update charges set duplicate_of = null where id = $1', [first.id]);
}

/** A charge that the database has lost, to be restored. */
export type LostCharge = Pick<
  Charge,
  | 'id'
  | 'sessionId'
  | 'accountId'
  | 'merchantId'
  | 'mode'
  | 'amount'
  | 'tipCents'
  | 'source'
  | 'processor'
  | 'capture'
  | 'createdAt'
>;

/** Inserts a lost charge as failed; its late success follows. @returns false if it exists */
export async function insertLostCharge(sql: Sql, charge: LostCharge): Promise<boolean> {
  const { id, sessionId, accountId, merchantId, mode, amount, tipCents, source, processor, capture, createdAt } =
    charge;
  const { rowCount } = await sql.query(
    `insert into charges (id, session_id, account_id, merchant_id, mode, status, amount_cents, currency, source, processor,
                          capture, created_at, tip_cents, settled_at, resolve_at)
     values ($1, $2, $3, $4, $5, 'failed', $6, $7, $8, $9, $10, $11, $12, now(), now())
     on conflict (id) do nothing`,
    [
      id,
      sessionId,
      accountId,
      merchantId,
      mode,
      amount.amountCents,
      amount.currency,
      source,
      processor,
      capture,
      createdAt,
      tipCents,
    ],
  );
  return rowCount === 1;
}
