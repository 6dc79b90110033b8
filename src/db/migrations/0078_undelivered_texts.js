// For the texts that need attention: the newest ones that were not delivered, over all accounts.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists undelivered_texts');
  pgm.sql(
    `create index concurrently undelivered_texts on texts (created_at) where status = 'failed' or delivery = 'undelivered'`,
  );
}
