-- Up Migration
-- Disputes of charges, as the processors tell them. Like refunds, they are kept as long as the charge.
set local lock_timeout = '5s';

create table disputes (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  merchant_id text not null references merchants,
  charge_id text not null references charges,
  session_id text not null references checkout_sessions,
  processor text not null,
  processor_dispute_id text not null,
  kind text not null check (kind in ('inquiry', 'chargeback')),
  status text not null check (status in ('needs_response', 'under_review', 'won', 'lost', 'closed')),
  -- In our words, and the processor's code beside it.
  reason text not null,
  processor_reason text,
  amount_cents bigint not null check (amount_cents >= 0),
  currency text not null,
  evidence_due_at timestamptz,
  -- When the processor said so: its own version or time if it has one, otherwise when it was asked. Milliseconds or a
  -- counter. An older state does not replace a newer one.
  version bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index one_row_a_dispute on disputes (merchant_id, processor, processor_dispute_id);
create index on disputes (account_id, mode, created_at desc, id desc);
create index on disputes (charge_id);
create index on disputes (evidence_due_at) where status = 'needs_response';

-- What a notification says of a dispute, if the processor has no other way to tell it.
alter table processor_notifications add column dispute jsonb;

-- The sandbox's disputes: each opens and is decided at a time that is set with the payment.
create table sandbox_disputes (
  dispute_id text primary key,
  payment_id text not null references sandbox_payments (payment_id) on delete cascade,
  reason text not null,
  -- From the beginning: evidence was sent already.
  is_answered boolean not null,
  outcome text not null check (outcome in ('won', 'lost')),
  amount_cents integer not null,
  currency text not null,
  opens_at timestamptz not null,
  decided_at timestamptz not null
);
create unique index one_sandbox_dispute_a_payment on sandbox_disputes (payment_id);
