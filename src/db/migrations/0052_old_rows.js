// For pruning, which walks through the old rows of a table in the order of their age. In place of block ranges (BRIN): once the space
// of deleted rows is used again, each block has rows of every age.
const INDEXES = {
  webhook_deliveries_by_age: 'webhook_deliveries (created_at)',
  events_by_age: 'events (created_at)',
  texts_by_age: 'texts (created_at)',
  audit_events_by_age: 'audit_events (created_at)',
  requests_by_creation: 'requests (created_at)',
  checkout_sessions_to_prune: `checkout_sessions (created_at) where cleared_at is null and status <> 'open'`,
  calls_without_session: 'calls (ended_at) where session_id is null and ended_at is not null',
};

const REPLACED = [
  'webhook_deliveries_created_at_idx',
  'events_created_at_idx',
  'texts_created_at_idx',
  'audit_events_created_at_idx',
  'requests_by_age',
  'checkout_sessions_to_clear',
];

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  for (const [name, definition] of Object.entries(INDEXES)) {
    // What an attempt that was broken off has left is not valid.
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create index concurrently ${name} on ${definition}`);
  }
  for (const name of REPLACED) pgm.sql(`drop index concurrently if exists ${name}`);
}
