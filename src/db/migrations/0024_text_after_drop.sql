-- Up Migration
-- The pay link for callers whose call broke off unpaid.
set local lock_timeout = '5s';

alter table merchants
  add column text_after_drop boolean not null default false;

create table texts_after_drop (
  -- Goes with its session: whoever deletes a session need not know of these.
  session_id text primary key references checkout_sessions on delete cascade,
  -- When the call broke off that the text is due after. A call since then stands for itself.
  broke_off_at timestamptz not null,
  -- Null: it was texted, which happens once a session.
  due_at timestamptz
);
create index on texts_after_drop (due_at) where due_at is not null;
