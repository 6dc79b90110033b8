-- Up Migration
-- Which of a processor's records belong to a merchant, for reconciliation: connecting the merchant again, as for a new key, may lead to
-- the same account or to another one, which does not have the earlier charges.
set local lock_timeout = '5s';

alter table merchant_processors
  -- The processor's name of the account or location whose records it lists. Null: unknown.
  add column records_of text,
  -- Since when it is that one.
  add column records_since timestamptz not null default now(),
  -- Why the records do not have earlier charges. Null: the merchant was connected for the first time, or before this was recorded.
  add column records_change text check (records_change in ('another_account', 'unknown_account'));

-- Square lists the payments of a location, which is recorded from the next connection on.
update merchant_processors
   set records_since = connected_at, records_of = case when processor = 'square' then null else processor_account end;
