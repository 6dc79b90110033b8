-- Up Migration
-- Where `/readyz` tries a write. Its rows are rolled back, so it never has one. Each fills a page of its own, which takes room
-- on the disk, and a vacuum gives the room back.
set local lock_timeout = '5s';

create table write_checks (
  filler text not null
) with (autovacuum_vacuum_threshold = 20, autovacuum_vacuum_scale_factor = 0);

-- Stored as it is: compressed, many rows would fit on one page.
alter table write_checks alter column filler set storage plain;
