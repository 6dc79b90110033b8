-- Up Migration
-- Lists of the dashboard with their filters, saved under a name by a user, or shared in an account.
set local lock_timeout = '5s';

create table saved_views (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  -- Null: shared with all users of the account.
  user_id text references users,
  -- The path of the list within the mode.
  list text not null,
  -- The filters, as in the URL. Never a caller's number or digits of a card.
  query text not null,
  name text not null,
  created_at timestamptz not null default now()
);
create index saved_views_by_list on saved_views (account_id, mode, list);
create index saved_views_by_user on saved_views (user_id) where user_id is not null;
