-- Up Migration
-- The currency of the highest amount that a caller agreed to, because a merchant's currency can change. Null: not known.
set local lock_timeout = '5s';

alter table card_consents add column currency text;
