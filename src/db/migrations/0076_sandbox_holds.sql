-- Up Migration
-- The sandbox's payments that are only held, and then captured or voided.
set local lock_timeout = '5s';

alter table sandbox_payments
  -- When a hold expires. Null for a payment that was taken at once.
  add column capture_before timestamptz,
  -- Of a captured hold. The rest was released.
  add column captured_cents integer;
alter table sandbox_payments drop constraint sandbox_payments_status_check;
-- Not validated: that would read the whole table under a lock.
alter table sandbox_payments
  add constraint sandbox_payments_status_check
  check (status in ('action_required', 'authorized', 'succeeded', 'declined', 'voided')) not valid;
