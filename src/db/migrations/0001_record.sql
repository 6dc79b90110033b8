-- Up Migration
-- The record. Every row carries its account and mode; money is integer minor units; no column ever holds a keyed digit
-- beyond a card's brand and last four.

create type mode as enum ('test', 'live');
create type verdict as enum ('required', 'optional', 'none');
create type session_status as enum ('open', 'complete', 'expired');
create type charge_status as enum ('pending', 'succeeded', 'failed');

create table accounts (
  id text primary key,
  name text not null,
  -- What a checkout is counted in when no merchant is known.
  currency text not null default 'USD',
  -- Signs X-Ringkey-Signature on the way back to the agent. Base64 of 32 random bytes.
  header_signing_secret text not null,
  created_at timestamptz not null default now()
);

create table keys (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  -- SHA-256 of the whole key; the key itself is shown once and kept nowhere.
  key_hash bytea not null unique,
  -- `rk_test_` and the first four characters, for lists.
  prefix text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);

create table merchants (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  slug text not null,
  business_name text not null,
  currency text not null,
  policy text not null check (policy in ('never', 'optional', 'always', 'above')),
  policy_amount_cents integer check ((policy = 'above') = (policy_amount_cents is not null)),
  language text not null default 'en-US',
  voice text,
  asks_postal_code boolean not null default false,
  asks_confirmation boolean not null default false,
  return_mode text check (return_mode in ('auto', 'refer', 'bridge')),
  accepted_brands text[] not null default '{visa,mastercard,american-express,discover}',
  processor text,
  created_at timestamptz not null default now(),
  unique (account_id, mode, slug)
);

create table merchant_numbers (
  account_id text not null references accounts,
  mode mode not null,
  number text not null,
  merchant_id text not null references merchants on delete cascade,
  primary key (account_id, mode, number)
);
create index on merchant_numbers (merchant_id);

create table consumers (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  phone text not null,
  first_name text,
  last_name text,
  email text,
  created_at timestamptz not null default now(),
  unique (account_id, mode, phone)
);

create table instruments (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  consumer_id text not null references consumers,
  -- Chargeable at this merchant only, through this processor's handle.
  merchant_id text not null references merchants,
  processor text not null,
  processor_handle text not null,
  brand text not null,
  last_four text not null,
  expiry_month smallint not null,
  expiry_year smallint not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on instruments (consumer_id, merchant_id, created_at desc) where deleted_at is null;

-- The sandbox's order source.
create table sandbox_orders (
  account_id text not null references accounts,
  merchant_id text not null references merchants,
  order_id text not null,
  amount_cents integer not null,
  primary key (merchant_id, order_id)
);

create table checkout_sessions (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  merchant_id text references merchants,
  consumer_id text references consumers,
  status session_status not null default 'open',
  verdict verdict not null,
  amount_cents integer not null,
  currency text not null,
  amount_source text not null check (amount_source in ('order', 'request')),
  caller_phone text,
  order_id text,
  platform_call_id text,
  return_to text,
  success_message text,
  failure_message text,
  line_items jsonb not null default '[]',
  -- Echoed byte for byte, hence json and not jsonb.
  metadata json not null default '{}',
  -- SHA-256 of the token in transfer_to; null when the verdict wants no transfer.
  transfer_token_hash bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- A transfer by number knows the caller's number and nothing else.
create index on checkout_sessions (caller_phone, created_at desc) where status = 'open';
create index on checkout_sessions (expires_at) where status = 'open';

create table charges (
  id text primary key,
  session_id text not null references checkout_sessions,
  account_id text not null references accounts,
  mode mode not null,
  merchant_id text not null references merchants,
  status charge_status not null default 'pending',
  amount_cents integer not null,
  currency text not null,
  source text not null check (source in ('phone', 'saved_card', 'page')),
  processor text not null,
  processor_payment_id text,
  instrument_id text references instruments,
  brand text,
  last_four text,
  decline_code text,
  processor_code text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  -- The resolver's schedule for a pending charge.
  resolve_attempts integer not null default 0,
  resolve_at timestamptz not null default now() + interval '1 minute'
);
-- The rule of the whole product: whatever path it came by, a session is charged at most once.
create unique index one_live_charge_a_session on charges (session_id) where status in ('pending', 'succeeded');
create index on charges (session_id, created_at desc);
create index on charges (resolve_at) where status = 'pending';

-- One row a run of a phone process. It is alive while its session holds the advisory lock of its id and `seen_at` moves;
-- what a dead one leaves behind is closed by the others (lives.ts).
create table phone_lives (
  id integer generated always as identity primary key,
  instance text not null,
  began_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

create table calls (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  session_id text not null references checkout_sessions,
  -- RINGKEY_INSTANCE and phone_lives.id of the process that holds the call. A life that has no row any more is over.
  instance text not null,
  life_id integer not null,
  sip_call_id text not null,
  -- What the SIP edge knows the call's dialogs by, caller's and agent's: to hang them up when the process has died.
  sip_dialogs text[] not null,
  media_leg_id text,
  return_sip_call_id text,
  source_address text not null,
  -- [{step, at_ms}], at_ms since the INVITE. Never a digit.
  timeline jsonb not null default '[]',
  -- As in X-Ringkey-Outcome; `lost` when the process died under the call; null while it is on.
  outcome text,
  reason text,
  charge_id text references charges,
  -- How the caller went back: `refer`, `bridge`; null when spoken to the end.
  return_mode text,
  started_at timestamptz not null default now(),
  answered_at timestamptz,
  ended_at timestamptz
);
create unique index one_live_call_a_session on calls (session_id) where ended_at is null;
create index on calls (life_id) where ended_at is null;

-- Transactional outbox: a row is written with the change that causes it; delivery is somebody else's job.
create table events (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  sequence bigint generated always as identity,
  type text not null,
  session_id text not null references checkout_sessions,
  charge_id text references charges,
  -- What may have changed by the time of delivery, as it was then: {session_status, outcome, charge}.
  facts jsonb not null,
  created_at timestamptz not null default now(),
  relayed_at timestamptz
);
create index on events (sequence) where relayed_at is null;
create index on events (session_id, sequence);
create unique index one_final_event_a_session on events (session_id, type)
  where type in ('checkout.completed', 'checkout.expired');
create unique index one_event_a_charge_and_kind on events (charge_id, type)
  where type in ('checkout.pending', 'checkout.succeeded', 'checkout.failed');

-- What the sandbox processor "did", remembered across our crashes. `reference` is our charge id: no second row, no
-- second payment. Until `settles_at` it says only that it is working on it.
create table sandbox_payments (
  reference text primary key,
  payment_id text not null unique,
  account_id text not null,
  mode mode not null,
  status text not null check (status in ('succeeded', 'declined')),
  amount_cents integer not null,
  currency text not null,
  brand text,
  last_four text,
  decline_code text check ((status = 'declined') = (decline_code is not null)),
  created_at timestamptz not null default now(),
  settles_at timestamptz not null default now()
);
