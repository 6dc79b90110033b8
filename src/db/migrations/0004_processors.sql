-- Up Migration
-- Processors beyond the sandbox: what a merchant was connected to before stays, and the sandbox gives money back.

-- A charge of a processor that the merchant has left may still have to be looked up or refunded there.
alter table merchant_processors drop constraint merchant_processors_pkey;
alter table merchant_processors add primary key (merchant_id, processor);

-- `reference` is our refund id: no second row, no second refund.
create table sandbox_refunds (
  reference text primary key,
  refund_id text not null unique,
  payment_id text not null references sandbox_payments (payment_id),
  amount_cents integer not null check (amount_cents > 0),
  created_at timestamptz not null default now()
);
create index on sandbox_refunds (payment_id);

-- Whose card it was: a card may be saved from its payment. Null for one that is none of the documented.
alter table sandbox_payments add column card_name text;
alter table sandbox_payments add column refunded_cents integer not null default 0
  check (refunded_cents between 0 and amount_cents);
