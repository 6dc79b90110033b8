// For the counts of the velocity rules, and for the hashes that are to be forgotten. The indexes that they replace leave out charges
// that succeeded; whatever used those can use these.
const INDEXES = {
  charges_by_caller: '(account_id, mode, caller_phone, created_at) where caller_phone is not null',
  charges_by_origin: '(account_id, mode, origin_hash, created_at) where origin_hash is not null',
  charges_by_calling_number:
    '(account_id, mode, calling_number_hash, created_at) where calling_number_hash is not null',
  charges_by_call_source: '(account_id, mode, call_source_hash, created_at) where call_source_hash is not null',
  // Of a busy trunk or merchant only the declines are counted, unless there are many.
  declines_by_call_source: `(account_id, mode, call_source_hash, created_at) where status = 'failed'`,
  declines_by_merchant: `(merchant_id, created_at) where status = 'failed'`,
  charges_by_merchant: '(merchant_id, created_at)',
  charges_with_signals: `(created_at) where card_fingerprint is not null or origin_hash is not null
     or calling_number_hash is not null or call_source_hash is not null`,
};

const REPLACED = [
  'charges_account_id_mode_caller_phone_created_at_idx',
  'charges_account_id_mode_origin_hash_created_at_idx',
  'charges_created_at_idx',
];

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  for (const [name, definition] of Object.entries(INDEXES)) {
    // What an attempt that was broken off has left is not valid.
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create index concurrently ${name} on charges ${definition}`);
  }
  for (const name of REPLACED) pgm.sql(`drop index concurrently if exists ${name}`);
}
