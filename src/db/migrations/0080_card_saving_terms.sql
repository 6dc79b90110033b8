-- Up Migration
-- What the caller of a checkout is asked to agree to when the card is saved: terms, sentence, highest amount. Null: the
-- standard question, if the merchant asks at all.
set local lock_timeout = '5s';

alter table checkout_sessions add column saving jsonb;
