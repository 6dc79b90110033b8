-- Up Migration
-- What callers agreed to when their cards were saved, and the charges that merchants start by it, without a caller.
set local lock_timeout = '5s';

alter table card_consents
  -- `returning`: the caller chooses the card when paying again. `merchant_initiated`: the merchant may also charge it alone.
  add column save_terms text not null default 'returning',
  -- The highest amount of such a charge, in minor units; null: any.
  add column max_amount_cents integer;
alter table card_consents add constraint known_save_terms
  check (save_terms in ('returning', 'merchant_initiated')) not valid;
alter table card_consents add constraint maximum_of_merchant_charges
  check (max_amount_cents is null or (save_terms = 'merchant_initiated' and max_amount_cents > 0)) not valid;

-- `merchant`: the session of a charge without a caller. Null: a caller's.
alter table checkout_sessions add column initiator text;
alter table checkout_sessions add constraint known_initiator check (initiator = 'merchant') not valid;
