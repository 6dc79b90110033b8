-- Up Migration
-- How far a live call has come, for the pay page of its session.
set local lock_timeout = '5s';

alter table calls
  -- One of a few words (src/domain/call-stage.ts); null in calls of before.
  add column stage text;
