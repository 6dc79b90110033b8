-- Up Migration
-- Who is told about attention items, by email or in Slack, and the messages to them.
set local lock_timeout = '5s';

create table alert_targets (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  -- Null: the account's. A user's own target has the user's address.
  user_id text references users,
  channel text not null check (channel in ('email', 'slack')),
  name text not null default '',
  email text check ((email is not null) = (channel = 'email' and user_id is null)),
  -- Sealed: the URL of an incoming webhook of Slack, which is a secret.
  slack_url text not null default '' check ((slack_url <> '') = (channel = 'slack')),
  topics text[] not null,
  urgent_only boolean not null,
  time_zone text not null,
  -- Hours of the time zone.
  quiet_from smallint check (quiet_from between 0 and 23),
  quiet_until smallint check (quiet_until between 0 and 23),
  summary_hour smallint check (summary_hour between 0 and 23),
  summary_if_empty boolean not null,
  -- The last day of which a summary was made or is not wanted any more.
  summarized_on date,
  -- Failed attempts in a row, and when the next message is made.
  failures integer not null default 0,
  paused_until timestamptz not null default '-infinity',
  created_at timestamptz not null default now(),
  check ((quiet_from is null) = (quiet_until is null))
);
create index alert_targets_by_account on alert_targets (account_id, mode, created_at desc, id desc);
create unique index one_own_alert_target on alert_targets (user_id, mode) where user_id is not null;

create table alert_messages (
  id text primary key,
  target_id text not null references alert_targets on delete cascade,
  kind text not null check (kind in ('alert', 'summary', 'test')),
  -- The words of items, and figures. No callers.
  content jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  error_code text,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create index alert_messages_due on alert_messages (next_attempt_at) where status = 'waiting';
create index alert_messages_by_target on alert_messages (target_id, created_at desc);
create index alert_messages_by_age on alert_messages (created_at);

-- What a target was told about an item, so that nothing is told twice.
create table alert_notices (
  target_id text not null references alert_targets on delete cascade,
  item_id text not null references attention_items on delete cascade,
  opened_told_at timestamptz not null,
  closed_told_at timestamptz,
  primary key (target_id, item_id)
);
create index alert_notices_by_item on alert_notices (item_id);
