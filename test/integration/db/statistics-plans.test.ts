/** How many rows the statistics read: of 50,000, only those of the two periods, by an index, never a whole table. */
import { beforeAll, expect, test } from 'vitest';
import { countDays, sumRefunds } from '../../../src/db/statistics/by-day.ts';
import { findQuarterSources, rollUpDays } from '../../../src/db/statistics/roll-up.ts';
import { countCharges, countSteps, medianTimeToPay } from '../../../src/db/statistics/statements.ts';
import { parseId } from '../../../src/domain/ids.ts';
import type { StatisticsRequest } from '../../../src/domain/statistics.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { SEEDED, seedMany } from '../../support/seed-many.ts';

const ROWS = 50_000;
const DAY_MS = 86_400_000;

const db = useTestDatabase();
beforeAll(() => seedMany(db.database, ROWS));

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const STATEMENTS = { countCharges, countDays, sumRefunds, countSteps, medianTimeToPay };
const CASES = Object.keys(STATEMENTS).flatMap((name) =>
  [null, SEEDED.bigMerchant, SEEDED.tinyMerchant].map(
    (merchant) => [name as keyof typeof STATEMENTS, merchant ?? 'all merchants', merchant] as const,
  ),
);

/** Seven days, and the seven days before. */
function requestOf(merchant: string | null): StatisticsRequest {
  const to = new Date();
  return {
    scope: { accountId: parseId('Account', SEEDED.account) as never, mode: 'test' },
    from: new Date(to.getTime() - 7 * DAY_MS),
    to,
    compareFrom: new Date(to.getTime() - 14 * DAY_MS),
    timeZone: 'America/New_York',
    merchantId: merchant as never,
  };
}

/** Of each scan of a table: its type, and how many rows it read. */
async function scansOf(name: keyof typeof STATEMENTS, merchant: string | null) {
  const { text, values } = STATEMENTS[name](requestOf(merchant));
  const { rows } = await db.database.query(`explain (analyze, format json) ${text}`, values);
  const plan = (rows[0] as { 'QUERY PLAN': { Plan: PlanNode }[] })['QUERY PLAN'][0]?.Plan as PlanNode;
  return nodesOf(plan).flatMap((node) => {
    const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    return node['Relation Name'] === undefined ? [] : [{ table: node['Relation Name'], type: node['Node Type'], read }];
  });
}

test.each(CASES)('reads only the rows of the two periods for %s of %s', async (name, _, merchant) => {
  const scans = await scansOf(name, merchant);
  expect(scans.length).toBeGreaterThan(0);
  expect(scans.filter(({ type }) => type === 'Seq Scan')).toEqual([]);
  // Fourteen of the ninety days, and a day more for calls.
  for (const { table, read } of scans) expect(read, `${name}: ${table}`).toBeLessThan((ROWS * 16) / 90);
});

test('reads no checkout that pays, to know which calls have saved a card', async () => {
  const scans = await scansOf('countSteps', null);
  expect(scans.filter(({ table }) => table === 'checkout_sessions').map(({ read }) => read)).toEqual([0]);
});

test('reads no quarters of an hour of the period before, which has no days on the chart', async () => {
  while ((await rollUpDays(db.database, new AbortController().signal, 14)).more);
  const request = requestOf(null);
  const { days } = await findQuarterSources(db.database, request);
  const first = request.from.toISOString().slice(0, 10);
  expect(days.length).toBeGreaterThan(5);
  expect(days.filter((day) => day < first)).toEqual([]);
});
