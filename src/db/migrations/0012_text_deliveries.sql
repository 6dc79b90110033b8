-- Up Migration
-- What became of a text after the carrier took it, as the carrier reports it.

alter table texts
  add column delivery text check (delivery in ('delivered', 'undelivered', 'unconfirmed')),
  -- The carrier's own code of why it was not.
  add column delivery_code text,
  add column delivery_at timestamptz;
create index on texts (carrier_message_id) where carrier_message_id is not null;
