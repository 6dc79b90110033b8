-- Up Migration
-- Codes that name the session of a call to the payment line's number: keyed after the answer, once, while it is open.
set local lock_timeout = '5s';

-- HMAC of the account and the eight digits. Null: the session has no code, or it was used.
alter table checkout_sessions add column transfer_code_hash bytea;
