-- Up Migration
-- What a charge costs PostgreSQL, once more. Each statement that writes to a table reads the text of its CHECKs anew, copies
-- its triggers, and writes to each of its indexes; each reference of a row is asked for by a query of its own. The same
-- rules, with less of that.

-- A domain's rule is asked of a value that is written, not of every row that is touched.
create domain charge_source as text check (value in ('phone', 'saved_card', 'page'));
create domain amount_source as text check (value in ('order', 'request'));
alter table checkout_sessions
  drop constraint checkout_sessions_amount_source_check,
  alter column amount_source type amount_source;

-- A charge's merchant is its account's: one reference that says so, for two that did not.
alter table merchants add constraint merchants_of_accounts unique (id, account_id);
alter table charges
  drop constraint charges_source_check,
  alter column source type charge_source,
  drop constraint never_more_back_than_was_paid,
  -- Never less than nothing: it is the sum of amounts that are positive.
  add constraint never_more_back_than_was_paid
    check (refunded_cents <= case when status = 'succeeded' then amount_cents else 0 end),
  drop constraint charges_account_id_fkey,
  drop constraint charges_merchant_id_fkey,
  add constraint charges_merchant_of_account_fkey
    foreign key (merchant_id, account_id) references merchants (id, account_id);

-- The rule of the whole product in the index that finds a session's charges, instead of in one beside it: those that failed
-- are told apart by their ids, and of the others there is one.
drop index one_live_charge_a_session;
create unique index one_live_charge_a_session
  on charges (session_id, (case when status = 'failed' then id else '' end));
drop index charges_session_id_created_at_idx;

-- An event keeps its charge, and the charge its session and its account. Events without a charge are written by the
-- statement that reads their session or their endpoint; nothing deletes sessions or accounts.
alter table events
  drop constraint events_session_id_fkey,
  drop constraint events_account_id_fkey;

-- What an event is the only one of, in one index for four: of its kind where a session has but one such, of its refund, or
-- of its kind and charge. It also finds a session's events.
create unique index one_event_of_a_kind on events (session_id, (case
  when type in ('checkout.completed', 'checkout.expired') then type else coalesce(refund_id, type || charge_id) end));
drop index one_final_event_a_session;
drop index one_event_a_charge_and_kind;
drop index one_event_a_refund;
drop index events_session_id_sequence_idx;

-- A mark is for counting what came to nothing (store/attempts.ts): a charge that succeeds forgets it at once, and the others
-- are found by the indexes that count them (store/prune.ts).
update charges set card_fingerprint = null, origin_hash = null
 where status = 'succeeded' and (card_fingerprint is not null or origin_hash is not null);
drop index charges_created_at_idx;

-- Whoever writes an event that is not a charge's rings in the same statement (store/events.ts).
drop trigger events_to_relay on events;
drop trigger events_to_relay_again on events;
drop function notify_of_events();
