-- Up Migration
-- Money back.

create type refund_status as enum ('pending', 'succeeded', 'failed');

-- What was given back of a charge, or is on its way back: kept by the triggers below, never written by hand. Whoever
-- refunds, from however many processes at once, has to wait for the charge's row and cannot get past its check.
alter table charges add column refunded_cents integer not null default 0;
alter table charges add constraint never_more_back_than_was_paid
  check (refunded_cents = 0 or (status = 'succeeded' and refunded_cents between 0 and amount_cents));

create table refunds (
  id text primary key,
  charge_id text not null references charges,
  session_id text not null references checkout_sessions,
  account_id text not null references accounts,
  mode mode not null,
  merchant_id text not null references merchants,
  status refund_status not null default 'pending',
  amount_cents integer not null check (amount_cents > 0),
  currency text not null,
  reason text check (reason in ('duplicate', 'fraudulent', 'requested_by_customer')),
  metadata jsonb not null default '{}',
  processor text not null,
  -- The charge's.
  processor_payment_id text not null,
  processor_refund_id text,
  -- Why it failed, in our words; the processor's own beside it.
  failure text check ((status = 'failed') = (failure is not null)),
  processor_code text,
  -- SHA-256 of the Idempotency-Key that asked for it, and of what was asked: a request that runs again because its first
  -- process died finds its refund here.
  idempotency_key_hash bytea,
  request_hash bytea check ((request_hash is null) = (idempotency_key_hash is null)),
  created_at timestamptz not null default now(),
  settled_at timestamptz check ((settled_at is null) = (status = 'pending')),
  -- The resolver's schedule for a pending refund.
  resolve_attempts integer not null default 0,
  resolve_at timestamptz not null
);
create unique index one_refund_an_idempotency_key on refunds (account_id, mode, idempotency_key_hash)
  where idempotency_key_hash is not null;
create index on refunds (charge_id, created_at desc, id desc);
create index on refunds (account_id, mode, created_at desc, id desc);
create index on refunds (resolve_at) where status = 'pending';

create function count_refund() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status <> 'failed' then
    update charges set refunded_cents = refunded_cents - old.amount_cents where id = old.charge_id;
  end if;
  if tg_op <> 'DELETE' and new.status <> 'failed' then
    update charges set refunded_cents = refunded_cents + new.amount_cents where id = new.charge_id;
  end if;
  return null;
end $$;
create trigger refund_counted after insert or delete on refunds for each row execute function count_refund();
create trigger refund_recounted after update on refunds for each row
  when ((old.charge_id, old.amount_cents, old.status = 'failed')
        is distinct from (new.charge_id, new.amount_cents, new.status = 'failed'))
  execute function count_refund();

-- One outcome a refund, told once.
alter table events add column refund_id text references refunds;
create unique index one_event_a_refund on events (refund_id) where refund_id is not null;

-- The sandbox's refunds come to an end later, or to a bad one: until `settles_at` it says only that they are on their way.
alter table sandbox_refunds add column status text not null default 'succeeded' check (status in ('succeeded', 'failed'));
alter table sandbox_refunds add column settles_at timestamptz not null default now();
