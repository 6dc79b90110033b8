-- Up Migration
-- What a processor reports of a charge, and what cannot be recorded here: a person has to compare the two.
set local lock_timeout = '5s';

create table processor_differences (
  charge_id text not null references charges,
  -- `refund`: it does not fit the charge. `capture`: it has failed, but the charge was refunded.
  kind text not null check (kind in ('refund', 'capture')),
  -- The processor's ID of the refund. Empty for a capture.
  processor_reference text not null,
  account_id text not null references accounts,
  mode mode not null,
  -- Null: in another currency than the charge.
  amount_cents bigint,
  found_at timestamptz not null default now(),
  primary key (charge_id, kind, processor_reference)
);
create index on processor_differences (found_at);

-- A refund that failed, was made after all and failed again has two events of its failure.
alter table events add column is_late_failure boolean not null default false;
