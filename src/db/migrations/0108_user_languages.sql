-- Up Migration
-- The language of the dashboard that a user has chosen. Null: the browser's.
set local lock_timeout = '5s';

alter table users add column language text;
