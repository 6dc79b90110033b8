-- Up Migration
-- For attention items: how loaded a phone process is, in percent of its limit, and when an account last came near its
-- budget of rendered speech.
set local lock_timeout = '5s';

alter table process_leases add column load_percent smallint not null default 0;
alter table accounts add column speech_near_limit_at timestamptz;
