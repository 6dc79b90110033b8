-- Up Migration
-- Cards that callers agreed to keep: who agreed, and to which words; handles encrypted; what is still to be asked of a
-- processor.

alter table merchants add column card_saving text not null default 'never' check (card_saving in ('never', 'ask'));

-- The processor's name of the account that keeps the merchant's cards: merchants that share it share their callers'
-- cards. Null: cards are the merchant's own.
alter table merchant_processors add column processor_account text;

alter table instruments add column processor_account text;
-- `processor_handle` is sealed for `instrument:<id>`. What was written before is sealed at the next start.
alter table instruments add column handle_sealed boolean not null default false;
-- The processor's word for the number behind the card: the same card again is the same row.
alter table instruments add column fingerprint text;
create unique index one_instrument_a_card
  on instruments (consumer_id, processor, (coalesce(processor_account, merchant_id)), fingerprint)
  where deleted_at is null and fingerprint is not null;
create index on instruments (id) where not handle_sealed and deleted_at is null;

-- A card is good to the end of its month, where the merchant is. A zone that is none counts as UTC.
create function is_card_expired(month smallint, year smallint, at timestamptz, zone text) returns boolean
language plpgsql stable as $$
begin
  return (at at time zone zone)::date >= make_date(year, month, 1) + interval '1 month';
exception when invalid_parameter_value then
  return (at at time zone 'UTC')::date >= make_date(year, month, 1) + interval '1 month';
end $$;

-- Written with the charge that the card is to be kept of, so that a crash loses neither. Also the list of the cards that
-- are still to be kept: of the charges that succeeded, those `agreed`.
create table card_consents (
  id bigint generated always as identity primary key,
  account_id text not null references accounts,
  mode mode not null,
  merchant_id text not null references merchants,
  channel text not null check (channel in ('phone', 'page', 'rest')),
  -- Null over REST, where the integrator asked, in his own words.
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

-- Handles to be forgotten at their processor: of a deleted card, or of one that a newer handle replaced.
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

-- The sandbox keeps the card of a payment that was made so: the first of the month on which the card says it ends.
alter table sandbox_payments add column kept_until date;
