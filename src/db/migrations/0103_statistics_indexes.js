// For the statistics: the refunds of charges, and the days that an earlier version has rolled up without quarters.
const INDEXES = {
  refunded_charges: `charges (account_id, mode, created_at) include (merchant_id, currency, refunded_cents)
    where refunded_cents > 0 and status = 'succeeded'`,
  statistics_days_without_quarters: 'statistics_days (day) where not has_quarters',
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
