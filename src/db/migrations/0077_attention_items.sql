-- Up Migration
-- What needs a person's attention, as the sweep of the worker has found it: opened once, and closed when the cause is gone.
set local lock_timeout = '5s';

create table attention_items (
  id text primary key,
  kind text not null,
  -- Null: the service as a whole.
  account_id text references accounts,
  mode mode check ((mode is null) = (account_id is null)),
  -- The ID of the object, or a name that distinguishes items of a kind.
  subject text not null,
  merchant_id text references merchants,
  -- Counts, amounts and names for the words. No numbers of callers.
  facts jsonb not null default '{}',
  -- The time of the newest cause. An item that was done before it is shown again.
  newest_at timestamptz not null default now(),
  opened_at timestamptz not null default now(),
  closed_at timestamptz
);
create unique index one_open_attention_item on attention_items (kind, account_id, mode, subject) nulls not distinct
  where closed_at is null;
create index open_attention_items on attention_items (account_id, mode, id desc) where closed_at is null;
create index closed_attention_items on attention_items (account_id, mode, id desc) where closed_at is not null;
create index attention_items_by_closing on attention_items (closed_at) where closed_at is not null;

-- What an account has decided about an item, also about one of the whole service.
create table attention_marks (
  item_id text not null references attention_items on delete cascade,
  account_id text not null references accounts,
  done_at timestamptz,
  quiet_until timestamptz,
  primary key (item_id, account_id)
);

-- One row: when a worker has last swept, and when it has last seen a phone process.
create table attention_sweep (
  is_only boolean primary key default true check (is_only),
  swept_at timestamptz not null,
  phone_seen_at timestamptz
);
