/** Fills a table without its indexes, which are built faster once the rows are there. Unique indexes stay. */
import type pg from 'pg';

export async function withoutIndexes(client: pg.Client, table: string, work: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
       from pg_index where indrelid = $1::regclass and not indisunique`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  // Of a partitioned table, PostgreSQL writes the definition without its partitions.
  for (const { definition } of rows) await client.query(definition.replace(' ON ONLY ', ' ON '));
}
