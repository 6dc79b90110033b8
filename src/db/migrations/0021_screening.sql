-- Up Migration
-- Screening: what look-ups say of callers' numbers, and carriers of their calls. Kept for two days (db/prune.ts).
set local lock_timeout = '5s';

-- One row a number: the latest answer, and whether the try after it failed.
create table number_lookups (
  account_id text not null references accounts,
  mode mode not null,
  -- E.164.
  phone text not null,
  adapter text not null,
  -- False: every try has failed.
  is_answered boolean not null,
  port_check text not null,
  line_type text not null,
  carrier text,
  notes text[] not null,
  failure text,
  checked_at timestamptz not null,
  primary key (account_id, mode, phone)
);
create index number_lookups_by_age on number_lookups (checked_at);

create table session_attestations (
  session_id text not null references checkout_sessions on delete cascade,
  -- Who said it: an adapter, or the INVITE.
  source text not null,
  attestation text check (attestation in ('A', 'B', 'C', 'Failed')),
  note text,
  attested_at timestamptz not null,
  primary key (session_id, source)
);
create index session_attestations_by_age on session_attestations (attested_at);
