// Names the merchant of each call that was made before calls named theirs, some at a time: no row is locked for long.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  pgm.sql(`do $$
    declare
      last_id text := '';
      next_id text;
    begin
      loop
        select max(id) into next_id from (select id from calls where id > last_id order by id limit 5000) batch;
        exit when next_id is null;
        update calls set merchant_id = s.merchant_id
          from checkout_sessions s
         where calls.id > last_id and calls.id <= next_id and calls.merchant_id is null and s.id = calls.session_id;
        commit;
        last_id := next_id;
      end loop;
    end $$`);
}
