// A refund that succeeded can fail later, so it can have one event of each kind.
const INDEXES = {
  one_event_a_refund_and_kind: 'unique index concurrently %s on events (refund_id, type) where refund_id is not null',
  refunds_failed_late: 'index concurrently %s on refunds (account_id, mode) where failed_late_at is not null',
  charges_with_failed_capture:
    'index concurrently %s on charges (account_id, mode) where capture_failed_at is not null',
};

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  for (const [name, definition] of Object.entries(INDEXES)) {
    // An interrupted attempt leaves an invalid index.
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create ${definition.replace('%s', name)}`);
  }
  pgm.sql('drop index concurrently if exists one_event_a_refund');
}
