-- Up Migration
-- Tips: the percentages that a merchant offers, and the part of a charge that is a tip.
set local lock_timeout = '5s';

alter table merchants add column tip_percentages smallint[] not null default '{}';

-- Included in amount_cents.
alter table charges add column tip_cents integer not null default 0;
-- Not validated: that would read the whole table under a lock.
alter table charges add constraint tip_is_a_part check (tip_cents >= 0 and tip_cents < amount_cents) not valid;
