// Finds the merchants that share a payout, for the month-end report.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists payouts_by_reference');
  pgm.sql(
    'create index concurrently payouts_by_reference on payouts (account_id, mode, processor, processor_payout_id)',
  );
}
