/** Inserts many sessions, calls, charges, texts and emails of one account by SQL, with common, rare and old values. */
import type { Database } from '../../src/db/pool.ts';

export const SEEDED = {
  account: 'acct_many',
  bigMerchant: 'mer_big',
  /** Two percent of the rows, none of them in the newest nine tenths. */
  oldMerchant: 'mer_old',
  /** The twenty oldest rows. */
  tinyMerchant: 'mer_tiny',
  busyCaller: '+15550000000',
  /** The card of three of the oldest rows. */
  rareCard: '0005',
  /** A step of two of the oldest calls. */
  rareStep: 'tip',
  /** A step of one call in a thousand. These have their steps in the timeline only. */
  stepOfLostCalls: 'confirmation',
  /** How many of the newest calls are live. */
  liveCalls: 5,
  /** The period over which the rows are spread evenly. */
  spreadMs: 90 * 86_400_000,
} as const;

/** The pool ends statements after ten seconds. */
const BATCH = 10_000;

/** Row 1 is the newest, row `rows` the oldest; inserts rows `$1` to `$2`. */
const STATEMENTS = [
  `insert into checkout_sessions (id, account_id, mode, merchant_id, status, verdict, amount_cents, currency, amount_source,
     caller_phone, order_id, platform_call_id, created_at, expires_at)
   select 'cs_' || n, 'acct_many', 'test',
          case when n > $3 - 20 then 'mer_tiny' when n > $3 * 0.9 and n % 5 = 0 then 'mer_old' else 'mer_big' end,
          (case when n <= 50 then 'open' when n % 3 = 0 then 'expired' else 'complete' end)::session_status, 'required', 4250,
          'USD', 'request', case when n % 2 = 0 then '+15550000000' else '+1555' || (1000000 + n) end, 'order_' || n,
          'platform_' || n, now() - n * interval '90 days' / $3, now() + interval '1 hour'
     from generate_series($1::integer, $2::integer) n`,
  `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor,
     processor_payment_id, decline_code, caller_phone, brand, last_four, created_at, settled_at)
   select 'ch_' || n, s.id, s.account_id, s.mode, s.merchant_id,
          (case when n in (1, $3 / 2) then 'pending' when n % 3 = 0 then 'failed' else 'succeeded' end)::charge_status, 4250, 'USD',
          'phone', 'sandbox', 'pay_' || n, case when n % 3 = 0 then 'insufficient_funds' end, s.caller_phone, 'VISA',
          case when n > $3 - 3 then '0005' when n % 2 = 0 then '4242' else (1000 + n % 8999)::text end, s.created_at, now()
     from generate_series($1::integer, $2::integer) n join checkout_sessions s on s.id = 'cs_' || n`,
  `insert into calls (id, account_id, mode, session_id, merchant_id, instance, lease_id, sip_call_id, source_address, sip_dialogs,
     outcome, charge_id, timeline, steps, started_at, answered_at, ended_at)
   select 'call_' || n, s.account_id, s.mode, s.id, s.merchant_id, 'a', 1, 'sip-' || n, '192.0.2.1', '{}',
          case when n <= 5 then null when n = $3 - 7 then 'expired' when n % 3 = 0 then 'failed' else 'succeeded' end, 'ch_' || n,
          case when n % 1000 = 0 then '[{"step": "ask card_number"}, {"step": "ask confirmation"}]'::jsonb else '[]' end,
          case when n > 5 and n % 1000 <> 0
               then array['ask card_number', 'charge', 'return'] || case when n > $3 - 3 then array['ask tip'] end end,
          s.created_at, s.created_at, case when n <= 5 then null else s.created_at + interval '50 seconds' end
     from generate_series($1::integer, $2::integer) n join checkout_sessions s on s.id = 'cs_' || n`,
  `insert into texts (id, account_id, mode, session_id, merchant_id, charge_id, kind, recipient, body, segments, status,
     created_at)
   select 'txt_' || n, s.account_id, s.mode, s.id, s.merchant_id, 'ch_' || n, 'receipt', s.caller_phone, 'Paid.', 1, 'sent',
          s.created_at
     from generate_series($1::integer, $2::integer) n join checkout_sessions s on s.id = 'cs_' || n
    where $3 > 0`,
  `insert into emails (id, account_id, mode, session_id, merchant_id, charge_id, kind, status, created_at)
   select 'em_' || n, s.account_id, s.mode, s.id, s.merchant_id, 'ch_' || n, 'receipt', 'sent', s.created_at
     from generate_series($1::integer, $2::integer) n join checkout_sessions s on s.id = 'cs_' || n
    where $3 > 0`,
];

/**
 * Statements for the request log, the events and the audit trail; the newest row has the highest number. Rare values
 * are among the oldest rows.
 */
const LOG_STATEMENTS = [
  `insert into request_log (id, account_id, mode, method, route, path, status, code, duration_ms, key_id, created_at)
   select 'req_' || n, 'acct_many', 'test', 'POST', route, route,
          case when n = $3 - 7 then 422 when n % 4 = 0 then 402 else 200 end,
          case when n = $3 - 7 then 'session_missing_consumer' when n % 4 = 0 then 'card_declined' end, 12,
          case when n > $3 - 3 then 'key_rare' else 'key_busy' end, now() - n * interval '30 days' / $3
     from generate_series($1::integer, $2::integer) n,
          lateral (select case when n = $3 - 7 then '/v1/send_link' else '/v1/charge' end as route) r`,
  `insert into events (id, account_id, mode, type, session_id, facts, relayed_at, created_at)
   select 'evt_' || n, 'acct_many', 'test', case when n = 7 then 'checkout.expired' else 'checkout.succeeded' end, 'cs_' || n, '{}', now(),
          now() - ($3 - n) * interval '30 days' / $3
     from generate_series($1::integer, $2::integer) n`,
  `insert into audit_events (id, account_id, mode, action, object_id, changes, actor_kind, actor_id, created_at)
   select 'aud_' || n, 'acct_many', 'test', case when n = 7 then 'account.secret_rolled' else 'refund.created' end, 're_' || n, '{}',
          'key', 'key_busy', now() - ($3 - n) * interval '30 days' / $3
     from generate_series($1::integer, $2::integer) n`,
];

/** @param rows in each of the tables */
export async function seedMany(database: Database, rows: number): Promise<void> {
  await insertAccount(database);
  await database.query(
    `insert into merchants (id, account_id, mode, slug, business_name, currency, policy)
     select id, 'acct_many', 'test', id, id, 'USD', 'always' from unnest('{mer_big,mer_old,mer_tiny}'::text[]) id`,
  );
  await fill(database, STATEMENTS, rows);
  for (const table of ['checkout_sessions', 'charges', 'calls', 'texts', 'emails'])
    await database.query(`analyze ${table}`);
}

/** @param rows in each of the tables */
export async function seedLogs(database: Database, rows: number): Promise<void> {
  await insertAccount(database);
  await fill(database, LOG_STATEMENTS, rows);
  for (const table of ['request_log', 'events', 'audit_events']) await database.query(`analyze ${table}`);
}

async function insertAccount(database: Database): Promise<void> {
  await database.query(`insert into accounts (id, name, header_signing_secret) values ('acct_many', 'Many', 'x')`);
}

async function fill(database: Database, statements: readonly string[], rows: number): Promise<void> {
  for (const statement of statements) {
    for (let first = 1; first <= rows; first += BATCH) {
      await database.transaction(async (sql) => {
        // Foreign keys are not checked row by row, which would take most of the time.
        await sql.query('set local session_replication_role = replica');
        await sql.query(statement, [first, Math.min(first + BATCH - 1, rows), rows]);
      });
    }
  }
}
