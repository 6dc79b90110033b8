-- Up Migration
-- Charges whose row, or whose request to the processor, was lost.
set local lock_timeout = '5s';

alter table charges
  -- Random, one of each payment: by it a payment whose begin was not answered tells its own charge from another's. The id
  -- of a charge follows from session and attempt.
  add column begun_by text;

-- Charges that were called failed because the processor did not have them, to be looked up again: one of them may turn out
-- to have been paid, and then a person must know.
create table charge_rechecks (
  charge_id text primary key references charges,
  looks integer not null default 0,
  due_at timestamptz not null
);
create index on charge_rechecks (due_at);
