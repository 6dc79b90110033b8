/** Writes markup and other tricks into every text column that users and other services fill and the dashboard shows. */
import type { Database } from '../../src/db/pool.ts';

/** U+202E reverses the text after it in the same paragraph (Unicode Standard Annex 9). */
export const OVERRIDE = '\u202e';

/** Breaks out of texts, attributes and comments, and leaves a mark if the page executes it. @param field where it is stored */
export const hostileText = (field: string): string =>
  `"'--></textarea></title><script>marked=1</script><b data-marked><img src=x onerror=marked=1>{{7*7}}\${7*7}${OVERRIDE}${field}!`;

/** Text columns by table. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['name'],
  calls: ['sip_call_id', 'return_sip_call_id'],
  charges: ['processor_code', 'processor_payment_id'],
  checkout_sessions: ['order_id', 'platform_call_id', 'return_to', 'success_message', 'failure_message'],
  consumers: ['first_name', 'email', 'note'],
  emails: ['error_code'],
  keys: ['name'],
  merchants: ['business_name', 'voice', 'time_zone'],
  refunds: ['processor_refund_id', 'processor_code'],
  saved_views: ['name'],
  requests: ['path', 'param', 'source', 'request_body', 'answer_body'],
  texts: ['body', 'carrier', 'error_code'],
  user_passkeys: ['name'],
  user_sessions: ['source'],
  users: ['name', 'email'],
  webhook_deliveries: ['answer'],
};

/** Shown over REST and in CSV only. */
const NOT_ON_PAGES = [
  'charges.processor_code',
  'refunds.processor_code',
  'texts.carrier',
  'texts.error_code',
  'checkout_sessions.success_message',
  'checkout_sessions.failure_message',
  'webhook_deliveries.answer',
  'line_items.name',
];

/** Texts inside JSON and arrays: a statement, and the field that each parameter fills. */
const OTHERS: readonly (readonly [sql: string, ...fields: string[]])[] = [
  ['update checkout_sessions set metadata = json_build_object($1::text, $2::text)', 'metadata.name', 'metadata.value'],
  [
    `update checkout_sessions set line_items = jsonb_build_array(
       jsonb_build_object('name', $1::text, 'quantity', 1, 'amount_cents', 4000))`,
    'line_items.name',
  ],
  ['update refunds set metadata = jsonb_build_object($1::text, $2::text)', 'refund.name', 'refund.value'],
  ['update accounts set return_hosts = array[$1]', 'return_hosts'],
  ['update keys set allowed_sources = array[$1]', 'allowed_sources'],
  [`update webhook_endpoints set url = 'https://hooks.example.com/' || $1`, 'url'],
  [
    `insert into audit_events (id, account_id, mode, action, object_id, changes, actor_kind, source)
     select 'aud_hostile', id, 'test', 'key.created', 'key_1', jsonb_build_object('name', $1::text), 'demo', $2
       from accounts limit 1`,
    'audit.changes',
    'audit.source',
  ],
  [
    `update calls set timeline = timeline || jsonb_build_array(jsonb_build_object('step', $1::text, 'at_ms', 5000))`,
    'callstep',
  ],
];

/** @returns the fields that pages show, as given to {@link hostileText} */
export async function writeHostileTexts(database: Database): Promise<string[]> {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const changes = columns.map((column, at) => `${column} = $${at + 1}`);
    const texts = columns.map((column) => hostileText(`${table}.${column}`));
    const { rowCount } = await database.query(`update ${table} set ${changes}`, texts);
    if (!rowCount) throw new Error(`${table} has no rows`);
  }
  for (const [sql, ...fields] of OTHERS) {
    const { rowCount } = await database.query(sql, fields.map(hostileText));
    if (!rowCount) throw new Error(`there are no rows for ${fields.join(', ')}`);
  }
  const columns = Object.entries(COLUMNS).flatMap(([table, names]) => names.map((name) => `${table}.${name}`));
  const written = [...columns, ...OTHERS.flatMap(([, ...fields]) => fields)];
  return written.filter((field) => !NOT_ON_PAGES.includes(field));
}
