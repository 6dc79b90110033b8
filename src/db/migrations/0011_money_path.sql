-- Up Migration
-- What a charge costs PostgreSQL, and a limit that many requests at once cannot pass.

-- Declined charges of the session. A count of rows, taken while another transaction settles a charge, is one too low: the
-- statement that waits for the session's row goes on with what it saw before. The row itself it reads anew.
alter table checkout_sessions add column declines smallint not null default 0;
update checkout_sessions s set declines = failed.count
  from (select session_id, count(*) as count from charges where status = 'failed' group by session_id) failed
 where failed.session_id = s.id;

-- NOTIFY inside a transaction makes commits take turns: it holds one lock of the whole server while the disk is waited
-- for. So what a charge tells is rung by the process that took it, after its commit (notify/bell.ts); the rare rest here.
drop trigger events_to_relay on events;
create trigger events_to_relay after insert on events for each row
  when (new.relayed_at is null
        and new.type <> all ('{checkout.pending,checkout.succeeded,checkout.failed,checkout.completed}'))
  execute function notify_of_events();
create trigger events_to_relay_again after update of relayed_at on events
  for each row when (new.relayed_at is null) execute function notify_of_events();

-- Pruning (store/prune.ts) looks for rows by their age. Next to nothing to keep, and good enough for what is written in
-- the order of time.
create index on webhook_deliveries using brin (created_at) with (autosummarize = on);
create index on events using brin (created_at) with (autosummarize = on);
create index on texts using brin (created_at) with (autosummarize = on);
create index on charges using brin (created_at) with (autosummarize = on);
-- An event is forgotten after its deliveries.
create index on webhook_deliveries (event_id);
