-- Up Migration
-- Users of the dashboard: who may sign in to an account, with what, and their sessions.
set local lock_timeout = '5s';

create table users (
  id text primary key,
  account_id text not null references accounts,
  -- Lower case. A person has one row in each account.
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'developer', 'support', 'viewer')),
  -- Argon2id, with its parameters and salt.
  password_hash text,
  -- Of the authenticator app, sealed.
  totp_secret text,
  -- Number of the 30 seconds whose code was used last: no code is taken twice.
  totp_last_step bigint,
  -- The newest failures with the password. Emptied when one succeeds.
  failed_at timestamptz[] not null default '{}',
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  signed_in_at timestamptz,
  -- The row stays, for the audit trail names it.
  removed_at timestamptz,
  check ((password_hash is null) = (totp_secret is null))
);
create unique index users_email on users (account_id, email) where removed_at is null;
create index on users (email) where removed_at is null;

create table user_passkeys (
  -- The credential id, base64url.
  id text primary key,
  user_id text not null references users,
  -- COSE.
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index on user_passkeys (user_id);

create table user_recovery_codes (
  user_id text not null references users,
  -- SHA-256 of the user's id and the code. A used one is deleted.
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table user_invitations (
  -- SHA-256 of the token in the link.
  token_hash bytea primary key,
  user_id text not null references users,
  -- Sealed: offered to the authenticator app until the invitation is accepted.
  totp_secret text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on user_invitations (user_id);
create index on user_invitations (expires_at);

create table user_sessions (
  -- SHA-256 of the token in the cookie.
  token_hash bytea primary key,
  id text not null unique,
  user_id text not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Stands still once the session was idle for too long: a request does not make it fresh again.
  last_active_at timestamptz not null default now(),
  source text
);
create index on user_sessions (user_id);
create index on user_sessions (expires_at);

create table sign_in_attempts (
  -- SHA-256 of the token in the cookie.
  token_hash bytea primary key,
  -- `passkey`, `new_passkey`, `oidc`: what was begun.
  kind text not null,
  -- The challenge or state, and what the answer must fit.
  facts jsonb not null,
  expires_at timestamptz not null
);
create index on sign_in_attempts (expires_at);

alter table audit_events
  drop constraint audit_events_actor_kind_check,
  drop constraint audit_events_check,
  add constraint audit_events_actor_kind_check
    check (actor_kind in ('key', 'user', 'demo', 'command', 'system')) not valid,
  add constraint audit_events_check check ((actor_kind in ('key', 'user', 'command')) = (actor_id is not null)) not valid;
