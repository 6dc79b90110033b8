-- Up Migration
-- Users of the dashboard who see and do only what belongs to some merchants.
set local lock_timeout = '5s';

alter table users
  -- With no row in `user_merchants`, such a user sees nothing.
  add column is_limited boolean not null default false,
  -- Owners and developers manage the account as a whole.
  add constraint users_limited_by_role check (not is_limited or role in ('support', 'viewer')) not valid;

create table user_merchants (
  user_id text not null references users,
  merchant_id text not null references merchants on delete cascade,
  primary key (user_id, merchant_id)
);
create index on user_merchants (merchant_id);
