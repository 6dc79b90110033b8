-- Up Migration
-- Rules against card testing (payments/velocity.ts): whose attempts, with which card, and from where. Old charges count
-- for nobody.

-- The session's, as it was then.
alter table charges add column caller_phone text;
-- HMAC-SHA256 under a key that the record does not hold; never the number.
alter table charges add column card_fingerprint bytea;
alter table charges add column origin_hash bytea;

create index on charges (account_id, mode, caller_phone, created_at)
  where status <> 'succeeded' and caller_phone is not null;
create index on charges (account_id, mode, card_fingerprint, created_at)
  where status <> 'succeeded' and card_fingerprint is not null;
create index on charges (account_id, mode, origin_hash, created_at)
  where status <> 'succeeded' and origin_hash is not null;
