-- Up Migration
-- A caller with payments at several merchants is asked which one the call is for. Until then the call has no session; the answer
-- claims one, by the unique index that lets a session have one live call.
set local lock_timeout = '5s';

alter table calls alter column session_id drop not null;
