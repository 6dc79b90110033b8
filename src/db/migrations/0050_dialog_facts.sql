-- Up Migration
-- What requests in the dialogs of a live call are made of, for a SIP server that has forgotten them.
set local lock_timeout = '5s';

alter table calls
  -- An array as sip_dialogs: call_id, from, to, target, routes, contact. Null before the answer, and once the call is over.
  add column dialog_facts jsonb;
