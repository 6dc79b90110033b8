-- Up Migration
-- The language of one caller, and a second one that a merchant's callers may change to. BCP 47, all of them.
set local lock_timeout = '5s';

alter table merchants
  -- Offered in the greeting; null: none is.
  add column second_language text;

alter table checkout_sessions
  -- As create_checkout was given it; null: the merchant's.
  add column language text,
  -- What the caller has changed to on a call; null: it was not changed.
  add column chosen_language text;
