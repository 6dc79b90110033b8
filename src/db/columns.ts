/** SQL fragments: select lists that return rows as domain types, and array parameters. */

type Word<Text> = Text extends `${infer First} ${infer Rest}` ? First | Word<Rest> : Text;

/**
 * SQL: the properties of a T from a row of `table`, each under its own name: `accountId` is the column `account_id`.
 * Called as `columnsOf<T>()(…)`, so that the compiler finds missing properties. The statement must not give the table an
 * alias. `*` is not used, because prepared statements with `*` fail on open connections after a migration adds a column.
 * @param names properties that are columns, separated by spaces
 * @param others SQL of every other property
 */
export function columnsOf<T>() {
  return <const Names extends string>(
    table: string,
    names: readonly Names[],
    others: Readonly<Record<Exclude<keyof T & string, Word<Names>>, string>>,
  ): string =>
    [
      ...names.flatMap((some) => some.split(' ')).map((name) => `${table}.${snakeCase(name)} as "${name}"`),
      ...Object.entries<string>(others).map(([name, sql]) => `${sql} as "${name}"`),
    ].join(', ');
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** SQL: a `Money` from `amount_cents` and `currency` of a row of `table`. */
export function moneyOf(table: string): string {
  return `json_build_object('amountCents', ${table}.amount_cents, 'currency', ${table}.currency)`;
}

/** SQL: the row that `query` selects, as JSON; null if there is none. It must not select dates: JSON has none. */
export function jsonOf(query: string): string {
  return `(select row_to_json(item) from (${query}) item)`;
}

/**
 * SQL: an array parameter whose length is hidden from the planner, so that PostgreSQL keeps the plan of a prepared
 * statement. Otherwise it plans each execution again: for one or two elements a custom plan looks cheaper than the
 * generic one, which assumes ten (`choose_custom_plan` in plancache.c). Planning our longest statements takes five times
 * as long as executing them.
 * @param parameter with its type: `$1::text[]`. One array per function call is enough
 */
export const arrayOfAnyLength = (parameter: string) => `array(select unnest(${parameter}))`;
