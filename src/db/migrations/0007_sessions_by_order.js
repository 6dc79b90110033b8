// Finds the other sessions of a merchant's order, when a checkout is opened and when a charge begins.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // What an attempt that was broken off has left is not valid.
  pgm.sql('drop index concurrently if exists checkout_sessions_by_order');
  pgm.sql(
    'create index concurrently checkout_sessions_by_order on checkout_sessions (merchant_id, order_id) where order_id is not null',
  );
}
