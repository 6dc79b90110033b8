// For the list of texts with a delivery status: the newest ones with any status, which may be rare.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists texts_by_state');
  pgm.sql(
    'create index concurrently texts_by_state on texts (account_id, mode, coalesce(delivery, status), created_at desc, id desc)',
  );
}
