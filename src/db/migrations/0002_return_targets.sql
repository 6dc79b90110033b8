-- Up Migration
-- Where an account may send callers after a call; before, every host and number was allowed.
set local lock_timeout = '5s';

alter table accounts
  -- Hosts of SIP URIs in `return_to`: a name, `*.example.com`, an address, or `*` for every public host. Null: every public
  -- host in test mode, none in live mode.
  add column return_hosts text[],
  -- Beginnings of E.164 numbers that may be called through the operator's trunk.
  add column return_number_prefixes text[] not null default '{}';
