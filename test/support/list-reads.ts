/** Counts the rows that the statements of a list read, with EXPLAIN ANALYZE. */
import type { Database, Sql } from '../../src/db/pool.ts';

/** Maximum number of rows of all tables together, for a page of 20. */
export const MOST_ROWS_READ = 2_000;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** The rows that a list's statements read, without those that find the place of `startingAfter` and read one row. */
export async function readBy(
  database: Database,
  list: (sql: Sql) => Promise<unknown>,
): Promise<{ rows: number; scans: string[]; found: number }> {
  const plans: PlanNode[] = [];
  let found = 0;
  const explaining: object = {
    ...database,
    transaction: (work: (sql: Sql) => Promise<unknown>) => work(explaining as Sql),
    async query(text: string, values: unknown[]) {
      const { rows } = await database.query(`explain (analyze, format json) ${text}`, values);
      plans.push(...nodesOf((rows[0] as { 'QUERY PLAN': { Plan: PlanNode }[] })['QUERY PLAN'][0]?.Plan as PlanNode));
      const result = await database.query(text, values);
      found = result.rows.length;
      return result;
    },
  };
  await list(explaining as Sql);
  const scans = plans.filter((node) => node['Node Type'].includes('Scan') && node['Relation Name'] !== undefined);
  const read = (node: PlanNode) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  const whole = scans.filter((node) => node['Node Type'] === 'Seq Scan' && read(node) > MOST_ROWS_READ);
  return {
    rows: Math.round(scans.reduce((sum, node) => sum + read(node), 0)),
    scans: whole.map((node) => `${node['Relation Name']}`),
    found,
  };
}
