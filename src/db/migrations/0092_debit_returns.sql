-- Up Migration
-- Banks return debits up to two months after they were paid. Paid debits are looked up until then.
set local lock_timeout = '5s';

alter table charges add column returned_at timestamptz;

create table debit_returns (
  charge_id text primary key references charges,
  account_id text not null references accounts,
  mode mode not null,
  -- The next lookup. Null once the debit was returned.
  check_at timestamptz,
  returned_at timestamptz
);
create index on debit_returns (check_at) where check_at is not null;
create index on debit_returns (account_id, mode, returned_at) where returned_at is not null;
