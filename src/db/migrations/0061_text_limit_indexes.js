// For the limits of texts: the newest texts to a number over all accounts, and the currencies of an account's merchants.
const INDEXES = {
  texts_by_recipient_and_time: 'texts (recipient, mode, created_at desc)',
  merchants_by_currency: 'merchants (account_id, mode, currency)',
};

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  for (const [name, definition] of Object.entries(INDEXES)) {
    // What an attempt that was broken off has left is not valid.
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create index concurrently ${name} on ${definition}`);
  }
}
