-- Up Migration
-- Telling the outside world: webhooks to integrators, texts to callers. `events` is the outbox of both; the relay turns
-- each of its rows into deliveries and texts, in one transaction.

-- What was there before anybody relayed is history, not news.
update events set relayed_at = now() where relayed_at is null;

-- The body as it is posted: rendered once, the same bytes on every attempt and to every endpoint.
alter table events add column body text;

-- Commit to relay in milliseconds; several rows of one transaction are one notification.
create function notify_of_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('ringkey_events', '');
  return null;
end $$;
create trigger events_to_relay after insert or update of relayed_at on events
  for each row when (new.relayed_at is null) execute function notify_of_events();

-- An endpoint's deliveries go out one after the other, in the order of `sequence`; its lane says when, and who is at it.
create table webhook_lanes (
  endpoint_id text primary key references webhook_endpoints,
  -- When there is something to do next; infinity: nothing.
  wake_at timestamptz not null default now(),
  -- The worker at it, and until when it is believed to live.
  lease text,
  leased_until timestamptz,
  -- The circuit: failures in a row, and the time before which nothing is sent.
  failures integer not null default 0,
  paused_until timestamptz not null default '-infinity',
  check ((lease is null) = (leased_until is null))
);
create index on webhook_lanes ((coalesce(leased_until, wake_at)));

create table webhook_deliveries (
  endpoint_id text not null references webhook_endpoints,
  event_id text not null references events,
  sequence bigint not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed', 'canceled')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
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
create index on webhook_deliveries (endpoint_id, sequence) where status = 'waiting';
create index on webhook_deliveries (endpoint_id, next_attempt_at) where status = 'waiting';

-- IANA name; times in texts are the merchant's.
alter table merchants add column time_zone text not null default 'UTC';

-- Texts to callers. One of a kind a charge, whatever happens: that is what "one receipt a payment" stands on.
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
  settled_at timestamptz
);
create unique index one_text_a_charge_and_kind on texts (charge_id, kind) where charge_id is not null;
create index on texts (next_attempt_at) where status in ('waiting', 'sending');
create index on texts (session_id, created_at);
create index on texts (account_id, created_at desc);

-- Who answered STOP to our number, whichever account's text it was: carriers hold the number to it.
create table text_opt_outs (
  phone text primary key,
  keyword text not null,
  created_at timestamptz not null default now()
);
