-- Up Migration
-- `ringkey media`: which media servers get no new calls, and what each phone process knows of its servers.
set local lock_timeout = '5s';

-- A host is `host:port` of an event socket.
create table media_drains (
  host text primary key,
  drained_at timestamptz not null default now(),
  -- The user who ran the command, and where.
  drained_by text not null
);

create table media_reports (
  lease_id integer not null references process_leases on delete cascade,
  host text not null,
  is_connected boolean not null,
  -- DNS no longer names it.
  is_leaving boolean not null,
  -- The process has read that it is drained.
  is_drained boolean not null,
  calls integer not null,
  primary key (lease_id, host)
);

-- Null: a change by the operator that belongs to no account.
alter table audit_events alter column account_id drop not null;
