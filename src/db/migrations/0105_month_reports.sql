-- Up Migration
-- The month-end reports that alert targets get.
set local lock_timeout = '5s';

alter table alert_targets
  add column report_merchants text[] not null default '{}',
  -- The last month of which a report was made or is not wanted any more: '2026-10'.
  add column reported_month text;

alter table alert_messages drop constraint alert_messages_kind_check;
alter table alert_messages
  add constraint alert_messages_kind_check check (kind in ('alert', 'summary', 'report', 'test')) not valid;
