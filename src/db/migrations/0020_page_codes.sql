-- Up Migration
-- Codes by which a payer on the pay page shows to have the session's phone, before saved cards are shown.
set local lock_timeout = '5s';

create table page_codes (
  -- One at most a session: a new code takes the place of the one before. Goes with the link.
  session_id text primary key references pay_links on delete cascade,
  -- HMAC of the six digits, of this session; null once it was right.
  code_hash bytea,
  expires_at timestamptz not null,
  tries_left integer not null,
  -- When codes were texted, the newest first, three at most: what decides whether another may be.
  texted_at timestamptz[] not null
);
