// Whether any payer of an account has saved a card at a processor: the pay page offers saved cards only then. Without the index
// each page would read through the cards of all accounts.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // What an attempt that was broken off has left is not valid.
  pgm.sql('drop index concurrently if exists instruments_by_account');
  pgm.sql(`create index concurrently instruments_by_account on instruments (account_id, mode, processor)
            where deleted_at is null`);
}
