// The statistics' index of refunded charges, with bank debits that were returned after their refund.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists charges_with_refunds');
  pgm.sql(`create index concurrently charges_with_refunds on charges (account_id, mode, created_at)
    include (merchant_id, currency, refunded_cents) where refunded_cents > 0`);
  pgm.sql('drop index concurrently if exists refunded_charges');
}
