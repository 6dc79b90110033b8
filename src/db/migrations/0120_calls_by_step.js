// For the lists of the calls that reached a step of the funnel, newest first: one index for each step that may be rare.
// The others are steps of nearly every call, which the index by time finds. A GIN index of the steps has no order, and
// PostgreSQL expects so many calls of a rare step that it would read all calls by time instead.
//
// The steps of a lost call are only in its timeline, so such a call is in each of the indexes. Calls of early versions
// have no `steps` either, so these are written first. Live calls are in none: an index costs nothing until a call ends.
const STEPS = [
  'method',
  'saved_card',
  'postal_code',
  'part',
  'part_amount',
  'tip',
  'routing_number',
  'account_number',
  'account_number_again',
  'account_type',
  'debit_terms',
  'keep_card',
  'confirmation',
];

const COUNTED = [
  ...['card_number', 'expiry', 'security_code', ...STEPS].map((step) => `ask ${step}`),
  'charge',
  'return',
];

/** Some at a time, so that no row is locked for long. A call that was lost just now can still return to the agent. */
const WRITE_STEPS = `do $$
  declare
    last_id text := '';
    next_id text;
  begin
    loop
      select max(id) into next_id from (select id from calls where id > last_id order by id limit 5000) batch;
      exit when next_id is null;
      update calls
         set steps = array(select distinct step from jsonb_to_recordset(timeline) as of_call(step text)
                            where step in (${COUNTED.map((step) => `'${step}'`).join(', ')}) order by step)
       where id > last_id and id <= next_id and steps is null and ended_at < now() - interval '1 hour';
      commit;
      last_id := next_id;
    end loop;
  end $$`;

export function up(pgm) {
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  pgm.sql(WRITE_STEPS);
  for (const step of STEPS) {
    const name = `calls_asked_${step}`;
    // An interrupted attempt leaves an invalid index.
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create index concurrently ${name} on calls (account_id, mode, started_at desc, id desc)
      where ended_at is not null and ('ask ${step}' = any(steps) or steps is null)`);
  }
}
