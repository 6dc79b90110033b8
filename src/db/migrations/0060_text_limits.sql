-- Up Migration
-- Limits of what a stolen key can spend: texts to other countries, and paid look-ups of callers' numbers.
set local lock_timeout = '5s';

alter table accounts
  -- Countries that the account may text besides its merchants' own: ISO 3166-1, two letters each.
  add column text_countries text[] not null default '{}';

-- How many paid look-ups an account has asked for, by five minutes. The account's next look-up deletes rows that no budget counts.
create table number_lookup_turns (
  account_id text not null references accounts,
  mode mode not null,
  slot timestamptz not null,
  lookups integer not null,
  primary key (account_id, mode, slot)
);
