// Gives the request log a partition a day. The table so far becomes the first partition, for all rows until some days from now: the
// version before goes on writing, reading and pruning it, and no row moves. Days after that have partitions of their own.
const TRANSITION_DAYS = 8;
const DAY_MS = 86_400_000;

const COLUMNS = `
  id text not null, account_id text not null, mode mode not null, method text not null, route text, path text not null,
  status smallint not null, code text, param text, duration_ms integer not null, key_id text, source text, request_body text,
  answer_body text, created_at timestamptz not null`;

// Equal to those of the first partition, which are kept instead of built.
const INDEXES = [
  'unique index request_log_by_id on request_log (id, created_at)',
  'index request_log_by_time on request_log (account_id, mode, created_at desc, id desc)',
  'index request_log_by_route on request_log (account_id, mode, route, created_at desc, id desc)',
  'index request_log_by_key on request_log (key_id, created_at desc, id desc)',
  'index request_log_by_status on request_log (account_id, mode, status, created_at desc, id desc) where status <> 200',
  'index request_log_by_code on request_log (account_id, mode, code, created_at desc, id desc) where code is not null',
];

export function up(pgm) {
  const until = new Date((Math.floor(Date.now() / DAY_MS) + TRANSITION_DAYS) * DAY_MS).toISOString();
  pgm.noTransaction();
  pgm.sql(`set lock_timeout = '5s'`);
  // An interrupted attempt leaves an invalid index.
  pgm.sql('drop index concurrently if exists requests_by_id_and_time');
  pgm.sql('create unique index concurrently requests_by_id_and_time on requests (id, created_at)');
  // Validated without blocking writes. Attaching then reads no row.
  pgm.sql('alter table requests drop constraint if exists requests_of_first_partition');
  pgm.sql(`alter table requests add constraint requests_of_first_partition check (created_at < '${until}') not valid`);
  pgm.sql('alter table requests validate constraint requests_of_first_partition');
  // One statement, so one transaction.
  pgm.sql(`do $$ begin
    create table request_log (${COLUMNS}) partition by range (created_at);
    ${INDEXES.map((index) => `create ${index};`).join('\n')}
    create table request_log_default partition of request_log default;
    alter table request_log attach partition requests for values from (minvalue) to ('${until}');
  end $$`);
}
