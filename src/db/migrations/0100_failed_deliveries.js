// For the deliveries of an endpoint that failed: their list, and sending them again.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists failed_deliveries');
  pgm.sql(`create index concurrently failed_deliveries on webhook_deliveries (endpoint_id, sequence)
    where status = 'failed'`);
}
