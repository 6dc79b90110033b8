-- Up Migration
-- Every delivery attempt: what the endpoint answered, and what signed the request. A delivery has only its last attempt.
set local lock_timeout = '5s';

create table webhook_attempts (
  event_id text not null,
  endpoint_id text not null,
  -- Counts from 1 after each resend.
  attempt integer not null,
  -- The signed time, by the clock of the process that sent it.
  sent_at timestamptz not null,
  -- `webhook-signature`. It signs this body and time only.
  signature text not null,
  latency_ms integer not null,
  status_code integer,
  answer text,
  -- Null: delivered.
  failure text,
  created_at timestamptz not null default now(),
  primary key (event_id, endpoint_id, created_at)
) partition by range (created_at);
create index on webhook_attempts (endpoint_id, created_at) include (failure);
create table webhook_attempts_default partition of webhook_attempts default;
select make_day_partitions('webhook_attempts', 3);
