-- Up Migration
-- The logos of merchants, written anew from their uploads. Not in `merchants`, whose rows every call reads.
set local lock_timeout = '5s';

create table merchant_logos (
  merchant_id text primary key references merchants on delete cascade,
  type text not null check (type in ('image/png', 'image/svg+xml')),
  -- SHA-256 of the bytes, in hexadecimal: the logo's address.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  width integer not null check (width between 1 and 1024),
  height integer not null check (height between 1 and 1024),
  size_bytes integer not null,
  bytes bytea not null check (octet_length(bytes) = size_bytes and size_bytes <= 65536),
  updated_at timestamptz not null default now()
);

create index merchant_logos_by_hash on merchant_logos (hash);
