/** What finds the causes of one kind of attention item. */
import type { Scope } from '../../domain/account.ts';
import type { AttentionKind, FoundAttention } from '../../domain/attention.ts';
import type { Sql } from '../pool.ts';

export interface AttentionFinder {
  kind: AttentionKind;
  /** @param scope null: of all accounts. Causes of the service as a whole are found in any case */
  find(sql: Sql, scope: Scope | null): Promise<FoundAttention[]>;
}

/** An account gets no more items of a kind: the oldest ones stay, so that no item opens and closes repeatedly. */
export const MOST_OF_AN_ACCOUNT = 100;

/** @param text SQL: selects the properties of a {@link FoundAttention} other than `kind`. `$1` and `$2`: the scope */
export function finder(kind: AttentionKind, text: string): AttentionFinder {
  const limited = `
    select "accountId", mode, subject, "merchantId", facts, "newestAt"
      from (select found.*, row_number() over (partition by "accountId", mode order by "newestAt", subject) as place
              from (${text}) found) ranked
     where place <= ${MOST_OF_AN_ACCOUNT}`;
  return {
    kind,
    async find(sql, scope) {
      const values = [scope?.accountId ?? null, scope?.mode ?? null];
      const { rows } = await sql.query<Omit<FoundAttention, 'kind'>>(limited, values);
      return rows.map((row) => ({ kind, ...row }));
    },
  };
}

/** SQL: the row of `table` is in the scope. */
export const isInScope = (table: string) =>
  `($1::text is null or ${table}.account_id = $1) and ($2::mode is null or ${table}.mode = $2)`;

/** SQL: the accounts and modes of the scope, as `scope (account_id, mode)`. Indexes begin with both. */
export const SCOPES = `(
  select a.id as account_id, m.mode from accounts a cross join unnest(enum_range(null::mode)) m (mode)
   where ($1::text is null or a.id = $1) and ($2::mode is null or m.mode = $2)) scope`;

/** SQL: the columns of a cause of the service as a whole. */
export const ofService = (subject: string, facts: string) =>
  `null::text as "accountId", null::mode as mode, '${subject}' as subject, null::text as "merchantId", ${facts} as facts,
   null::timestamptz as "newestAt"`;

/** SQL: the current second. Periods are in whole seconds, so that a link to their rows can name them exactly. */
export const SECOND = `date_trunc('second', now())`;

/** SQL: a time is in the period that ends now, as {@link periodFacts} names it. @param span SQL: its length */
export const inPeriod = (column: string, span: string) =>
  `${column} >= ${SECOND} - ${span} and ${column} < ${SECOND} + interval '1 second'`;

/** SQL: the facts of the period that ends now: from its start, until before its end. @param span SQL: its length */
export const periodFacts = (span: string) =>
  `'from', ${timeText(`${SECOND} - ${span}`)}, 'until', ${timeText(`${SECOND} + interval '1 second'`)}`;

/** SQL: ISO 8601. */
const timeText = (at: string) => `to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** SQL: true. Gives the parameters of a scope their types in a statement that does not need them. */
export const IN_ANY_SCOPE = '($1::text is null or $2::mode is null or true)';
