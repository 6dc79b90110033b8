-- Up Migration
-- The links by which callers pay on a page.
set local lock_timeout = '5s';

create table pay_links (
  -- Goes with its session: whoever deletes a session need not know of links.
  session_id text primary key references checkout_sessions on delete cascade,
  account_id text not null references accounts,
  mode mode not null,
  -- SHA-256 of the code in each of the two addresses. The codes themselves stand sealed in `codes_sealed`, so that a repeat
  -- gives the same link.
  short_hash bytea not null unique,
  long_hash bytea not null unique,
  codes_sealed text not null,
  -- When texts with the link were queued, the newest first, three at most: what decides whether another may be.
  texted_at timestamptz[] not null default '{}',
  created_at timestamptz not null default now(),
  -- When the page was seen by a person first.
  opened_at timestamptz
);

alter table texts
  -- In place of `body`, which is empty then: a text that holds the way to pay. Sealed for `text:<id>`.
  add column sealed_body text;
