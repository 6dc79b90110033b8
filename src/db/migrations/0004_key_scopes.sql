-- Up Migration
-- What a key may do, and from where.
set local lock_timeout = '5s';

alter table keys
  -- `agent`: only what a voice agent needs; src/domain/key.ts.
  add column scope text not null default 'full' check (scope in ('full', 'agent')),
  -- Addresses and CIDR blocks that requests with the key may come from. Empty: any.
  add column allowed_sources text[] not null default '{}',
  -- The end that was set when the key was made. Rolling a key moves its `expires_at` forward; its successor ends at this one.
  add column issued_until timestamptz;
