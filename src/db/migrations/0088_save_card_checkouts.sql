-- Up Migration
-- Checkouts that verify a card and save it, without a payment. Their charges have the amount 0.
set local lock_timeout = '5s';

alter table checkout_sessions add column purpose text not null default 'payment';

-- A card that was verified for a caller who has been erased since, or was told that it is not saved, is removed at the
-- processor without ever having been stored.
alter table card_removals drop constraint card_removals_instrument_id_fkey;

-- A charge that only verifies a card has the amount 0.
alter table charges drop constraint tip_is_a_part;
alter table charges add constraint tip_is_a_part check (tip_cents = 0 or tip_cents between 1 and amount_cents - 1) not valid;
