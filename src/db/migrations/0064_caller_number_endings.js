// Finds callers by the last digits of their numbers: a reversed number begins with them.
const INDEXES = {
  checkout_sessions_by_caller_ending:
    'checkout_sessions (account_id, mode, reverse(caller_phone) text_pattern_ops) where caller_phone is not null',
  charges_by_caller_ending:
    'charges (account_id, mode, reverse(caller_phone) text_pattern_ops) where caller_phone is not null',
};

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  for (const [name, definition] of Object.entries(INDEXES)) {
    // An attempt that was broken off leaves an invalid index.
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create index concurrently ${name} on ${definition}`);
  }
}
