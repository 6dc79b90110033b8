// For users who are limited to merchants: without these, a list reads the newer rows of all other merchants, and a caller
// the sessions at all merchants. A merchant belongs to one account and mode, so the indexes begin with it.
const INDEXES = {
  texts_by_merchant: 'texts (merchant_id, created_at desc, id desc)',
  emails_by_merchant: 'emails (merchant_id, created_at desc, id desc)',
  events_by_merchant: 'events (merchant_id, sequence desc)',
  events_by_merchant_and_type: 'events (merchant_id, type, sequence desc)',
  // Reversed, because callers are also found by their last digits.
  checkout_sessions_by_merchant_and_caller:
    'checkout_sessions (merchant_id, reverse(caller_phone) text_pattern_ops) where caller_phone is not null',
};

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  for (const [name, definition] of Object.entries(INDEXES)) {
    // An interrupted attempt leaves an invalid index.
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create index concurrently ${name} on ${definition}`);
  }
}
