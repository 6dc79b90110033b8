-- Up Migration
-- When a key was last near its limit of requests. Written at most once a minute by each process.
set local lock_timeout = '5s';

alter table keys add column near_limit_at timestamptz;
