// Finds what a caller has left behind, by number: for the erasure of a person.
const INDEXES = {
  checkout_sessions_by_caller: 'checkout_sessions (account_id, mode, caller_phone) where caller_phone is not null',
  checkout_sessions_by_lent_phone: 'checkout_sessions (account_id, mode, lent_phone) where lent_phone is not null',
  texts_by_recipient: 'texts (account_id, mode, recipient)',
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
