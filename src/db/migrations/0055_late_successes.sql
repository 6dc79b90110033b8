-- Up Migration
-- Charges that were called failed, or that the database had lost, and were found taken at their processor.
set local lock_timeout = '5s';

alter table charges
  add column was_late boolean not null default false,
  -- The charge that pays for the same session or order. A person decides which of the two is refunded.
  add column duplicate_of text;
alter table charges add constraint charges_duplicate_of_fkey foreign key (duplicate_of) references charges not valid;

-- Reconciliation with the processor's lists: when the next one is due, and up to when charges were compared.
alter table merchant_processors
  add column reconcile_at timestamptz not null default now() + interval '1 day',
  add column reconciled_until timestamptz;
