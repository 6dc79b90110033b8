// For the list of payout entries: a merchant with few of them would read those of all merchants.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists payout_entries_by_merchant');
  pgm.sql(`create index concurrently payout_entries_by_merchant
    on payout_entries (merchant_id, created_at desc, id desc)`);
}
