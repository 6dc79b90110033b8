-- Up Migration
-- How the pay page looks in each mode: {"accentColor", "supportPhone", "supportEmail"}, each a text or null; null: as it did before.
set local lock_timeout = '5s';

alter table accounts
  add column page_branding_test jsonb,
  add column page_branding_live jsonb;
