// An authorized charge is live, too: a session has one pending, authorized or succeeded charge. The index without `authorized`
// stays for processes of the version before. And the holds whose state is to be read.
const INDEXES = {
  one_live_charge_per_session: `unique (session_id) where status in ('pending', 'authorized', 'succeeded') and duplicate_of is null`,
  charges_hold_check_at: `(hold_check_at) where status = 'authorized'`,
};

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  for (const [name, definition] of Object.entries(INDEXES)) {
    const [, unique = '', columns] = /^(unique )?(.*)$/.exec(definition);
    // An interrupted attempt leaves an invalid index.
    pgm.sql(`do $$ begin
      if exists (select from pg_index where indexrelid = to_regclass('${name}') and not indisvalid) then
        drop index ${name};
      end if; end $$`);
    pgm.sql(`create ${unique}index concurrently if not exists ${name} on charges ${columns}`);
  }
}
