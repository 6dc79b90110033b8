-- Up Migration
-- Payouts of processors to merchants' bank accounts, and what each contains.
set local lock_timeout = '5s';

create table payouts (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  merchant_id text not null references merchants,
  processor text not null,
  processor_payout_id text not null,
  status text not null check (status in ('pending', 'paid', 'failed', 'canceled')),
  -- Negative if the processor debits the bank account.
  amount_cents bigint not null,
  currency text not null,
  arrival_date date,
  -- When the processor was asked, in milliseconds: an older answer does not replace a newer one.
  version bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index one_row_a_payout on payouts (merchant_id, processor, processor_payout_id);
create index on payouts (account_id, mode, created_at desc, id desc);

create table payout_entries (
  id text primary key,
  payout_id text not null references payouts on delete cascade,
  account_id text not null references accounts,
  mode mode not null,
  merchant_id text not null references merchants,
  processor_entry_id text not null,
  kind text not null check (kind in ('charge', 'refund', 'dispute', 'fee', 'other')),
  -- Null if it is about no charge of ours.
  charge_id text references charges,
  -- `net_cents` = `gross_cents` - `fee_cents`, in the currency of the payout.
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  created_at timestamptz not null default now()
);
create unique index one_row_a_payout_entry on payout_entries (payout_id, processor_entry_id);
create index on payout_entries (charge_id) where charge_id is not null;
create index on payout_entries (account_id, mode, created_at desc, id desc);

alter table processor_notifications add column payout_id text;
