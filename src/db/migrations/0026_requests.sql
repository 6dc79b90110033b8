-- Up Migration
-- The request log: what was asked over REST, and answered, for a month. Written behind the answers, in batches. It refers to no
-- other table: its rows are deleted soon, and none of them may keep anything else from being deleted.
set local lock_timeout = '5s';

create table requests (
  id text primary key,
  account_id text not null,
  mode mode not null,
  method text not null,
  -- As the reference writes it: `/v1/charges/{charge_id}`. Null: there is no such operation.
  route text,
  -- With its query. Secrets and card-like digits are cut, as in the bodies.
  path text not null,
  status smallint not null,
  -- The error's; null where there was none.
  code text,
  param text,
  duration_ms integer not null,
  -- Null in the keyless demo.
  key_id text,
  source text,
  -- The first 8 KiB each; null where there was none, or it is not kept.
  request_body text,
  answer_body text,
  created_at timestamptz not null
);
create index requests_by_time on requests (account_id, mode, created_at desc, id desc);
create index requests_by_route on requests (account_id, mode, route, created_at desc, id desc);
create index requests_by_key on requests (key_id, created_at desc, id desc);
-- Most are 200 and without a code: those are found by time.
create index requests_by_status on requests (account_id, mode, status, created_at desc, id desc) where status <> 200;
create index requests_by_code on requests (account_id, mode, code, created_at desc, id desc) where code is not null;
create index requests_by_age on requests using brin (created_at) with (autosummarize = on);
