-- Up Migration
-- A call that somebody of the account ends: its process reads it here. What says so at once, over Redis, only wakes it.
set local lock_timeout = '5s';

alter table calls
  -- When it was asked for. Null: nobody has.
  add column end_requested_at timestamptz;
