-- Up Migration
-- The audit trail: who changed what, from where. Rows are only added, and deleted after a year.
set local lock_timeout = '5s';

create table audit_events (
  id text primary key,
  sequence bigint generated always as identity,
  account_id text not null references accounts,
  -- Null: of the account as a whole.
  mode mode,
  -- `key.created`: the first word names the kind of the object.
  action text not null,
  object_id text not null,
  -- Never a secret.
  changes jsonb not null,
  actor_kind text not null check (actor_kind in ('key', 'demo', 'command', 'system')),
  -- The key's id, or the user who ran the command.
  actor_id text,
  -- The request's address, or the command's host.
  source text,
  request_id text,
  created_at timestamptz not null default now(),
  check ((actor_kind in ('key', 'command')) = (actor_id is not null))
);
create index on audit_events (account_id, sequence desc);
create index on audit_events (object_id, sequence desc);
create index on audit_events using brin (created_at) with (autosummarize = on);

-- The table is ours, so that privileges would not hold us back. Pruning says so by a setting of its transaction.
create function keep_audit_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('ringkey.pruning', true) = 'on' then
    if old.created_at < now() - interval '1 year' then return old; end if;
  end if;
  raise exception 'audit events are only added' using errcode = 'integrity_constraint_violation';
end $$;
create trigger audit_events_kept before update or delete on audit_events for each row
  execute function keep_audit_events();
create trigger audit_events_not_emptied before truncate on audit_events for each statement
  execute function keep_audit_events();
