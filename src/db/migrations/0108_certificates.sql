-- Up Migration
-- Until when the certificates of the service's own addresses are valid, as its servers present them.
set local lock_timeout = '5s';

create table certificates (
  host text not null,
  port integer not null,
  valid_until timestamptz not null,
  read_at timestamptz not null,
  primary key (host, port)
);
