-- Up Migration
-- Calls that saved a card without a payment: the statistics count them apart from paid calls.
set local lock_timeout = '5s';

alter table call_days add column is_saved boolean not null default false;
