-- Up Migration
-- Callers can pay from a US bank account, if their checkout has a payer's name and its merchant a number for questions.
set local lock_timeout = '5s';

alter table merchants add column bank_debit_phone text;
-- The owner of the account. Null: the session can be paid by card only.
alter table checkout_sessions add column payer_name text;

-- What the payer authorized, word for word. Banks ask for it up to two years later.
create table debit_authorizations (
  charge_id text primary key references charges,
  account_id text not null references accounts,
  call_id text,
  language text not null,
  wording text not null,
  authorized_at timestamptz not null default now()
);
