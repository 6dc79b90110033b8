-- Up Migration
-- Signed notifications of processors: the secrets that they are checked with, and an inbox.
set local lock_timeout = '5s';

alter table merchant_processors
  -- Sealed. Null: no notifications are accepted.
  add column notification_secret text,
  -- The one before it, accepted until then: notifications on their way are signed with it.
  add column previous_notification_secret text,
  add column previous_secret_until timestamptz;

-- What a processor has notified, until it is looked up there. No body is stored.
create table processor_notifications (
  id bigint generated always as identity primary key,
  merchant_id text not null references merchants on delete cascade,
  processor text not null,
  account_id text not null references accounts,
  mode mode not null,
  -- The processor's ID of the notification: the same one again is no new row.
  event_id text not null,
  type text not null,
  -- The processor's IDs of what it is about, and our charge as it names it. Hints: the charge may be another merchant's.
  payment_id text,
  charge_id text,
  dispute_id text,
  attempts integer not null default 0,
  -- Null: nothing is left to do.
  due_at timestamptz,
  received_at timestamptz not null default now()
);
create unique index one_row_a_notification on processor_notifications (merchant_id, processor, event_id);
create index on processor_notifications (due_at) where due_at is not null;
create index on processor_notifications (received_at);
