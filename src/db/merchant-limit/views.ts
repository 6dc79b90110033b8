/**
 * The schema `limited`: a view for each table, with the rows of some merchants only. {@link limitToMerchants} puts it
 * before the tables, so each query of a limited user reads the views. A table without a rule here has an empty view.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';

/** What a limited user sees of a table. */
interface Rule {
  /** SQL: the rows, as `t`. */
  rows: string;
  /** SQL in place of columns. */
  columns?: Readonly<Record<string, string>>;
}

/** The setting with the IDs of the merchants. If it is absent, a query fails. */
export const MERCHANTS_SETTING = 'ringkey.merchants';

const isAllowed = (column: string) => `${column} = any(string_to_array(current_setting('${MERCHANTS_SETTING}'), ','))`;

/** The views read each other, so these rows are limited, too. */
const has = (table: string, condition: string) => `exists (select from limited.${table} o where ${condition})`;

const BY_MERCHANT: Rule = { rows: isAllowed('t.merchant_id') };
const BY_SESSION: Rule = { rows: has('checkout_sessions', 'o.id = t.session_id') };
const BY_CHARGE: Rule = { rows: has('charges', 'o.id = t.charge_id') };
/** The application reads these only for the account, and they are about no merchant. */
const ALL_ROWS = 'true';

const HAS_CARD = `(${has('instruments', 'o.consumer_id = t.id and o.deleted_at is null')}
  or ${has('card_consents', 'o.consumer_id = t.id')})`;
/** By the index with the merchant: a caller can have many sessions at other merchants. */
const HAS_SESSION = (phone: string) => `exists (
  select from limited.merchants m
   cross join lateral (select from limited.checkout_sessions o
                        where o.merchant_id = m.id and reverse(o.caller_phone) = reverse(${phone}) limit 1) session
   where m.account_id = t.account_id and m.mode = t.mode)`;

/**
 * A payout of a processor account that another merchant uses, too, or may use: its amount and entries are those of both.
 * Adyen and restricted keys of Stripe do not name their account. A connection without credentials has none. The tables,
 * not the views, have the other merchants.
 */
const IS_SHARED = `(
  exists (select from public.payouts o
           where o.account_id = t.account_id and o.mode = t.mode and o.processor = t.processor
             and o.processor_payout_id = t.processor_payout_id and not ${isAllowed('o.merchant_id')})
  or exists (select from public.merchant_processors own
               join public.merchant_processors o
                 on o.account_id = own.account_id and o.mode = own.mode and o.processor = own.processor
                and (o.processor_account = own.processor_account
                     or (o.processor_account is null and o.credentials is not null)
                     or (own.processor_account is null and own.credentials is not null))
              where own.merchant_id = t.merchant_id and own.processor = t.processor
                and not ${isAllowed('o.merchant_id')}))`;

/**
 * The steps of a call without what the line said before the caller chose a merchant: it names all that the caller could
 * choose.
 */
const WITHOUT_CHOICE = `(
  select coalesce(jsonb_agg(case when place <= chosen or item->>'step' ~ '\\m(choose_merchant|ask merchant)\\M'
                                 then item - 'said' else item end order by place), '[]')
    from (select item, place, coalesce(max(place) filter (where item->>'step' = 'merchant chosen') over (), 0) as chosen
            from jsonb_array_elements(t.timeline) with ordinality step (item, place)) steps)`;

const RULES: Readonly<Record<string, Rule>> = {
  accounts: {
    rows: ALL_ROWS,
    columns: {
      header_signing_secret: `''::text`,
      header_secret_sealed: 'null::text',
      attestation_url_test: 'null::text',
      attestation_url_live: 'null::text',
    },
  },
  attention_items: BY_MERCHANT,
  attention_marks: { rows: has('attention_items', 'o.id = t.item_id') },
  call_days: BY_MERCHANT,
  // A call belongs to a merchant once the caller has chosen one.
  calls: { ...BY_MERCHANT, columns: { timeline: WITHOUT_CHOICE } },
  card_consents: BY_MERCHANT,
  charge_days: BY_MERCHANT,
  charge_quarters: BY_MERCHANT,
  charge_rechecks: BY_CHARGE,
  charges: BY_MERCHANT,
  checkout_sessions: BY_MERCHANT,
  // Any other row would tell that the caller has a card at another merchant, or a note, which is about all merchants.
  consumers: { rows: HAS_CARD, columns: { note: 'null::text', note_written_at: 'null::timestamptz' } },
  debit_authorizations: BY_CHARGE,
  debit_returns: BY_CHARGE,
  disputes: BY_MERCHANT,
  emails: BY_MERCHANT,
  events: BY_MERCHANT,
  hold_changes: BY_MERCHANT,
  instruments: BY_MERCHANT,
  merchant_logos: BY_MERCHANT,
  merchant_numbers: BY_MERCHANT,
  merchant_processors: BY_MERCHANT,
  merchants: { rows: isAllowed('t.id') },
  number_lookups: { rows: HAS_SESSION('t.phone') },
  order_sources: BY_MERCHANT,
  pay_links: BY_SESSION,
  payer_answers: BY_CHARGE,
  payment_time_days: BY_MERCHANT,
  payout_entries: { rows: `${isAllowed('t.merchant_id')} and ${has('payouts', 'o.id = t.payout_id')}` },
  payouts: { rows: `${isAllowed('t.merchant_id')} and not ${IS_SHARED}` },
  processor_differences: BY_CHARGE,
  refunds: BY_MERCHANT,
  session_attestations: BY_SESSION,
  // Which days are counted.
  statistics_days: { rows: ALL_ROWS },
  texts: BY_MERCHANT,
};

interface Column {
  table: string;
  column: string;
  /** SQL. */
  type: string;
}

const COLUMNS = `
  select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   order by c.relname, a.attnum`;

/** How long it waits for the end of queries that read the views. */
const LOCK_LIMIT = '15s';
/** insufficient_privilege. */
const NOT_ALLOWED = '42501';

/**
 * Creates the views again if their rules, or the columns of the tables, have changed. Without the schema, limited users
 * get errors.
 * @param client the connection that migrates
 */
export async function updateLimitedViews(client: pg.Client, log: (message: string) => void): Promise<void> {
  const statements = statementsFor((await client.query<Column>(COLUMNS)).rows);
  const version = createHash('sha256').update(statements.join(';')).digest('hex');
  const found = await client.query<{ version: string | null }>(
    `select obj_description(oid, 'pg_namespace') as version from pg_namespace where nspname = 'limited'`,
  );
  if (found.rows[0]?.version === version) return;
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = '${LOCK_LIMIT}'; set local search_path = public`);
    for (const statement of statements) await client.query(statement);
    await client.query(`comment on schema limited is '${version}'`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    if ((error as { code?: unknown }).code !== NOT_ALLOWED) throw error;
    log('the database role may not create the schema "limited", so users who are limited to merchants see nothing');
  }
}

function statementsFor(columns: readonly Column[]): string[] {
  const tables = new Map<string, Column[]>();
  for (const column of columns) tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
  return [
    'drop schema if exists limited cascade',
    'create schema limited',
    ...inOrder([...tables.keys()]).map((table) => viewOf(table, tables.get(table) ?? [])),
    // Queries lock it, so that the other views cannot be dropped before the transaction ends.
    'create view limited.gate as select 1 as is_there',
  ];
}

/** Each view after those that it reads. */
function inOrder(tables: readonly string[]): string[] {
  const depth = (table: string): number => {
    const { rows = '', columns = {} } = RULES[table] ?? {};
    const read = [rows, ...Object.values(columns)].flatMap((sql) => [...sql.matchAll(/limited\.(\w+)/g)]);
    return Math.max(0, ...read.map(([, other = '']) => depth(other) + 1));
  };
  return tables.toSorted((one, other) => depth(one) - depth(other));
}

function viewOf(table: string, columns: readonly Column[]): string {
  const rule = RULES[table];
  const list = columns.map(({ column, type }) => {
    const value = rule === undefined ? `null::${type}` : (rule.columns?.[column] ?? `t."${column}"`);
    return `${value} as "${column}"`;
  });
  // Without a rule, the view does not depend on the table, which can be changed or dropped.
  const rows = rule === undefined ? 'where false' : `from public."${table}" t where ${rule.rows}`;
  return `create view limited."${table}" as select ${list.join(', ')} ${rows}`;
}
