-- Up Migration
-- Receipts by email. A row holds neither address nor words: both are read when the email is sent, so that nothing is left to
-- erase.
set local lock_timeout = '5s';

-- Where the caller wants the receipt. Cleared with the caller's number.
alter table checkout_sessions add column caller_email text;

create table emails (
  id text primary key,
  account_id text not null references accounts,
  mode mode not null,
  session_id text not null references checkout_sessions,
  charge_id text not null references charges,
  kind text not null check (kind in ('receipt', 'not_charged', 'late_receipt')),
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- The mail server's code of a failure, or ours.
  error_code text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  -- One receipt a payment.
  unique (charge_id, kind)
);
create index emails_due on emails (next_attempt_at) where status = 'waiting';
create index emails_by_session on emails (session_id);
create index emails_by_time on emails (account_id, mode, created_at desc, id desc);
create index emails_by_age on emails using brin (created_at) with (autosummarize = on);
