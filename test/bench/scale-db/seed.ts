/**
 * Fills an account by SQL as years of payments would: sessions with a charge, a call, events, deliveries and a text
 * each. The newest charges lie in the last hour and came by one trunk; thousands of calls are live, and thousands of
 * webhook endpoints have nothing to do.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { withoutIndexes } from '../seed-table.ts';

export const ACCOUNT = 'acct_bench';
export const MERCHANT = 'mer_bench';
/** Charges of the last hour: what one busy merchant and trunk can have. */
const CHARGES_AN_HOUR = 72_000;
const LIVE_CALLS = 10_000;
export const PHONES = 4;
const ENDPOINTS = 20_000;
/** Endpoints with a delivery that is due. */
const DUE_ENDPOINTS = 200;
export const TRUNK_HASH = Buffer.alloc(32, 7);
const DAYS = 90;
const DECLINED_EVERY = 10;

/** SQL: the ID of row `n`, at a random place of its index. */
const idOf = (prefix: string, n = 'n') => `'${prefix}_' || left(md5('${prefix}' || ${n}), 26)`;
const SCOPE = `'${ACCOUNT}', 'test'::mode`;
/** SQL: row 1 is the newest. `$1`: how many rows. The newest 72,000, or half of them, are of the last hour. */
const AN_HOUR = `least(${CHARGES_AN_HOUR}, $1::integer / 2)`;
const AT = `(case when n <= ${AN_HOUR} then now() - n * interval '1 hour' / ${AN_HOUR}
  else now() - interval '1 hour' - (n - ${AN_HOUR}) * interval '${DAYS} days' / ($1::integer - ${AN_HOUR}) end)`;
const ROWS = 'generate_series(1, $1::integer) n';
const IS_DECLINED = `n % ${DECLINED_EVERY} = 0`;
const callerOf = (n: string) => `'+1555' || (1000000 + ${n} % 8999999)`;

/** By table: what one insert fills it with, `$1` rows. */
const STATEMENTS = {
  checkout_sessions: `
    insert into checkout_sessions (id, account_id, mode, merchant_id, status, verdict, amount_cents, currency, amount_source,
      caller_phone, order_id, platform_call_id, created_at, expires_at)
    select ${idOf('cs')}, ${SCOPE}, '${MERCHANT}',
           (case when n <= ${LIVE_CALLS} then 'open' when ${IS_DECLINED} then 'expired' else 'complete' end)::session_status,
           'required', 4250, 'USD', 'request', ${callerOf('n')}, 'order_' || n, 'platform_' || n, ${AT}, ${AT} + interval '1 hour'
      from ${ROWS}`,
  charges: `
    insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor,
      processor_payment_id, decline_code, caller_phone, brand, last_four, created_at, settled_at)
    select ${idOf('ch')}, ${idOf('cs')}, ${SCOPE}, '${MERCHANT}',
           (case when ${IS_DECLINED} then 'failed' else 'succeeded' end)::charge_status, 4250, 'USD', 'phone', 'sandbox',
           'pay_' || n, case when ${IS_DECLINED} then 'insufficient_funds' end, ${callerOf('n')}, 'VISA',
           lpad((n % 9973)::text, 4, '0'), ${AT}, ${AT}
      from ${ROWS}`,
  calls: `
    insert into calls (id, account_id, mode, session_id, merchant_id, instance, lease_id, sip_call_id, source_address, sip_dialogs,
      outcome, charge_id, timeline, steps, started_at, answered_at, ended_at)
    select ${idOf('call')}, ${SCOPE}, ${idOf('cs')}, '${MERCHANT}', 'phone', 1 + n % ${PHONES}, 'sip-' || n, '192.0.2.1', '{}',
           case when n > ${LIVE_CALLS} then case when ${IS_DECLINED} then 'failed' else 'succeeded' end end, ${idOf('ch')},
           '[{"step":"answered","at_ms":20},{"step":"ask card_number","at_ms":4000},{"step":"charge","at_ms":30000}]',
           case when n > ${LIVE_CALLS} then '{ask card_number,charge}'::text[] end, ${AT}, ${AT}, case when n > ${LIVE_CALLS} then ${AT} + interval '50 seconds' end
      from ${ROWS}`,
  events: `
    insert into events (id, account_id, mode, type, session_id, merchant_id, charge_id, facts, body, created_at, relayed_at)
    select ${idOf('evt')}, ${SCOPE}, case when ${IS_DECLINED} then 'checkout.failed' else 'checkout.completed' end, ${idOf('cs')},
           '${MERCHANT}', ${idOf('ch')}, '{"session_status": "complete", "outcome": "succeeded", "charge": null}', '{}', ${AT}, ${AT}
      from ${ROWS} order by n desc`,
  webhook_deliveries: `
    insert into webhook_deliveries (endpoint_id, event_id, sequence, status, attempts, enqueue_at, created_at)
    select 'we_' || n % ${ENDPOINTS}, ${idOf('evt')}, $1::integer - n, case when n <= ${DUE_ENDPOINTS} then 'waiting' else 'delivered' end,
           1, ${AT}, ${AT}
      from ${ROWS}`,
  texts: `
    insert into texts (id, account_id, mode, session_id, merchant_id, charge_id, kind, recipient, body, segments, status, created_at)
    select ${idOf('txt')}, ${SCOPE}, ${idOf('cs')}, '${MERCHANT}', ${idOf('ch')}, 'receipt', ${callerOf('n')}, 'Paid.', 1, 'sent', ${AT}
      from ${ROWS}`,
} as const;

const TRUNK = TRUNK_HASH.toString('hex');

/** The signals of the last hour, and what the triggers of its charges would have counted. */
const SIGNALS = `
  insert into charge_signals (charge_id, account_id, mode, created_at, card_fingerprint, call_source_hash)
  select id, account_id, mode, created_at, sha256(id::bytea), '\\x${TRUNK}' from charges
   where created_at > now() - interval '1 hour';
  insert into attempt_counts (account_id, mode, signal, value, minute, slot, attempts, declines)
  select account_id, mode, signal, value, date_trunc('minute', created_at), slot, count(*), count(*) filter (where status = 'failed')
    from (select *, row_number() over () % 8 as slot from charges where created_at > now() - interval '1 hour') recent
   cross join (values ('merchant', '${MERCHANT}'), ('call_source', '${TRUNK}')) known (signal, value)
   group by 1, 2, 3, 4, 5, 6`;

const SETTINGS = `
  set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'`;

const OTHERS = `
  insert into accounts (id, name, header_signing_secret) values ('${ACCOUNT}', 'Bench', 'x');
  insert into merchants (id, account_id, mode, slug, business_name, currency, policy, processor)
    values ('${MERCHANT}', ${SCOPE}, 'bench', 'Bench', 'USD', 'always', 'sandbox');
  insert into webhook_endpoints (id, account_id, mode, url, events, signing_secret)
    select 'we_' || n, ${SCOPE}, 'https://example.com/', '{}', 'x' from generate_series(0, ${ENDPOINTS - 1}) n;
  insert into process_leases (instance, seen_at) select 'phone', now() + interval '1 day' from generate_series(1, ${PHONES})`;

/** Foreign keys and triggers are not run row by row, which would be most of the time. */
export async function seedSessions(databaseUrl: string, sessions: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(SETTINGS);
    await client.query(OTHERS);
    for (const [table, statement] of Object.entries(STATEMENTS)) {
      console.error(`${table}: ${sessions.toLocaleString('en')} rows …`);
      await withoutIndexes(client, table, () => client.query(statement, [sessions]));
    }
    await client.query(SIGNALS);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** The caller of row `n`. */
export const seededCaller = (n: number) => `+1555${1_000_000 + (n % 8_999_999)}`;

/** The ID of row `n`, counted from the newest. */
export const seededId = (prefix: string, n: number) =>
  `${prefix}_${createHash('md5').update(`${prefix}${n}`).digest('hex').slice(0, 26)}`;
