// For the lists of events and of the audit trail: an index for the filter by kind, which may be rare. Without it a page of a rare
// kind reads all rows of the account.
const INDEXES = {
  events_by_type: 'events (account_id, mode, type, sequence desc)',
  audit_events_by_action: 'audit_events (account_id, action, sequence desc)',
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
