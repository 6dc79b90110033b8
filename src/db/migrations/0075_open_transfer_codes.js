// A code names one open session of an account and mode.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists open_transfer_codes');
  pgm.sql(
    `create unique index concurrently open_transfer_codes on checkout_sessions (account_id, mode, transfer_code_hash)
      where transfer_code_hash is not null and status = 'open'`,
  );
}
