/** How many rows the month-end report reads: of 50,000, only those of the merchant's month, by an index. */
import { beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../src/db/pool.ts';
import { readMonthReport } from '../../../src/db/reports/month-report.ts';
import { type MerchantId, parseId } from '../../../src/domain/ids.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { readBy } from '../../support/list-reads.ts';
import { SEEDED, seedMany } from '../../support/seed-many.ts';

const ROWS = 50_000;
const DAY_MS = 86_400_000;
const DAYS = 7;

const db = useTestDatabase();
beforeAll(() => seedMany(db.database, ROWS));

/** The week that ended so many days ago, in place of a month. */
function weekUntil(daysAgo: number) {
  const end = Math.floor(Date.now() / DAY_MS - daysAgo) * DAY_MS;
  const starts = Array.from({ length: DAYS + 1 }, (_, day) => new Date(end - (DAYS - day) * DAY_MS));
  const dates = starts.slice(0, -1).map((start) => start.toISOString().slice(0, 10));
  return { month: dates[0]?.slice(0, 7) ?? '', timeZone: 'UTC', dates, starts };
}

test.each([
  ['the big merchant', SEEDED.bigMerchant, 30, (ROWS * (DAYS + 1)) / 90],
  ['a merchant with old rows only', SEEDED.oldMerchant, 81, (ROWS * (DAYS + 1)) / 90 / 4],
  ['a merchant with old rows only, in a month without any', SEEDED.oldMerchant, 30, 10],
  ['a tiny merchant', SEEDED.tinyMerchant, 30, 30],
] as const)('reads only the rows of the month for %s', async (_, merchant, daysAgo, most) => {
  const scope = { accountId: parseId('Account', SEEDED.account) as never, mode: 'test' } as const;
  const request = { scope, merchantId: merchant as MerchantId, days: weekUntil(daysAgo) };
  const read = await readBy(db.database, (sql: Sql) => readMonthReport({ transaction: (work) => work(sql) }, request));
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(most);
});
