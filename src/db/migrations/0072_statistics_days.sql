-- Up Migration
-- A daily roll-up of charges and calls for the statistics. Days are UTC. A day without a row in `statistics_days`, or with one that
-- is out of date, is counted from charges and calls.
set local lock_timeout = '5s';

alter table calls
  -- What the call reached of the statistics' steps, written at its end. Null in calls of an earlier version and lost calls, whose
  -- timeline has them.
  add column steps text[];

create table statistics_days (
  account_id text not null references accounts,
  mode mode not null,
  day date not null,
  -- A charge or call of the day has changed since.
  is_stale boolean not null default false,
  primary key (account_id, mode, day)
);
create index on statistics_days (day) where is_stale;

create table charge_days (
  account_id text not null,
  mode mode not null,
  day date not null,
  merchant_id text not null,
  currency text not null,
  decline_code text,
  succeeded integer not null,
  failed integer not null,
  pending integer not null,
  -- Of those that succeeded.
  amount_cents bigint not null
);
create index on charge_days (account_id, mode, day);

-- Ended calls that were answered.
create table call_days (
  account_id text not null,
  mode mode not null,
  day date not null,
  merchant_id text,
  is_paid boolean not null,
  is_back boolean not null,
  steps text[] not null,
  calls integer not null
);
create index on call_days (account_id, mode, day);

-- From the answer of a call to the charge that it ended with, to a tenth of a second.
create table payment_time_days (
  account_id text not null,
  mode mode not null,
  day date not null,
  merchant_id text not null,
  seconds numeric not null,
  charges integer not null
);
create index on payment_time_days (account_id, mode, day);

-- Marks the day of a charge or call that changes after its day. The lock orders it before or after a roll-up of the day
-- (statistics/roll-up.ts), which would otherwise miss the change.
create function mark_statistics_day() returns trigger language plpgsql as $$
declare
  changed date := ((to_jsonb(new) ->> tg_argv[0])::timestamptz at time zone 'UTC')::date;
begin
  perform pg_advisory_xact_lock(72142, hashtext(new.account_id || new.mode || changed));
  update statistics_days set is_stale = true
   where account_id = new.account_id and mode = new.mode and day = changed and not is_stale;
  return null;
end $$;
create trigger statistics_day_of_charge_marked after insert or update of status on charges for each row
  when ((new.created_at at time zone 'UTC')::date < (now() at time zone 'UTC')::date)
  execute function mark_statistics_day('created_at');
create trigger statistics_day_of_call_marked after update of ended_at, outcome, return_mode, charge_id on calls for each row
  when ((new.started_at at time zone 'UTC')::date < (now() at time zone 'UTC')::date)
  execute function mark_statistics_day('started_at');
