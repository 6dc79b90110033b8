// For the lists of users who are limited to merchants: texts, emails and events name the merchant of their session, which
// never changes. Rows of earlier versions get theirs some at a time, so no row is locked for long.
const TABLES = ['texts', 'emails', 'events'];

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // A trigger, because processes of the previous version insert rows, too.
  pgm.sql(`create or replace function name_merchant_of_session() returns trigger language plpgsql as $$
    begin
      new.merchant_id := (select merchant_id from checkout_sessions where id = new.session_id);
      return new;
    end $$`);
  for (const table of TABLES) {
    pgm.sql(`alter table ${table} add column if not exists merchant_id text`);
    pgm.sql(`create or replace trigger merchant_of_${table}_named before insert on ${table} for each row
      when (new.session_id is not null) execute function name_merchant_of_session()`);
    pgm.sql(fill(table));
  }
}

const fill = (table) => `do $$
  declare
    last_id text := '';
    next_id text;
  begin
    loop
      select max(id) into next_id from (select id from ${table} where id > last_id order by id limit 5000) batch;
      exit when next_id is null;
      update ${table} set merchant_id = s.merchant_id
        from checkout_sessions s
       where ${table}.id > last_id and ${table}.id <= next_id and ${table}.merchant_id is null
         and s.id = ${table}.session_id and s.merchant_id is not null;
      commit;
      last_id := next_id;
    end loop;
  end $$`;
