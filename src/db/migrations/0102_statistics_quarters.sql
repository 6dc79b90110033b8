-- Up Migration
-- Charges by quarters of an hour, from which the statistics read the days of any time zone.
set local lock_timeout = '5s';

create table charge_quarters (
  account_id text not null,
  mode mode not null,
  -- In UTC, as in `statistics_days`.
  day date not null,
  merchant_id text not null,
  currency text not null,
  starts_at timestamptz not null,
  succeeded integer not null,
  failed integer not null,
  -- Of those that succeeded.
  amount_cents bigint not null
);
create index on charge_quarters (account_id, mode, day);

-- Whether the day is in `charge_quarters`.
alter table statistics_days add column has_quarters boolean not null default false;

-- A day that changes loses its quarters, because the previous version rolls it up again without them.
create or replace function mark_statistics_day() returns trigger language plpgsql as $$
declare
  changed date := ((to_jsonb(new) ->> tg_argv[0])::timestamptz at time zone 'UTC')::date;
begin
  perform pg_advisory_xact_lock(72142, hashtext(new.account_id || new.mode || changed));
  update statistics_days set is_stale = true, has_quarters = false
   where account_id = new.account_id and mode = new.mode and day = changed and not is_stale;
  return null;
end $$;
