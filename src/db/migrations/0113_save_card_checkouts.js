// For the statistics: the checkouts that save a card without a payment, which are few or none of most accounts.
export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists save_card_checkouts');
  pgm.sql(
    `create index concurrently save_card_checkouts on checkout_sessions (account_id, mode) where purpose = 'save_card'`,
  );
}
