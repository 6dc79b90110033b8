// Drops indexes that nothing needs. Each of the first two logged a page of the write-ahead log for most of its rows, because numbers
// are at random places.
//   charges_by_caller_ending: a charge has the number of its session, where numbers are found by their last digits. In the version
//     before, that search reads more rows.
//   texts_by_recipient: texts_by_recipient_and_time begins with the number, too.
//   texts_account_id_created_at_idx: every reader names a mode, and texts_by_time begins with both.
const UNUSED = ['charges_by_caller_ending', 'texts_by_recipient', 'texts_account_id_created_at_idx'];

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  for (const name of UNUSED) pgm.sql(`drop index concurrently if exists ${name}`);
}
