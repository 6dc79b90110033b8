-- Up Migration
-- Emails that correct a receipt: the bank returned the debit, or the capture failed.
set local lock_timeout = '5s';

alter table emails drop constraint emails_kind_check;
-- Not validated: that would read the whole table under a lock.
alter table emails add constraint emails_kind_check
  check (kind in ('receipt', 'not_charged', 'late_receipt', 'debit_returned', 'not_collected')) not valid;
