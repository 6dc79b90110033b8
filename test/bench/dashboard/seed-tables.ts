/**
 * The rows of the dashboard bench, as SQL. An account with many charges: five charges for each two sessions, two of them
 * paid; a call for each session; refunds, disputes and payouts; events, texts and requests as far as they are kept. One
 * session in a hundred belongs to a small account.
 */
import { askStep, CHARGE_STEP, RETURN_STEP } from '../../../src/domain/call.ts';
import type { AccountId } from '../../../src/domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../../src/local/standalone/demo-data.ts';

export const RARE_MERCHANT = 'mer_bench_rare';
/** Has no rows. */
export const EMPTY_MERCHANT = 'mer_bench_empty';
export const SMALL_ACCOUNT = 'acct_bench_10' as AccountId;
/** Has half of the account's sessions. The others have a twentieth each. */
export const BIG_MERCHANT = DEMO_DINER;
export const BUSY_CALLER = '+15550000001';
const SMALL_ACCOUNTS = 200;
const ENDPOINTS = 3;
/** One session in this many has the rare merchant, or the busy caller. */
const RARE_EVERY = 1_000;
const REFUNDED_EVERY = 33;
const DISPUTED_EVERY = 333;
const SPREAD = '365 days';
/** What is not kept for longer. */
const LOG_SPREAD = '30 days';

/** How many rows a table has. @param charges how many there are */
export const rowsOf = (charges: number) => {
  const sessions = Math.floor((charges * 2) / 5);
  return {
    charges,
    sessions,
    refunds: Math.floor(sessions / REFUNDED_EVERY),
    disputes: Math.floor(sessions / DISPUTED_EVERY),
    /** Also texts, deliveries and their attempts, and the entries of payouts. */
    events: Math.floor(charges / 5),
    audit: Math.floor(charges / 25),
  };
};
type Rows = keyof ReturnType<typeof rowsOf>;

/** SQL: the ID of row `n`, at random places of its index like real IDs. */
const idOf = (prefix: string, n = 'n') => `'${prefix}_' || md5('${prefix}' || ${n})`;
/** SQL. Row 1 is the newest. `$1`: the number of rows. */
const at = (spread: string) => `now() - n * interval '${spread}' / $1::integer`;
const AT = at(SPREAD);
const LOG_AT = at(LOG_SPREAD);
const ROWS = 'generate_series(1, $1::integer) n';

const isSmall = (session: string) => `${session} % 100 = 33`;
const small = (prefix: string, session: string) => `'${prefix}_' || ${session} / 100 % ${SMALL_ACCOUNTS}`;
const accountOf = (session: string) =>
  `case when ${isSmall(session)} then ${small('acct_bench', session)} else '${DEMO_ACCOUNT}' end`;
const scopeOf = (session: string) => `${accountOf(session)}, 'test'::mode`;
const OURS = `'${DEMO_ACCOUNT}', 'test'::mode`;
const merchantOf = (session: string) =>
  `case when ${isSmall(session)} then ${small('mer_bench_small', session)} when ${session} % ${RARE_EVERY} = 7 then '${RARE_MERCHANT}'
        when ${session} % 2 = 0 then '${BIG_MERCHANT}' else 'mer_bench_' || ${session} % 20 end`;
const callerOf = (session: string) =>
  `case when ${session} % ${RARE_EVERY} = 8 then '${BUSY_CALLER}' else '+1555' || (1000000 + ${session} % 8999999) end`;
/** SQL: the session of charge `n`: of five charges, the first two are paid, each of another session. */
const SESSION = '((n - 1) / 5 * 2 + 1 + (n - 1) % 5 % 2)';
const IS_PAID = '((n - 1) % 5 < 2)';
const paidCharge = (session: string) => idOf('ch', `((${session} - 1) / 2 * 5 + (${session} - 1) % 2 + 1)`);
const STEPS = [askStep('card_number'), askStep('expiry'), askStep('security_code'), CHARGE_STEP, RETURN_STEP];
const REFUNDED = `n * ${REFUNDED_EVERY}`;
const DISPUTED = `n * ${DISPUTED_EVERY}`;
const ENDPOINT = `'we_bench_' || n % ${ENDPOINTS}`;
const IS_REJECTED = 'n % 500 = 0';

/** What the tables below refer to. */
export const OTHERS = `
  insert into accounts (id, name, header_signing_secret)
    select 'acct_bench_' || n, 'Small ' || n, 'x' from generate_series(0, ${SMALL_ACCOUNTS - 1}) n;
  insert into merchants (id, account_id, mode, slug, business_name, currency, policy, time_zone)
    select 'mer_bench_' || n, ${OURS}, 'bench-' || n, 'Bench ' || n, 'USD', 'always', 'America/New_York' from generate_series(1, 19, 2) n
    union all select '${RARE_MERCHANT}', ${OURS}, 'bench-rare', 'Seldom Called', 'USD', 'always', 'America/New_York'
    union all select '${EMPTY_MERCHANT}', ${OURS}, 'bench-empty', 'Never Called', 'USD', 'always', 'America/New_York'
    union all select 'mer_bench_small_' || n, 'acct_bench_' || n, 'test', 'small', 'Small ' || n, 'USD', 'always', 'America/New_York'
      from generate_series(0, ${SMALL_ACCOUNTS - 1}) n;
  insert into webhook_endpoints (id, account_id, mode, url, events, signing_secret)
    select 'we_bench_' || n, ${OURS}, 'https://example.com/' || n, '{}', 'x' from generate_series(0, ${ENDPOINTS - 1}) n;
  insert into saved_views (id, account_id, mode, list, query, name)
    select 'view_bench_' || n, ${OURS}, 'charges', 'status=failed', 'View ' || n from generate_series(1, 10) n;
  insert into payouts (id, account_id, mode, merchant_id, processor, processor_payout_id, status, amount_cents, currency, arrival_date, version,
                       created_at, updated_at)
    select 'po_' || md5(m.id || '.' || n), ${OURS}, m.id, 'sandbox', m.id || '.' || n, 'paid', 1000000, 'USD', current_date - n, 1, of_day, of_day
      from merchants m, generate_series(0, 364) n, lateral (select now() - n * interval '1 day') at (of_day)
     where m.account_id = '${DEMO_ACCOUNT}' and m.mode = 'test' and m.id <> '${EMPTY_MERCHANT}';
  insert into attention_items (id, kind, account_id, mode, subject, facts, opened_at, closed_at)
    select ${idOf('att')}, 'endpoint_failing', ${OURS}, 'we_' || n, '{"name": "example.com", "count": 5}', now() - n * interval '1 hour',
           case when n > 200 then now() end from generate_series(1, 5000) n`;

interface Table {
  rows: Rows;
  insert: string;
}

export const TABLES: Readonly<Record<string, Table>> = {
  checkout_sessions: {
    rows: 'sessions',
    insert: `(id, account_id, mode, merchant_id, status, verdict, amount_cents, currency, amount_source, caller_phone, order_id,
              platform_call_id, created_at, expires_at)
    select ${idOf('cs')}, ${scopeOf('n')}, ${merchantOf('n')}, (case when n <= 50 then 'open' else 'complete' end)::session_status,
           'required', 4250, 'USD', 'request', ${callerOf('n')}, 'order_' || n, 'platform_' || n, ${AT}, now() + interval '1 hour'
      from ${ROWS}`,
  },
  charges: {
    rows: 'charges',
    insert: `(id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor, processor_payment_id,
              decline_code, caller_phone, brand, last_four, refunded_cents, created_at, settled_at)
    select ${idOf('ch')}, ${idOf('cs', SESSION)}, ${scopeOf(SESSION)}, ${merchantOf(SESSION)},
           (case when n = 1 then 'pending' when ${IS_PAID} then 'succeeded' else 'failed' end)::charge_status, 4250, 'USD', 'phone',
           'sandbox', 'pay_' || n, case when not ${IS_PAID} then 'insufficient_funds' end, ${callerOf(SESSION)}, 'VISA',
           case when n % 2 = 0 then '4242' else lpad((n % 9973)::text, 4, '0') end,
           case when n > 1 and ${IS_PAID} and ${SESSION} % ${REFUNDED_EVERY} = 0 then 100 else 0 end, ${AT}, case when n <> 1 then ${AT} end
      from ${ROWS}`,
  },
  calls: {
    rows: 'sessions',
    insert: `(id, account_id, mode, session_id, merchant_id, instance, lease_id, sip_call_id, source_address, sip_dialogs, outcome, reason,
              charge_id, steps, return_mode, started_at, answered_at, ended_at)
    select ${idOf('call')}, ${scopeOf('n')}, ${idOf('cs')}, ${merchantOf('n')}, 'a', 1, 'sip-' || n, '192.0.2.1', '{}',
           case when n % 10000 = 7 then 'expired' when n % 3 = 0 then 'failed' else 'succeeded' end, case when n % 3 = 0 then 'declined' end,
           ${paidCharge('n')}, '{${STEPS.map((step) => `"${step}"`).join(', ')}}', 'refer', ${AT} - interval '1 minute', ${AT} - interval '1 minute',
           ${AT} + interval '10 seconds'
      from ${ROWS}`,
  },
  texts: {
    rows: 'events',
    insert: `(id, account_id, mode, session_id, merchant_id, charge_id, kind, recipient, body, segments, status, created_at)
    select ${idOf('txt')}, ${scopeOf('n')}, ${idOf('cs')}, ${merchantOf('n')}, ${paidCharge('n')}, 'receipt', ${callerOf('n')}, 'Paid.', 1, 'sent', ${LOG_AT}
      from ${ROWS}`,
  },
  refunds: {
    rows: 'refunds',
    insert: `(id, charge_id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, processor, processor_payment_id,
              created_at, settled_at, resolve_at)
    select ${idOf('re')}, ${paidCharge(REFUNDED)}, ${idOf('cs', REFUNDED)}, ${scopeOf(`(${REFUNDED})`)}, ${merchantOf(`(${REFUNDED})`)},
           'succeeded', 100, 'USD', 'sandbox', 'pay_' || n, ${AT}, ${AT}, 'infinity'
      from ${ROWS}`,
  },
  disputes: {
    rows: 'disputes',
    insert: `(id, account_id, mode, merchant_id, charge_id, session_id, processor, processor_dispute_id, kind, status, reason, amount_cents,
              currency, version, created_at)
    select ${idOf('dp')}, ${scopeOf(`(${DISPUTED})`)}, ${merchantOf(`(${DISPUTED})`)}, ${paidCharge(DISPUTED)}, ${idOf('cs', DISPUTED)},
           'sandbox', 'dispute_' || n, 'chargeback', case when n % 3 = 0 then 'lost' else 'won' end, 'fraudulent', 4250, 'USD', 1, ${AT}
      from ${ROWS}`,
  },
  // Those of a payout are written together.
  payout_entries: {
    rows: 'events',
    insert: `(id, payout_id, account_id, mode, merchant_id, processor_entry_id, kind, charge_id, gross_cents, fee_cents, net_cents, created_at)
    select ${idOf('pe')}, 'po_' || md5('${BIG_MERCHANT}.' || (n - 1) * 365::bigint / $1::integer), ${OURS}, '${BIG_MERCHANT}', 'entry_' || n,
           'charge', ${paidCharge('(n * 2)')}, 4250, 100, 4150, ${AT}
      from ${ROWS}`,
  },
  // Ordered by number; the newest has the highest.
  events: {
    rows: 'events',
    insert: `(id, account_id, mode, type, session_id, merchant_id, charge_id, facts, created_at, relayed_at)
    select ${idOf('evt')}, ${scopeOf('n')}, case when n = $1 - 7 then 'checkout.expired' when n % 2 = 0 then 'checkout.completed'
             else 'checkout.succeeded' end, ${idOf('cs')}, ${merchantOf('n')}, ${paidCharge('n')},
           '{"session_status": "complete", "outcome": "succeeded", "charge": null}'::jsonb, ${LOG_AT}, ${LOG_AT}
      from ${ROWS} order by n desc`,
  },
  webhook_deliveries: {
    rows: 'events',
    insert: `(endpoint_id, event_id, sequence, status, attempts, enqueue_at, created_at, attempted_at, latency_ms, status_code, failure)
    select ${ENDPOINT}, ${idOf('evt')}, $1::integer - n, case when ${IS_REJECTED} then 'failed' else 'delivered' end, 1, ${LOG_AT}, ${LOG_AT},
           ${LOG_AT}, 12, case when ${IS_REJECTED} then 500 else 200 end, case when ${IS_REJECTED} then 'status' end
      from ${ROWS}`,
  },
  webhook_attempts: {
    rows: 'events',
    insert: `(event_id, endpoint_id, attempt, sent_at, signature, latency_ms, status_code, failure, created_at)
    select ${idOf('evt')}, ${ENDPOINT}, 1, ${LOG_AT}, 'v1,x', 12, case when ${IS_REJECTED} then 500 else 200 end,
           case when ${IS_REJECTED} then 'status' end, ${LOG_AT}
      from ${ROWS}`,
  },
  request_log: {
    rows: 'events',
    insert: `(id, account_id, mode, method, route, path, status, code, duration_ms, key_id, source, request_body, answer_body, created_at)
    select ${idOf('req')}, ${OURS}, 'POST', route, route, case when n % 10000 = 7 then 422 when n % 4 = 0 then 402 else 200 end,
           case when n % 10000 = 7 then 'session_missing_consumer' when n % 4 = 0 then 'card_declined' end, 12,
           'key_' || md5('key' || n % 1000), '192.0.2.1', '{}', '{}', ${LOG_AT}
      from ${ROWS}, lateral (select case when n % 10000 = 7 then '/v1/send_link' else '/v1/charge' end as route) r`,
  },
  audit_events: {
    rows: 'audit',
    insert: `(id, account_id, mode, action, object_id, changes, actor_kind, actor_id, source, created_at)
    select ${idOf('aud')}, ${OURS}, case when n = $1 - 7 then 'account.secret_rolled' else 'refund.created' end, ${idOf('re')}, '{}',
           'key', 'key_bench', '192.0.2.1', ${AT}
      from ${ROWS} order by n desc`,
  },
};

/** The number of the charge that paid a session. */
export const paidChargeOf = (session: number) => Math.floor((session - 1) / 2) * 5 + ((session - 1) % 2) + 1;
export const disputedSession = (dispute: number) => dispute * DISPUTED_EVERY;
export const refundedSession = (refund: number) => refund * REFUNDED_EVERY;
