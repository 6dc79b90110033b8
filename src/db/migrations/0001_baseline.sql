-- Up Migration
-- The data model of Ringkey. Every row carries its account and its mode (test or live). Money is integer minor units. No
-- column ever holds a card number, a security code or an expiry as it was keyed.
--
-- Rules for the migrations that come after this one:
--   * A migration that has landed never changes. A correction is a new migration.
--   * It starts with `set local lock_timeout = '5s';`, so that a lock it cannot get soon ends it instead of stopping payments.
--   * An index on a table that may have rows is built with `create index concurrently`, in a migration without a transaction.
--   * What the running version reads stays there until no process of that version is left.
set local lock_timeout = '5s';

create type mode as enum ('test', 'live');
create type verdict as enum ('required', 'optional', 'none');
create type session_status as enum ('open', 'complete', 'expired');
create type charge_status as enum ('pending', 'succeeded', 'failed');
create type refund_status as enum ('pending', 'succeeded', 'failed');

-- ------------------------------------------------------------------------------------------------ accounts and their keys

create table accounts (
  id text primary key,
  name text not null,
  -- Currency of a checkout whose merchant is not known.
  currency text not null default 'USD',
  -- Signs X-Ringkey-Signature on the way back to the agent. Base64 of 32 random bytes.
  header_signing_secret text not null,
  created_at timestamptz not null default now()
);

create table keys (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  name text,
  -- SHA-256 of the whole key; the key itself is shown once and never stored.
  key_hash bytea not null unique,
  -- `rk_test_` and the first four characters, for lists.
  prefix text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index on keys (account_id, mode, created_at desc, id desc);

-- ------------------------------------------------------------------------------------------------------------- merchants
-- "Sealed" columns hold `<key id>.<AES-256-GCM>`, readable only with RINGKEY_ENCRYPTION_KEYS.

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
  -- IANA name. Times in texts and the expiry of cards are the merchant's.
  time_zone text not null default 'UTC',
  asks_postal_code boolean not null default false,
  asks_confirmation boolean not null default false,
  return_mode text check (return_mode in ('auto', 'refer', 'bridge')),
  accepted_brands text[] not null default '{visa,mastercard,american-express,discover}',
  card_saving text not null default 'never' check (card_saving in ('never', 'ask')),
  -- The one that new charges go through; null: not connected.
  processor text,
  created_at timestamptz not null default now(),
  unique (account_id, mode, slug)
);
create index on merchants (account_id, mode, created_at desc, id desc);

-- Numbers that a merchant is called on.
create table merchant_numbers (
  account_id text not null references accounts,
  mode mode not null,
  number text not null,
  merchant_id text not null references merchants on delete cascade,
  primary key (account_id, mode, number)
);
create index on merchant_numbers (merchant_id);

-- A merchant's connections to processors: to the one it uses, and to those it has left, whose charges may still have to be
-- looked up or refunded.
create table merchant_processors (
  merchant_id text not null references merchants on delete cascade,
  processor text not null,
  account_id text not null references accounts,
  mode mode not null,
  -- Sealed JSON; null where the processor needs none.
  credentials text,
  -- The processor's name of the account that keeps the merchant's cards: merchants with the same one share saved cards.
  -- Null: a card belongs to the merchant it was saved at.
  processor_account text,
  connected_at timestamptz not null default now(),
  primary key (merchant_id, processor)
);

-- Where a merchant's orders are looked up. Without a row: `sandbox_orders` for test merchants, nowhere for live ones.
create table order_sources (
  merchant_id text primary key references merchants on delete cascade,
  account_id text not null references accounts,
  mode mode not null,
  kind text not null check (kind in ('none', 'sandbox', 'http')),
  url text,
  -- Sealed. Signs our requests to `url`.
  signing_secret text,
  check ((kind = 'http') = (url is not null)),
  check ((kind = 'http') = (signing_secret is not null))
);

-- The orders of the order source `sandbox`.
create table sandbox_orders (
  account_id text not null references accounts,
  merchant_id text not null references merchants,
  order_id text not null,
  amount_cents integer not null,
  primary key (merchant_id, order_id)
);

-- ------------------------------------------------------------------------------------------- callers and their saved cards

create table consumers (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  -- E.164.
  phone text not null,
  first_name text,
  last_name text,
  email text,
  created_at timestamptz not null default now(),
  unique (account_id, mode, phone)
);

-- Saved cards. What a card is charged by is the processor's handle.
create table instruments (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  consumer_id text not null references consumers,
  -- Where it was saved: chargeable at this merchant and at those that share `processor_account`.
  merchant_id text not null references merchants,
  processor text not null,
  processor_account text,
  -- Sealed for `instrument:<id>`; empty once the card is deleted. Only the demo's card is not sealed: its handle is no secret.
  processor_handle text not null,
  handle_sealed boolean not null default false,
  -- The processor's word for the card's number: the same number again is the same row.
  fingerprint text,
  brand text not null,
  last_four text not null,
  expiry_month smallint not null check (expiry_month between 1 and 12),
  expiry_year smallint not null check (expiry_year between 2000 and 9999),
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on instruments (consumer_id, merchant_id, created_at desc) where deleted_at is null;
create unique index one_instrument_a_card
  on instruments (consumer_id, processor, (coalesce(processor_account, merchant_id)), fingerprint)
  where deleted_at is null and fingerprint is not null;

-- A card is good to the end of its month, in the merchant's time zone. An unknown zone counts as UTC.
create function is_card_expired(month smallint, year smallint, at timestamptz, zone text) returns boolean
language plpgsql stable as $$
begin
  return (at at time zone zone)::date >= make_date(year, month, 1) + interval '1 month';
exception when invalid_parameter_value then
  return (at at time zone 'UTC')::date >= make_date(year, month, 1) + interval '1 month';
end $$;

-- The saved cards of a caller that a merchant can charge: saved through the processor that the merchant uses now, either at
-- this merchant or in a processor account that it shares, and not expired.
create function chargeable_cards(caller text, merchant text, at timestamptz) returns setof instruments
language sql stable as $$
  select i.*
    from instruments i
    join merchants m on m.id = merchant and m.processor = i.processor
    left join merchant_processors p on p.merchant_id = m.id and p.processor = m.processor
   where i.consumer_id = caller and i.deleted_at is null
     and (i.processor_account = p.processor_account or (i.processor_account is null and i.merchant_id = m.id))
     and not is_card_expired(i.expiry_month, i.expiry_year, at, m.time_zone)
$$;

-- ------------------------------------------------------------------------------------------------------ checkout sessions

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
  -- json, not jsonb: texts may hold a zero byte or half a surrogate pair, which jsonb refuses.
  metadata json not null default '{}',
  -- SHA-256 of the token in `transfer_to`; null when the verdict wants no transfer.
  transfer_token_hash bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- A call that was transferred by number is matched by the caller's number.
create index on checkout_sessions (caller_phone, created_at desc) where status = 'open';
create index on checkout_sessions (expires_at) where status = 'open';

-- ---------------------------------------------------------------------------------------------------------------- charges

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
  -- When the resolver asks the processor about a pending charge; infinity: no more.
  resolve_attempts integer not null default 0,
  resolve_at timestamptz not null default now() + interval '1 minute',
  -- What velocity rules count by: the session's caller as it was then, and keyed hashes of the card and of the payer's
  -- address. The hashes are forgotten when the charge succeeds, and two days after it failed.
  caller_phone text,
  card_fingerprint bytea,
  origin_hash bytea,
  -- Refunded, or on its way back: the sum of the charge's refunds that have not failed, kept by a trigger of `refunds`.
  refunded_cents integer not null default 0,
  constraint never_more_back_than_was_paid
    check (refunded_cents = 0 or (status = 'succeeded' and refunded_cents between 0 and amount_cents))
);
-- The rule of the whole product: whatever path it came by, a session is charged at most once.
create unique index one_live_charge_a_session on charges (session_id) where status in ('pending', 'succeeded');
create index on charges (session_id, created_at desc);
create index on charges (resolve_at) where status = 'pending';
create index on charges (account_id, mode, caller_phone, created_at)
  where status <> 'succeeded' and caller_phone is not null;
create index on charges (account_id, mode, card_fingerprint, created_at)
  where status <> 'succeeded' and card_fingerprint is not null;
create index on charges (account_id, mode, origin_hash, created_at)
  where status <> 'succeeded' and origin_hash is not null;
-- Hashes that are to be forgotten.
create index on charges (created_at) where status = 'failed' and (card_fingerprint is not null or origin_hash is not null);

-- ---------------------------------------------------------------------------------------------------------------- refunds

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
  -- Why it failed, in our words; the processor's code beside it.
  failure text check ((status = 'failed') = (failure is not null)),
  processor_code text,
  -- SHA-256 of the request's Idempotency-Key and of its contents: a request that is repeated because its first process died
  -- finds its refund here.
  idempotency_key_hash bytea,
  request_hash bytea check ((request_hash is null) = (idempotency_key_hash is null)),
  created_at timestamptz not null default now(),
  settled_at timestamptz check ((settled_at is null) = (status = 'pending')),
  -- When the resolver asks the processor about a pending refund.
  resolve_attempts integer not null default 0,
  resolve_at timestamptz not null
);
create unique index one_refund_an_idempotency_key on refunds (account_id, mode, idempotency_key_hash)
  where idempotency_key_hash is not null;
create index on refunds (charge_id, created_at desc, id desc);
create index on refunds (account_id, mode, created_at desc, id desc);
create index on refunds (resolve_at) where status = 'pending';

-- Keeps `charges.refunded_cents`. Several refunds of a charge at once wait for the charge's row, and none of them gets past
-- its check.
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

-- ------------------------------------------------------------------------------------------------------------------ calls

-- One row for each running phone process, its lease. A process is alive while its connection holds the advisory lock of the
-- lease's id and its heartbeat moves `seen_at`. The calls of a dead process are closed by the others.
create table process_leases (
  id integer generated always as identity primary key,
  instance text not null,
  acquired_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

create table calls (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  session_id text not null references checkout_sessions,
  -- RINGKEY_INSTANCE and process_leases.id of the process that holds the call. One whose row is gone has ended.
  instance text not null,
  lease_id integer not null,
  sip_call_id text not null,
  -- The SIP edge's names of the call's dialogs, caller's and agent's: to hang them up when the process has died.
  sip_dialogs text[] not null,
  media_leg_id text,
  return_sip_call_id text,
  source_address text not null,
  -- [{step, at_ms}], at_ms since the INVITE. Never a digit.
  timeline jsonb not null default '[]',
  -- As in X-Ringkey-Outcome; `lost` when the process died during the call; null while it goes on.
  outcome text,
  reason text,
  charge_id text references charges,
  -- How the caller went back to the agent: `refer`, `bridge`; null: the call ended on the payment line.
  return_mode text,
  started_at timestamptz not null default now(),
  answered_at timestamptz,
  ended_at timestamptz
);
create unique index one_live_call_a_session on calls (session_id) where ended_at is null;
create index on calls (lease_id) where ended_at is null;

-- ------------------------------------------------------------------------------- consents to save a card, and removals

-- Written with the charge whose card is to be saved, so that a crash loses neither. Also the list of the cards that are
-- still to be saved: of the charges that succeeded, those `agreed`.
create table card_consents (
  id bigint generated always as identity primary key,
  account_id text not null references accounts,
  mode mode not null,
  merchant_id text not null references merchants,
  channel text not null check (channel in ('phone', 'page', 'rest')),
  -- Null over REST, where the integrator asked the caller in words of its own.
  charge_id text unique references charges,
  call_id text references calls,
  -- The sentence that was said or shown: its name, its language (BCP 47), its text.
  wording_id text,
  language text,
  wording text,
  agreed_at timestamptz not null default now(),
  consumer_id text references consumers,
  instrument_id text references instruments,
  status text not null default 'agreed' check (status in ('agreed', 'kept', 'not_kept')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  check ((channel = 'rest') = (charge_id is null)),
  check (channel = 'rest' or (wording_id is not null and language is not null and wording is not null)),
  check ((status = 'kept') = (instrument_id is not null))
);
create index on card_consents (next_attempt_at) where status = 'agreed';
create index on card_consents (consumer_id);

-- Handles that the processor is to forget: of a deleted card, or one that a newer handle replaced.
create table card_removals (
  id bigint generated always as identity primary key,
  instrument_id text not null references instruments,
  account_id text not null references accounts,
  mode mode not null,
  -- Whose credentials the processor is asked with.
  merchant_id text not null references merchants,
  processor text not null,
  processor_account text,
  -- As in `instruments`; null once it is forgotten.
  processor_handle text,
  handle_sealed boolean not null,
  status text not null default 'waiting' check (status in ('waiting', 'gone', 'given_up')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  requested_at timestamptz not null default now(),
  settled_at timestamptz,
  check ((status = 'gone') = (processor_handle is null))
);
create index on card_removals (next_attempt_at) where status = 'waiting';

-- --------------------------------------------------------------------------------------------------- events (the outbox)

-- URLs that integrators want events posted to.
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
  -- Circuit breaker: failures in a row, and the time before which nothing is sent.
  failures integer not null default 0,
  paused_until timestamptz not null default '-infinity',
  created_at timestamptz not null default now(),
  check ((previous_secret is null) = (previous_secret_until is null))
);
create index on webhook_endpoints (account_id, mode, created_at desc, id desc) where deleted_at is null;

-- Transactional outbox: an event is written in the transaction of the change that it tells of. The relay turns each into
-- webhook deliveries and texts.
create table events (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  sequence bigint generated always as identity,
  type text not null,
  -- A `test` event is for one endpoint and about no session; every other is about a session.
  session_id text references checkout_sessions check ((type = 'test') = (session_id is null)),
  webhook_endpoint_id text references webhook_endpoints check ((type = 'test') = (webhook_endpoint_id is not null)),
  charge_id text references charges,
  refund_id text references refunds,
  -- What may have changed by the time of delivery, as it was then: {session_status, outcome, charge, …}.
  facts jsonb not null,
  -- The body as it is posted: rendered once, the same bytes on every attempt and to every endpoint.
  body text,
  created_at timestamptz not null default now(),
  relayed_at timestamptz,
  resend_requested_at timestamptz,
  -- Times that its body or its text could not be rendered.
  relay_failures smallint not null default 0,
  -- When the relay looks at it again; infinity: in quarantine until somebody asks for it to be sent again.
  relay_after timestamptz not null default '-infinity',
  -- Its webhooks are queued already; what is missing is the text.
  text_only boolean not null default false
);
create index on events (sequence) where relayed_at is null;
create index on events (session_id, sequence);
create index on events (account_id, mode, sequence desc);
create index on events using brin (created_at) with (autosummarize = on);
create unique index one_final_event_a_session on events (session_id, type)
  where type in ('checkout.completed', 'checkout.expired');
create unique index one_event_a_charge_and_kind on events (charge_id, type)
  where type in ('checkout.pending', 'checkout.succeeded', 'checkout.failed');
create unique index one_event_a_refund on events (refund_id) where refund_id is not null;

-- --------------------------------------------------------------------------------------------------------------- webhooks

-- One row for each event and endpoint that is to have it; BullMQ only carries what is due. Their order is told by
-- `sequence`, and not enforced.
create table webhook_deliveries (
  endpoint_id text not null references webhook_endpoints,
  event_id text not null references events,
  sequence bigint not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed', 'canceled')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- When the sweep enqueues it (again): for its retry, or because Redis has lost its job.
  enqueue_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- Of the last attempt: null where none was made, `status_code` and `answer` also where no answer came.
  attempted_at timestamptz,
  latency_ms integer,
  status_code integer,
  -- Its first 1 KiB.
  answer text,
  -- Why it counts as failed, as a short word: `status`, `timeout`, `connection`, …
  failure text,
  primary key (endpoint_id, event_id)
);
create index on webhook_deliveries (endpoint_id, sequence);
create index on webhook_deliveries (endpoint_id, enqueue_at) where status = 'waiting';
create index on webhook_deliveries using brin (created_at) with (autosummarize = on);
-- An event is pruned after its deliveries.
create index on webhook_deliveries (event_id);

-- ------------------------------------------------------------------------------------------------------- texts to callers

create table texts (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  session_id text not null references checkout_sessions,
  charge_id text references charges,
  kind text not null,
  recipient text not null,
  body text not null,
  segments integer not null,
  -- `sending` is written before the carrier is asked: what a crash left so is looked up, never blindly sent again.
  status text not null default 'waiting'
    check (status in ('waiting', 'sending', 'sent', 'failed', 'unknown', 'opted_out')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  carrier text,
  carrier_message_id text,
  -- The carrier's own code of a failure.
  error_code text,
  created_at timestamptz not null default now(),
  first_sent_at timestamptz,
  settled_at timestamptz,
  -- What became of it after the carrier took it, as the carrier reports it, and the carrier's code of why it did not arrive.
  delivery text check (delivery in ('delivered', 'undelivered', 'unconfirmed')),
  delivery_code text,
  delivery_at timestamptz
);
-- One receipt a payment.
create unique index one_text_a_charge_and_kind on texts (charge_id, kind) where charge_id is not null;
create index on texts (next_attempt_at) where status in ('waiting', 'sending');
create index on texts (session_id, created_at);
create index on texts (account_id, created_at desc);
create index on texts (carrier_message_id) where carrier_message_id is not null;
create index on texts using brin (created_at) with (autosummarize = on);

-- Numbers that answered STOP, whichever account's text it was: carriers hold our number to it.
create table text_opt_outs (
  phone text primary key,
  keyword text not null,
  created_at timestamptz not null default now()
);

-- ------------------------------------------------------------------------------------------------------------ idempotency

-- One row an Idempotency-Key, for 24 hours. It refers to no other table: it is deleted soon.
create table idempotency_keys (
  account_id text not null,
  mode mode not null,
  -- The route's pattern: `POST /v1/keys/:id/roll`.
  route text not null,
  -- SHA-256 of the header's value: an integrator may have put anything there.
  key_hash bytea not null,
  -- SHA-256 of the request.
  request_hash bytea not null,
  -- The request that works on it, or that was answered.
  request_id text not null,
  -- After it a request without an answer belongs to a process that died, and another may take over.
  claimed_until timestamptz not null,
  -- The first answer; null until there is one. The text is sealed, for it may hold a token or a key.
  status smallint,
  answer text check ((answer is null) = (status is null)),
  created_at timestamptz not null default now(),
  primary key (account_id, mode, route, key_hash)
);
create index on idempotency_keys (created_at);

-- ---------------------------------------------------------------------------------------------- the sandbox processor's own
-- What the sandbox "did", remembered across our crashes as a real processor would. They refer to no other table.

-- `reference` is our charge id: no second row, no second payment. Until `settles_at` the sandbox says only that it is
-- working on it.
create table sandbox_payments (
  reference text primary key,
  payment_id text not null unique,
  account_id text not null,
  mode mode not null,
  status text not null check (status in ('succeeded', 'declined')),
  amount_cents integer not null,
  currency text not null,
  -- Which of the documented test cards paid; null for any other.
  card_name text,
  brand text,
  last_four text,
  decline_code text check ((status = 'declined') = (decline_code is not null)),
  refunded_cents integer not null default 0 check (refunded_cents between 0 and amount_cents),
  -- Of a payment whose card is kept: the first of the month in which the card expires.
  kept_until date,
  created_at timestamptz not null default now(),
  settles_at timestamptz not null default now()
);

-- `reference` is our refund id: no second row, no second refund.
create table sandbox_refunds (
  reference text primary key,
  refund_id text not null unique,
  payment_id text not null references sandbox_payments (payment_id),
  amount_cents integer not null check (amount_cents > 0),
  -- How it ends; until `settles_at` the sandbox says only that it is on its way.
  status text not null default 'succeeded' check (status in ('succeeded', 'failed')),
  settles_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index on sandbox_refunds (payment_id);
