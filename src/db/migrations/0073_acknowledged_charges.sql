-- Up Migration
-- A person has seen that a charge was reported as failed and was paid. The audit trail names who it was.
set local lock_timeout = '5s';

alter table charges add column attention_acknowledged_at timestamptz;
