-- Up Migration
-- Charges of a US bank account, which its bank settles or returns days later.
set local lock_timeout = '5s';

alter table charges
  add column payment_method text not null default 'card',
  -- When the processor accepted the debit. The charge stays pending until the bank settles or returns it.
  add column debited_at timestamptz;
