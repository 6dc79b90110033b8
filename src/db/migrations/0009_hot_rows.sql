-- Up Migration
-- A checkout is opened by a statement that reads its merchant and its caller: what the references below would check again
-- is what it has just read, and their price is a lock on the account's, the merchant's and the caller's row for each
-- checkout, which busy accounts queue up for. Nothing deletes accounts, merchants or callers, and a session that was
-- charged keeps its account and merchant through `charges`.

alter table checkout_sessions
  drop constraint checkout_sessions_account_id_fkey,
  drop constraint checkout_sessions_merchant_id_fkey,
  drop constraint checkout_sessions_consumer_id_fkey;
