-- Up Migration
-- How many SIP servers a phone process has no connection to, and since when.
set local lock_timeout = '5s';

alter table process_leases
  add column sip_missing integer not null default 0,
  add column sip_missing_since timestamptz;
