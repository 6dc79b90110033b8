-- Up Migration
-- When an OpenID provider last saw the user, which may be long before the session began: only that is a sign-in.
set local lock_timeout = '5s';

alter table user_sessions
  -- Null: when the session began.
  add column authenticated_at timestamptz;
