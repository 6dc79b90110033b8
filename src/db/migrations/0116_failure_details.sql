-- Up Migration
-- Why a delivery attempt found no connection, if `failure` is `connection`: `host_not_found`, `certificate_expired` and others.
set local lock_timeout = '5s';

alter table webhook_deliveries add column failure_detail text;
alter table webhook_attempts add column failure_detail text;
