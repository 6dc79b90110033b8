// Copies the signals of the last day, which velocity rules still count, and counts the attempts of the last hour; some at a
// time, so that no row is locked for long.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  pgm.sql(`do $$
    declare
      -- Charges since the migration before this one have both.
      until constant timestamptz := now();
      at timestamptz := now() - interval '1 day';
    begin
      while at < until loop
        insert into charge_signals (charge_id, account_id, mode, created_at, card_fingerprint, origin_hash, calling_number_hash,
                                    call_source_hash)
        select id, account_id, mode, created_at, card_fingerprint, origin_hash, calling_number_hash, call_source_hash
          from charges
         where created_at >= at and created_at < at + interval '10 minutes'
           and (card_fingerprint is not null or origin_hash is not null or calling_number_hash is not null
                or call_source_hash is not null)
        on conflict do nothing;
        commit;
        at := at + interval '10 minutes';
      end loop;
    end $$`);
}
