-- Up Migration
-- The branding of a merchant's pay pages and emails. What it does not have is the account's.
set local lock_timeout = '5s';

alter table merchants add column page_branding jsonb;
