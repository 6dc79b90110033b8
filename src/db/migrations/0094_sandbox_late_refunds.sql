-- Up Migration
-- Refunds of the sandbox that succeed first and fail later. Until this time, such a refund is said to have succeeded.
set local lock_timeout = '5s';

alter table sandbox_refunds add column succeeded_until timestamptz;
