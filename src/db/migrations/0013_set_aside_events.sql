-- Up Migration
-- An event that cannot be rendered is set aside, and the relay goes on with the others (notify/relay.ts).

alter table events
  -- Times that its body or its text could not be rendered.
  add column relay_failures smallint not null default 0,
  -- When the relay looks at it again; infinity: not until somebody asks for it to be sent again.
  add column relay_after timestamptz not null default '-infinity',
  -- Its webhooks are queued already: what is missing is the text.
  add column text_only boolean not null default false;
