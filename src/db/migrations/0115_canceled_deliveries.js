// For the list of events with canceled deliveries, which are few or none: without it, a page reads all deliveries.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists canceled_deliveries');
  pgm.sql(
    `create index concurrently canceled_deliveries on webhook_deliveries (endpoint_id, sequence) where status = 'canceled'`,
  );
}
