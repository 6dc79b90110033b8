/** SQL: inserts a row of the account `$1` that counts for a limit. Its ID is `$2`. */
const CALL = `insert into calls (id, account_id, mode, instance, lease_id, sip_call_id, sip_dialogs, source_address)
              values ($2, $1, 'test', 'test', 0, $2, '{}', '127.0.0.1')`;

export const ROWS_OF_LIMITS = {
  calls: { table: 'calls', insert: CALL },
  process_calls: { table: 'calls', insert: CALL },
  webhook_endpoints: {
    table: 'webhook_endpoints',
    insert: `insert into webhook_endpoints (id, account_id, mode, url, events, signing_secret)
             values ($2, $1, 'test', 'https://hooks.example.com', '{}', 'sealed')`,
  },
  alert_targets: {
    table: 'alert_targets',
    insert: `insert into alert_targets (id, account_id, mode, channel, email, topics, urgent_only, time_zone, summary_if_empty)
             values ($2, $1, 'test', 'email', 'ops@example.com', '{}', false, 'UTC', false)`,
  },
  keys: {
    table: 'keys',
    insert: `insert into keys (id, account_id, mode, key_hash, prefix) values ($2, $1, 'test', sha256($2::text::bytea), 'rk_test_')`,
  },
  users: {
    table: 'users',
    insert: `insert into users (id, account_id, email, name, role) values ($2, $1, $2, '', 'viewer')`,
  },
} as const;
