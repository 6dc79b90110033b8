-- Up Migration
-- When an account's success rates of days were last compared with those of the four weeks before, and up to which day. They are
-- compared again after a new day or an hour. A table of its own: charges of the day before lock rows of `statistics_days`.
set local lock_timeout = '5s';

create table rate_comparisons (
  account_id text not null references accounts,
  mode mode not null,
  day date not null,
  compared_at timestamptz not null,
  primary key (account_id, mode)
);
