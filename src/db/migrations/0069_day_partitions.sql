-- Up Migration
-- Tables with a partition a day: workers create partitions ahead of time, and drop old ones instead of deleting rows. Days are
-- UTC. The default partition takes rows of days without a partition, so that a missing worker never stops a payment.
set local lock_timeout = '5s';

-- Creates the partitions of today and the next days that do not exist yet. Returns how many.
create function make_day_partitions(parent text, days_ahead integer) returns integer language plpgsql as $$
declare
  today date := (now() at time zone 'UTC')::date;
  day date;
  name text;
  made integer := 0;
begin
  -- Another worker is at it.
  if not pg_try_advisory_xact_lock(72141, hashtext(parent)) then return 0; end if;
  for day in select today + ahead from generate_series(0, days_ahead) ahead loop
    name := parent || '_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null;
    begin
      -- Attached: `create table … partition of` would lock the parent against reads and writes.
      execute format('create table %I (like %I including all)', name, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name,
                     day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      made := made + 1;
    exception
      -- Another partition covers the day, or the default partition already has rows of it. They stay where they are.
      when invalid_object_definition or check_violation then null;
    end;
  end loop;
  return made;
end $$;

-- Drops the partitions whose rows are all older than `kept`. Returns how many. A drop locks the parent: it waits for running
-- statements only briefly, because new ones wait behind it.
create function drop_day_partitions(parent text, kept interval) returns integer language plpgsql as $$
declare
  name text;
  dropped integer := 0;
begin
  perform set_config('lock_timeout', '200ms', true);
  for name in
    select child.relname from pg_inherits
      join pg_class child on child.oid = pg_inherits.inhrelid
     where pg_inherits.inhparent = to_regclass(parent) and child.relname ~ ('^' || parent || '_\d{8}$')
       and (to_date(right(child.relname, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC' <= now() - kept
     order by child.relname
  loop
    execute format('drop table %I', name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- What velocity rules count single payers and cards by: keyed hashes, kept for two days.
create table charge_signals (
  charge_id text not null,
  account_id text not null,
  mode mode not null,
  created_at timestamptz not null default now(),
  card_fingerprint bytea,
  -- Of the address of a payer on the pay page.
  origin_hash bytea,
  -- Of the number that a call came from, if the session has none; of the trunk or address that sent the call.
  calling_number_hash bytea,
  call_source_hash bytea,
  primary key (charge_id, created_at)
) partition by range (created_at);
create index on charge_signals (card_fingerprint, created_at) where card_fingerprint is not null;
create index on charge_signals (origin_hash, created_at) where origin_hash is not null;
create table charge_signals_default partition of charge_signals default;
select make_day_partitions('charge_signals', 3);

-- What velocity rules count trunks, calling numbers and merchants by, which can have thousands of charges an hour: a few rows a
-- minute. Concurrent charges use different slots, so that they rarely wait for each other.
create table attempt_counts (
  account_id text not null,
  mode mode not null,
  signal text not null,
  -- The merchant's ID, or the hash in hexadecimal.
  value text not null,
  minute timestamptz not null,
  slot smallint not null,
  -- Charges that are pending, succeeded or were declined, and those that a bank declined.
  attempts integer not null,
  declines integer not null,
  primary key (account_id, mode, signal, value, minute, slot)
) partition by range (minute);
create table attempt_counts_default partition of attempt_counts default;
select make_day_partitions('attempt_counts', 3);

-- Keeps `attempt_counts`, in whichever way a charge is inserted or settled.
create function count_attempt() returns trigger language plpgsql as $$
declare
  more_attempts integer := (new.status <> 'failed' or new.decline_code is not null)::integer;
  more_declines integer := (new.status = 'failed'
    and coalesce(new.decline_code not in ('try_again_later', 'processing_error'), false))::integer;
begin
  if tg_op = 'UPDATE' then
    more_attempts := more_attempts - (old.status <> 'failed' or old.decline_code is not null)::integer;
    more_declines := more_declines - (old.status = 'failed'
      and coalesce(old.decline_code not in ('try_again_later', 'processing_error'), false))::integer;
  end if;
  if more_attempts = 0 and more_declines = 0 then return null; end if;
  insert into attempt_counts as counted (account_id, mode, signal, value, minute, slot, attempts, declines)
  select new.account_id, new.mode, known.signal, known.value, date_trunc('minute', new.created_at),
         pg_backend_pid() % 8, more_attempts, more_declines
    from (select 'calling_number', encode(calling_number_hash, 'hex') from charge_signals
           where charge_id = new.id and created_at = new.created_at
          union all
          select 'call_source', encode(call_source_hash, 'hex') from charge_signals
           where charge_id = new.id and created_at = new.created_at
          union all
          select 'merchant', new.merchant_id where new.source <> 'saved_card') known (signal, value)
   where known.value is not null
  on conflict (account_id, mode, signal, value, minute, slot) do update
    set attempts = counted.attempts + excluded.attempts, declines = counted.declines + excluded.declines;
  return null;
end $$;
-- At the commit: the counted rows are locked only as long as that takes.
create constraint trigger attempt_counted after insert on charges deferrable initially deferred
  for each row execute function count_attempt();
create constraint trigger attempt_recounted after update of status on charges deferrable initially deferred
  for each row when (new.status <> old.status and (new.status = 'failed' or old.status = 'failed'))
  execute function count_attempt();

-- The last hour. Charges of now wait for this transaction, and are counted by the triggers.
insert into attempt_counts (account_id, mode, signal, value, minute, slot, attempts, declines)
select account_id, mode, known.signal, known.value, date_trunc('minute', created_at), 0,
       count(*) filter (where status <> 'failed' or decline_code is not null),
       count(*) filter (where status = 'failed' and decline_code not in ('try_again_later', 'processing_error'))
  from charges
 cross join lateral (values ('merchant', case when source <> 'saved_card' then merchant_id end),
                            ('calling_number', encode(calling_number_hash, 'hex')),
                            ('call_source', encode(call_source_hash, 'hex'))) known (signal, value)
 where created_at > now() - interval '61 minutes' and known.value is not null
   -- The predicate of the index by time.
   and (card_fingerprint is not null or origin_hash is not null or calling_number_hash is not null
        or call_source_hash is not null)
 group by 1, 2, 3, 4, 5;

-- A process of the version before writes the hashes into `charges`, and counts by them.
create function copy_signals_of_charge() returns trigger language plpgsql as $$
begin
  insert into charge_signals (charge_id, account_id, mode, created_at, card_fingerprint, origin_hash, calling_number_hash,
                              call_source_hash)
  values (new.id, new.account_id, new.mode, new.created_at, new.card_fingerprint, new.origin_hash, new.calling_number_hash,
          new.call_source_hash)
  on conflict do nothing;
  return null;
end $$;
create trigger signals_of_charge_copied after insert on charges for each row
  when (new.card_fingerprint is not null or new.origin_hash is not null or new.calling_number_hash is not null
        or new.call_source_hash is not null)
  execute function copy_signals_of_charge();
