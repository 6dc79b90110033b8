// For the list of emails with a status: the newest ones with any status, which may be rare.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists emails_by_status');
  pgm.sql('create index concurrently emails_by_status on emails (account_id, mode, status, created_at desc, id desc)');
}
