// For the lists of charges by decline code, and of payouts and their entries by the day of arrival. Without them, a
// page of a rare value reads all failed charges, or all entries.
const INDEXES = {
  charges_by_decline: `charges (account_id, mode, decline_code, created_at desc, id desc) where status = 'failed'`,
  failures_without_decline: `charges (account_id, mode, created_at desc, id desc)
    where status = 'failed' and decline_code is null`,
  payouts_by_arrival: 'payouts (account_id, mode, arrival_date)',
};

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  for (const [name, definition] of Object.entries(INDEXES)) {
    // An interrupted attempt leaves an invalid index.
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create index concurrently ${name} on ${definition}`);
  }
}
