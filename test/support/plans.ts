/** What PostgreSQL would do for a statement while it knows nothing of the tables: a fresh connection keeps such a plan for hours. */
import type { Database, Sql } from '../../src/db/pool.ts';

export interface Named {
  name: string;
  text: string;
  values: unknown[];
}

/** A part of a plan, as `explain (format json)` has it. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  /** What is looked for in the index; without it, it is read from end to end. */
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** Passes everything on, and keeps the named statements. */
export function remembering(database: Sql): { sql: Sql; asked: ReadonlyMap<string, Named> } {
  const asked = new Map<string, Named>();
  const query = (query: Named | string, values?: unknown[]) => {
    if (typeof query === 'object' && query.name !== undefined) asked.set(query.name, query);
    return database.query(query as string, values);
  };
  return { sql: { query: query as Sql['query'] }, asked };
}

/** All nodes of the plan for any values, as a connection keeps it. */
export async function planOf(database: Database, { text, values }: Named): Promise<PlanNode[]> {
  return database.transaction(async (sql) => {
    await sql.query('set local plan_cache_mode = force_generic_plan');
    // A table of a few rows is read whole otherwise.
    await sql.query('set local enable_seqscan = off');
    await sql.query(`prepare planned as ${text}`);
    const { rows } = await sql.query(`explain (format json) execute planned(${values.map(() => 'null').join(', ')})`);
    await sql.query('deallocate planned');
    const plans = (rows as { 'QUERY PLAN': { Plan: PlanNode }[] }[]).flatMap((row) => row['QUERY PLAN']);
    return plans.flatMap(({ Plan }) => nodesOf(Plan));
  });
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
