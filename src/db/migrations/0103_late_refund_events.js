// Before, an event of a late failure was dropped if the refund had failed once before.
const INDEX = 'unique index concurrently one_event_a_change_of_refund on events (refund_id, type, is_late_failure)';

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists one_event_a_change_of_refund');
  pgm.sql(`create ${INDEX} where refund_id is not null`);
  pgm.sql('drop index concurrently if exists one_event_a_refund_and_kind');
}
