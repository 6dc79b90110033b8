-- Up Migration
-- What another process needs to send the caller of a dead one back to the agent.
set local lock_timeout = '5s';

alter table calls
  -- Whether the caller's Allow lists REFER.
  add column allows_refer boolean not null default false,
  -- Our Contact in the caller's dialog; null before the answer.
  add column local_contact text;
