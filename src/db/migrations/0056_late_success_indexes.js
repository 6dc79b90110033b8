// A charge that was found taken late may be the second of its session: money that was taken is never left out of the record. It names
// the other one in `duplicate_of`, and the rule of one live charge a session is about charges without it.
const NAME = 'one_live_charge_of_session';

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // What an attempt that was broken off has left is not valid.
  pgm.sql(`do $$ begin
    if exists (select from pg_index where indexrelid = to_regclass('${NAME}') and not indisvalid) then
      drop index ${NAME};
    end if; end $$`);
  pgm.sql(`create unique index concurrently if not exists ${NAME} on charges (session_id)
    where status in ('pending', 'succeeded') and duplicate_of is null`);
  pgm.sql('drop index concurrently if exists one_live_charge_a_session');
  for (const [name, definition] of Object.entries({
    charges_duplicate_of: '(duplicate_of) where duplicate_of is not null',
    charges_late: '(account_id, mode, created_at desc, id desc) where was_late',
  })) {
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create index concurrently ${name} on charges ${definition}`);
  }
}
