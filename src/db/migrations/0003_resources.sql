-- Up Migration
-- What merchants and integrators provision. Sealed columns hold `<key id>.<AES-256-GCM>`: readable with
-- RINGKEY_ENCRYPTION_KEYS only. They have tables of their own, so that what reads merchants does not carry them along.

create index on merchants (account_id, mode, created_at desc, id desc);

create table merchant_processors (
  merchant_id text primary key references merchants on delete cascade,
  account_id text not null references accounts,
  mode mode not null,
  processor text not null,
  -- Sealed JSON; null where the processor needs none.
  credentials text,
  connected_at timestamptz not null default now()
);

-- Without a row: the sandbox's table for test merchants, none for live ones.
create table order_sources (
  merchant_id text primary key references merchants on delete cascade,
  account_id text not null references accounts,
  mode mode not null,
  kind text not null check (kind in ('none', 'sandbox', 'http')),
  url text,
  -- Sealed; signs our requests to `url`.
  signing_secret text,
  check ((kind = 'http') = (url is not null)),
  check ((kind = 'http') = (signing_secret is not null))
);

create table webhook_endpoints (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  url text not null,
  events text[] not null,
  -- Sealed.
  signing_secret text not null,
  -- After a roll both sign until then.
  previous_secret text,
  previous_secret_until timestamptz,
  disabled_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  check ((previous_secret is null) = (previous_secret_until is null))
);
create index on webhook_endpoints (account_id, mode, created_at desc, id desc) where deleted_at is null;

-- A `test` event is about no session and for one endpoint.
alter table events alter column session_id drop not null;
alter table events add column webhook_endpoint_id text references webhook_endpoints;
alter table events add column resend_requested_at timestamptz;
alter table events add check ((type = 'test') = (session_id is null));
alter table events add check ((type = 'test') = (webhook_endpoint_id is not null));
create index on events (account_id, mode, sequence desc);
