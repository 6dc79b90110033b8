// Finds sessions that are to be deleted or cleared, and their calls. The others are for the foreign keys: without them each
// deletion reads whole tables.
const INDEXES = {
  checkout_sessions_to_clear: 'checkout_sessions (created_at) where cleared_at is null',
  calls_by_session: 'calls (session_id)',
  refunds_by_session: 'refunds (session_id)',
  card_consents_by_call: 'card_consents (call_id) where call_id is not null',
};

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  for (const [name, definition] of Object.entries(INDEXES)) {
    // What an attempt that was broken off has left is not valid.
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create index concurrently ${name} on ${definition}`);
  }
}
