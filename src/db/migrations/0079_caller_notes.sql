-- Up Migration
-- A note about a caller, for the people who answer questions about payments. An erasure clears it.
set local lock_timeout = '5s';

alter table consumers
  add column note text,
  add column note_written_at timestamptz;
