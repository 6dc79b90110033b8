-- Up Migration
-- A bank debit that was refunded can be returned, too. The return failed, and was never recorded.
set local lock_timeout = '5s';

alter table charges drop constraint never_more_back_than_was_paid;
-- Not validated: that would read the whole table under a lock.
alter table charges add constraint never_more_back_than_was_paid
  check (refunded_cents = 0
         or ((status = 'succeeded' or returned_at is not null) and refunded_cents between 0 and amount_cents)) not valid;
