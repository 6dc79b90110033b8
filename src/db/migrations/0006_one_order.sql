-- Up Migration
-- One order, one payment: a session whose order is to be paid once more says so.
set local lock_timeout = '5s';

alter table checkout_sessions
  -- Another session of the same merchant and order may be paid, or being paid.
  add column allow_repeat boolean not null default false;
