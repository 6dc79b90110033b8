-- Up Migration
-- More that velocity rules count by. All signals of a charge are now forgotten two days after it began, also where it succeeded:
-- many cards of one caller show card testing although the bank takes them.
set local lock_timeout = '5s';

alter table charges
  -- Keyed hashes of the number that a call came from, where the session has none, and of the trunk or address that sent it.
  add column calling_number_hash bytea,
  add column call_source_hash bytea;
