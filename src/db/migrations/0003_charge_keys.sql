-- Up Migration
-- The Idempotency-Key that a charge was asked for with: a request whose answer was not kept, since the outcome was not known,
-- finds its charge when it is repeated.
set local lock_timeout = '5s';

alter table charges
  -- SHA-256 of the header's value.
  add column idempotency_key_hash bytea;
