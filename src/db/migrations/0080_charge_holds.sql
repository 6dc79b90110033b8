-- Up Migration
-- Charges that are only authorized, and then captured or voided.
set local lock_timeout = '5s';

-- `authorized`: held, and live like `succeeded`. `voided`, `expired`: it was held, and nothing was taken.
alter type charge_status add value if not exists 'authorized';
alter type charge_status add value if not exists 'voided';
alter type charge_status add value if not exists 'expired';

alter table checkout_sessions add column capture text not null default 'automatic';

alter table charges
  add column capture text not null default 'automatic',
  -- When the processor releases the hold. Null if it does not say.
  add column capture_before timestamptz,
  -- What was captured of a hold. The rest was released.
  add column captured_cents integer,
  -- When the resolver reads the hold's state at the processor.
  add column hold_check_at timestamptz;
-- Not validated: that would read the whole table under a lock.
alter table charges add constraint never_more_than_was_held
  check (captured_cents is null or (capture = 'manual' and captured_cents between 1 and amount_cents)) not valid;
alter table charges add constraint never_more_back_than_was_captured
  check (refunded_cents = 0 or refunded_cents <= coalesce(captured_cents, amount_cents)) not valid;

-- Captures and voids. A hold is changed once: one pending or succeeded row a charge.
create table hold_changes (
  id text primary key,
  charge_id text not null references charges,
  account_id text not null references accounts,
  mode mode not null,
  merchant_id text not null references merchants,
  kind text not null check (kind in ('capture', 'void')),
  status refund_status not null default 'pending',
  -- To capture, or to release.
  amount_cents integer not null check (amount_cents > 0),
  currency text not null,
  processor text not null,
  -- The charge's.
  processor_payment_id text not null,
  -- Why it failed, in our words; the processor's code beside it.
  failure text check ((status = 'failed') = (failure is not null)),
  processor_code text,
  created_at timestamptz not null default now(),
  settled_at timestamptz check ((settled_at is null) = (status = 'pending')),
  -- When the resolver reads the hold's state for a pending change.
  resolve_attempts integer not null default 0,
  resolve_at timestamptz not null
);
create unique index one_live_change_a_hold on hold_changes (charge_id) where status in ('pending', 'succeeded');
create index on hold_changes (charge_id, created_at desc);
create index on hold_changes (resolve_at) where status = 'pending';
