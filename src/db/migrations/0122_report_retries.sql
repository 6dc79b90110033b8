-- Up Migration
-- A month-end report whose counting failed is counted again later.
set local lock_timeout = '5s';

alter table alert_targets
  -- How often counting the report that is due has failed.
  add column report_failures smallint not null default 0,
  -- When it is counted again. Null: as soon as it is due.
  add column report_retry_at timestamptz;
