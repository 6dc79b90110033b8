-- Up Migration
-- Where an account is asked how far the carriers vouch for a call of its platform; null: nowhere.
set local lock_timeout = '5s';

alter table accounts
  add column attestation_url_test text,
  add column attestation_url_live text;
