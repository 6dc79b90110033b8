-- Up Migration
-- What the lists of calls are filtered by, and what is known of a call's keys and sound once it has ended.
set local lock_timeout = '5s';

alter table calls
  -- The session's, so that a list of one merchant's calls is an index.
  add column merchant_id text,
  -- How the caller's keys came: `telephone-event`, `info`, `inband`. Null: none came, or not known.
  add column key_kind text,
  -- Of the sound that came from the caller: its codec, packets that came and that were missed, and their jitter. Null: not known.
  add column codec text,
  add column packets_received integer,
  add column packets_lost integer,
  add column jitter_ms real;

-- A process of the version before names no merchant.
create function name_merchant_of_call() returns trigger language plpgsql as $$
begin
  new.merchant_id := (select merchant_id from checkout_sessions where id = new.session_id);
  return new;
end $$;
create trigger merchant_of_call_named before insert on calls for each row
  when (new.merchant_id is null) execute function name_merchant_of_call();
