-- Up Migration
-- Refunds that the merchant makes in the processor's dashboard, and what fails at the processor after it succeeded.
set local lock_timeout = '5s';

alter table refunds
  -- `processor`: made there, and found by its notification.
  add column origin text not null default 'ringkey',
  -- When the processor said that a succeeded refund has failed.
  add column failed_late_at timestamptz;
-- Not validated: that would read the whole table under a lock.
alter table refunds add constraint known_origin check (origin in ('ringkey', 'processor')) not valid;
alter table refunds add constraint only_failed_refunds_fail_late
  check (failed_late_at is null or status = 'failed') not valid;

-- When the processor said that the capture of a succeeded charge has failed.
alter table charges add column capture_failed_at timestamptz;
