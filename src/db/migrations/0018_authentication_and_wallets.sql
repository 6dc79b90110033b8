-- Up Migration
-- Charges that wait until their payer has done what the bank asks for (3-D Secure), and charges by a wallet.
set local lock_timeout = '5s';

alter table charges
  -- Until when the payer may do it. The charge is pending, and the resolver cancels it at the processor afterwards.
  add column action_deadline timestamptz,
  add column wallet text;
-- Not validated: that would read the whole table under a lock.
alter table charges add constraint charges_wallet_check check (wallet in ('apple_pay', 'google_pay')) not valid;

-- The sandbox's payments wait likewise, without an outcome.
alter table sandbox_payments drop constraint sandbox_payments_status_check;
alter table sandbox_payments
  add constraint sandbox_payments_status_check check (status in ('action_required', 'succeeded', 'declined')) not valid;
