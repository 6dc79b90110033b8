-- Up Migration
-- Partial payments: the smallest part that a merchant accepts, and what a charge leaves of its session's amount.
set local lock_timeout = '5s';

-- Null: only the whole amount.
alter table merchants add column partial_minimum_cents integer;

alter table charges add column remaining_cents integer not null default 0;
-- Not validated: that would read the whole table under a lock.
alter table charges add constraint remaining_is_no_credit check (remaining_cents >= 0) not valid;
