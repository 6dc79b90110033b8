// For the list of the calls that are on the line now: a handful among millions, and mostly none.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // What an attempt that was broken off has left is not valid.
  pgm.sql('drop index concurrently if exists live_calls');
  pgm.sql(
    'create index concurrently live_calls on calls (account_id, mode, started_at desc, id desc) where ended_at is null',
  );
}
