// Connections whose reconciliation is due: each worker looks for the first of them.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  pgm.sql('drop index concurrently if exists merchant_processors_reconcile_at');
  pgm.sql('create index concurrently merchant_processors_reconcile_at on merchant_processors (reconcile_at)');
}
