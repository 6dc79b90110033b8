// For the emails that need attention: the newest ones that were not delivered, over all accounts.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists undelivered_emails');
  pgm.sql(`create index concurrently undelivered_emails on emails (created_at) where status = 'failed'`);
}
