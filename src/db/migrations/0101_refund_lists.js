// For the list of refunds: one index for each filter that may be rare.
const INDEXES = {
  refunds_by_merchant: 'refunds (merchant_id, created_at desc, id desc)',
  refunds_by_status: 'refunds (account_id, mode, status, created_at desc, id desc)',
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
