// For the lists of calls, charges, checkout sessions and texts: newest first, one index for each filter that may be rare.
// What is not here has one already: charges of a merchant (charges_by_merchant) and of a caller (charges_by_caller).
const INDEXES = {
  calls_by_time: 'calls (account_id, mode, started_at desc, id desc)',
  calls_by_outcome: 'calls (account_id, mode, outcome, started_at desc, id desc)',
  calls_by_merchant: 'calls (merchant_id, started_at desc, id desc)',
  charges_by_time: 'charges (account_id, mode, created_at desc, id desc)',
  charges_by_status: 'charges (account_id, mode, status, created_at desc, id desc)',
  charges_by_last_four: 'charges (account_id, mode, last_four, created_at desc, id desc) where last_four is not null',
  checkout_sessions_by_time: 'checkout_sessions (account_id, mode, created_at desc, id desc)',
  checkout_sessions_by_status: 'checkout_sessions (account_id, mode, status, created_at desc, id desc)',
  checkout_sessions_by_merchant: 'checkout_sessions (merchant_id, created_at desc, id desc)',
  checkout_sessions_by_order_id:
    'checkout_sessions (account_id, mode, order_id, created_at desc, id desc) where order_id is not null',
  checkout_sessions_by_platform_call:
    'checkout_sessions (account_id, mode, platform_call_id, created_at desc, id desc) where platform_call_id is not null',
  // In place of the one without a time, whose users can use it.
  checkout_sessions_by_caller_and_time:
    'checkout_sessions (account_id, mode, caller_phone, created_at desc, id desc) where caller_phone is not null',
  texts_by_time: 'texts (account_id, mode, created_at desc, id desc)',
};

const REPLACED = ['checkout_sessions_by_caller'];

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
