/**
 * Fills an account by SQL with charges, and a fifth as many rows of everything else, spread evenly over the past; and
 * signs a user in.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { startUserSession } from '../../../src/accounts/users/sessions.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { insertUser } from '../../../src/db/users/users.ts';
import { newId } from '../../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';
import { withoutIndexes } from '../seed-table.ts';

/** Attempts per session: four declined, then one paid. */
const CHARGES_A_SESSION = 5;
/** One session in this many has the rare merchant. */
const RARE_EVERY = 1_000;
export const RARE_MERCHANT = 'mer_bench_rare';

/** SQL: the ID of row `n`, at random places of its index like real IDs. */
const idOf = (prefix: string, n = 'n') => `'${prefix}_' || md5('${prefix}' || ${n})`;
/** Row 1 is the newest. `$1`: the number of rows. */
const AT = `now() - n * interval '30 days' / $1::integer`;
const ROWS = 'generate_series(1, $1::integer) n';
const SCOPE = `'${DEMO_ACCOUNT}', 'test'::mode`;
const merchantOf = (session: string) =>
  `case when ${session} % ${RARE_EVERY} = 7 then '${RARE_MERCHANT}' else 'mer_demo_diner' end`;
const callerOf = (session: string) => `'+1555' || (1000000 + ${session} % 8999999)`;
const SESSION = `((n - 1) / ${CHARGES_A_SESSION} + 1)`;
const IS_PAID = `n % ${CHARGES_A_SESSION} = 1`;
/** SQL: the charge that paid session `n`. */
const PAID_CHARGE = idOf('ch', `((n - 1) * ${CHARGES_A_SESSION} + 1)`);

/** The insert of each table. */
const STATEMENTS = {
  checkout_sessions: `
    insert into checkout_sessions (id, account_id, mode, merchant_id, status, verdict, amount_cents, currency, amount_source,
      caller_phone, order_id, platform_call_id, created_at, expires_at)
    select ${idOf('cs')}, ${SCOPE}, ${merchantOf('n')}, (case when n <= 50 then 'open' else 'complete' end)::session_status,
           'required', 4250, 'USD', 'request', ${callerOf('n')}, 'order_' || n, 'platform_' || n, ${AT}, now() + interval '1 hour'
      from ${ROWS}`,
  charges: `
    insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor,
      processor_payment_id, decline_code, caller_phone, brand, last_four, created_at, settled_at)
    select ${idOf('ch')}, ${idOf('cs', SESSION)}, ${SCOPE}, ${merchantOf(SESSION)},
           (case when n = 1 then 'pending' when ${IS_PAID} then 'succeeded' else 'failed' end)::charge_status, 4250, 'USD', 'phone',
           'sandbox', 'pay_' || n, case when not ${IS_PAID} then 'insufficient_funds' end, ${callerOf(SESSION)}, 'VISA',
           case when n % 2 = 0 then '4242' else lpad((n % 9973)::text, 4, '0') end, ${AT}, case when n <> 1 then ${AT} end
      from ${ROWS}`,
  calls: `
    insert into calls (id, account_id, mode, session_id, merchant_id, instance, lease_id, sip_call_id, source_address, sip_dialogs,
      outcome, reason, charge_id, started_at, answered_at, ended_at)
    select ${idOf('call')}, ${SCOPE}, ${idOf('cs')}, ${merchantOf('n')}, 'a', 1, 'sip-' || n, '192.0.2.1', '{}',
           case when n % 10000 = 7 then 'expired' when n % 3 = 0 then 'failed' else 'succeeded' end,
           case when n % 3 = 0 then 'declined' end, ${PAID_CHARGE}, ${AT}, ${AT}, ${AT} + interval '50 seconds'
      from ${ROWS}`,
  texts: `
    insert into texts (id, account_id, mode, session_id, charge_id, kind, recipient, body, segments, status, created_at)
    select ${idOf('txt')}, ${SCOPE}, ${idOf('cs')}, ${PAID_CHARGE}, 'receipt', ${callerOf('n')}, 'Paid.', 1, 'sent', ${AT}
      from ${ROWS}`,
  refunds: `
    insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, processor,
      processor_payment_id, created_at, settled_at, resolve_at)
    select ${idOf('re')}, ${PAID_CHARGE}, ${idOf('cs')}, ${SCOPE}, ${merchantOf('n')}, 'succeeded', 100, 'USD', 'sandbox',
           'pay_' || n, ${AT}, ${AT}, 'infinity'
      from ${ROWS}`,
  // Ordered by number; the newest has the highest.
  events: `
    insert into events (id, account_id, mode, type, session_id, charge_id, facts, created_at, relayed_at)
    select ${idOf('evt')}, ${SCOPE}, case when n = $1 - 7 then 'checkout.expired' when n % 2 = 0 then 'checkout.completed'
             else 'checkout.succeeded' end, ${idOf('cs')}, ${PAID_CHARGE},
           '{"session_status": "complete", "outcome": "succeeded", "charge": null}'::jsonb, ${AT}, ${AT}
      from ${ROWS} order by n desc`,
  request_log: `
    insert into request_log (id, account_id, mode, method, route, path, status, code, duration_ms, key_id, source, request_body,
      answer_body, created_at)
    select ${idOf('req')}, ${SCOPE}, 'POST', route, route, case when n % 10000 = 7 then 422 when n % 4 = 0 then 402 else 200 end,
           case when n % 10000 = 7 then 'session_missing_consumer' when n % 4 = 0 then 'card_declined' end, 12,
           'key_' || md5('key' || n % 1000), '192.0.2.1', '{}', '{}', ${AT}
      from ${ROWS}, lateral (select case when n % 10000 = 7 then '/v1/send_link' else '/v1/charge' end as route) r`,
  audit_events: `
    insert into audit_events (id, account_id, mode, action, object_id, changes, actor_kind, actor_id, source, created_at)
    select ${idOf('aud')}, ${SCOPE}, case when n = $1 - 7 then 'account.secret_rolled' else 'refund.created' end, ${idOf('re')}, '{}',
           'key', 'key_bench', '192.0.2.1', ${AT}
      from ${ROWS} order by n desc`,
} as const;

/** @param charges number of charges; other tables get {@link othersOf} rows */
export async function seedAccount(databaseUrl: string, charges: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Foreign keys and triggers do not run row by row, which would take most of the time.
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'`,
    );
    await client.query(
      `insert into merchants (id, account_id, mode, slug, business_name, currency, policy)
       values ($1, '${DEMO_ACCOUNT}', 'test', 'bench-rare', 'Seldom Called', 'USD', 'always')`,
      [RARE_MERCHANT],
    );
    for (const [table, statement] of Object.entries(STATEMENTS)) {
      const rows = table === 'charges' ? charges : othersOf(charges);
      console.error(`${table}: ${rows.toLocaleString('en')} rows …`);
      await withoutIndexes(client, table, () => client.query(statement, [rows]));
      await client.query(`vacuum analyze ${table}`);
    }
  } finally {
    await client.end();
  }
}

export const othersOf = (charges: number) => Math.floor(charges / CHARGES_A_SESSION);

/** The ID of row `n` of a table, counted from the newest. */
export const seededId = (prefix: string, n: number) =>
  `${prefix}_${createHash('md5').update(`${prefix}${n}`).digest('hex')}`;

/** @returns the Cookie header of a signed-in owner */
export async function signIn(databaseUrl: string): Promise<string> {
  const database = openDatabase({ url: databaseUrl, maxConnections: 1, onIdleError: console.error });
  try {
    const user = {
      id: newId('User'),
      accountId: DEMO_ACCOUNT,
      email: 'bench@example.com',
      name: 'Bench',
      role: 'owner',
    };
    await insertUser(database, user as Parameters<typeof insertUser>[1]);
    const { token } = await startUserSession(database, user, 'password', { source: null, requestId: null });
    return `ringkey=${token}`;
  } finally {
    await database.close();
  }
}
