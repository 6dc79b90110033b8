-- Up Migration
-- Old sessions that were paid, or tried to be, keep their row for the books.
set local lock_timeout = '5s';

alter table checkout_sessions
  -- When number, metadata and texts were cleared because the session was old.
  add column cleared_at timestamptz;
