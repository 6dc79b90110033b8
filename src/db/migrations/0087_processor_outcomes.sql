-- Up Migration
-- What the signed notifications of a processor say of payments, captures and refunds, if nothing else tells it (Adyen).
set local lock_timeout = '5s';

create table processor_outcomes (
  id bigint generated always as identity primary key,
  -- Whose secret the notification was signed with.
  merchant_id text not null references merchants on delete cascade,
  processor text not null,
  event text not null,
  is_success boolean not null,
  -- The account at the processor.
  merchant_account text not null,
  -- Of the request: ours, and the processor's.
  reference text not null,
  processor_reference text not null,
  -- The processor's ID of the payment, if the request changed one.
  payment_id text,
  amount_cents bigint not null,
  currency text not null,
  -- Why it failed: a code.
  reason text,
  received_at timestamptz not null default now()
);
create unique index one_row_an_outcome
  on processor_outcomes (merchant_id, processor, processor_reference, event, is_success);
create index on processor_outcomes (merchant_id, processor, reference);
create index on processor_outcomes (merchant_id, processor, payment_id) where payment_id is not null;
create index on processor_outcomes (received_at);
