-- Up Migration
-- Keys have names and are listed newest first; POST requests have idempotency keys.

alter table keys add column name text;
create index on keys (account_id, mode, created_at desc, id desc);

-- One row an Idempotency-Key, for 24 hours. No reference to accounts: it would cost each request a lock on the account's
-- row, and what is orphaned is swept soon.
create table idempotency_keys (
  account_id text not null,
  mode mode not null,
  -- The pattern: `POST /v1/keys/:id/roll`.
  route text not null,
  -- SHA-256 of the header's value: an integrator may have put anything there.
  key_hash bytea not null,
  -- SHA-256 of what was asked for.
  request_hash bytea not null,
  -- The request that works on it, or that was answered.
  request_id text not null,
  -- Past it, a request that has no answer belongs to a process that died: another may take over.
  claimed_until timestamptz not null,
  -- The first answer; null while it is worked on. The text is sealed (vault), for it may hold a token or a key that the
  -- record otherwise has as a hash only.
  status smallint,
  answer text check ((answer is null) = (status is null)),
  created_at timestamptz not null default now(),
  primary key (account_id, mode, route, key_hash)
);
create index on idempotency_keys (created_at);
