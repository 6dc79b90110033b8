-- Up Migration
-- Signing secrets of accounts are encrypted at rest, as other secrets are; those of before once `ringkey vault reseal` has run.
set local lock_timeout = '5s';

alter table accounts
  -- Whether `header_signing_secret` is sealed.
  add column header_secret_sealed boolean not null default false;
