-- Up Migration
-- The number of a call to a session that was opened without one, from a trusted trunk. Texts go there; cards, velocity rules and
-- transfers by number keep to caller_phone.
set local lock_timeout = '5s';

alter table checkout_sessions add column lent_phone text;
