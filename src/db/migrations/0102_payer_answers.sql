-- Up Migration
-- The payer's answer to the bank's challenge of a charge, or that the charge was given up before. Whichever comes first stays,
-- so that a charge that was given up is never completed at the processor.
set local lock_timeout = '5s';

create table payer_answers (
  charge_id text primary key references charges on delete cascade,
  -- SHA-256 of the answer. Null: the charge was given up.
  answer_hash bytea,
  answered_at timestamptz not null default now()
);
create index on payer_answers (answered_at);
