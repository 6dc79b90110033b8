/** Select lists that give a row as a type of the domain: PostgreSQL names its properties, and nests its money. */

type Word<Text> = Text extends `${infer First} ${infer Rest}` ? First | Word<Rest> : Text;

/**
 * SQL: the properties of a T from a row of `table`, each under its own name: `accountId` is the column `account_id`.
 * Called as `columnsOf<T>()(…)`: then the compiler finds a property that is missing. The statement names the table
 * itself, without an alias. Not `*`: a prepared statement with `*` fails on open connections once a migration adds a
 * column.
 * @param names properties that are columns, with spaces between them
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

/** SQL: the row that `query` selects, as JSON; null when there is none. Without dates: JSON would make them texts. */
export function jsonOf(query: string): string {
  return `(select row_to_json(item) from (${query}) item)`;
}
