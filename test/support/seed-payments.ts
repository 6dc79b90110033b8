/** Inserts payments at chosen times by SQL: a session, its charge, and its call. */
import type { Database, Sql } from '../../src/db/pool.ts';
import type { Scope } from '../../src/domain/account.ts';
import { newId } from '../../src/domain/ids.ts';

export interface SeededPayment {
  merchant: string;
  /** When the charge started, in ISO 8601; the call started 60 seconds earlier. */
  at: string;
  /** Null: there is no charge. */
  status: 'succeeded' | 'failed' | 'pending' | null;
  /** 0: a card is only saved. */
  cents?: number;
  currency?: string;
  code?: string;
  /** Names of the steps of its call; undefined: no call. */
  steps?: readonly string[];
  returnMode?: 'refer';
  /** Time from the answer to the settled charge. */
  seconds?: number;
}

export async function seedPayment(sql: Sql, { accountId, mode }: Scope, payment: SeededPayment): Promise<void> {
  const { merchant, at, status, cents = 1_000, currency = 'USD', steps, returnMode = null, seconds = 40 } = payment;
  const [session, charge, call] = [newId('CheckoutSession'), newId('Charge'), newId('Call')];
  const of = [accountId, mode, merchant];
  await sql.query(
    `insert into checkout_sessions (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source, created_at, expires_at, purpose)
     values ($1, $2, $3, $4, 'required', $5, $6, 'request', $7::timestamptz, $7::timestamptz + interval '1 hour',
             $8)`,
    [session, ...of, cents, currency, at, cents === 0 ? 'save_card' : 'payment'],
  );
  if (status !== null) {
    await sql.query(
      `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor, decline_code, created_at, settled_at)
       values ($1, $2, $3, $4, $5, $6::charge_status, $7, $8, 'phone', 'sandbox', $9, $10::timestamptz, case when $6::charge_status <> 'pending' then $10::timestamptz + interval '1 second' end)`,
      [charge, session, ...of, status, cents, currency, payment.code ?? null, at],
    );
  }
  if (steps === undefined) return;
  await sql.query(
    `insert into calls (id, account_id, mode, merchant_id, session_id, instance, lease_id, sip_call_id, source_address, sip_dialogs,
       timeline, outcome, charge_id, return_mode, started_at, answered_at, ended_at)
     values ($1::text, $2, $3, $4, $5, 'test', 1, 'sip-' || $1::text, '192.0.2.1', '{}', $6::jsonb, $7, $8, $9, $10::timestamptz - interval '60 seconds',
             $10::timestamptz + interval '1 second' - $11::float8 * interval '1 second', $10::timestamptz + interval '20 seconds')`,
    [
      call,
      ...of,
      session,
      JSON.stringify(steps.map((step, place) => ({ step, at_ms: place * 1_000 }))),
      status === 'succeeded' ? 'succeeded' : 'failed',
      status === null ? null : charge,
      returnMode,
      at,
      seconds,
    ],
  );
}

/** @param id of a pending charge or refund */
export async function giveUp(database: Database, id: string): Promise<void> {
  const table = id.startsWith('ch_') ? 'charges' : 'refunds';
  const text = `update ${table} set resolve_at = 'infinity', created_at = created_at - interval '31 days'
                 where id = $1 and status = 'pending'`;
  if ((await database.query(text, [id])).rowCount !== 1) throw new Error(`${id} is not pending`);
}
