/** How many rows a search for attention items reads: with 50,000 charges and texts, a few by an index, never a whole table. */
import { beforeAll, expect, test } from 'vitest';
import { DELIVERY_FINDERS } from '../../../src/db/attention/delivery.ts';
import { PAYMENT_FINDERS } from '../../../src/db/attention/payments.ts';
import { SERVICE_FINDERS } from '../../../src/db/attention/service.ts';
import { parseId } from '../../../src/domain/ids.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { MOST_ROWS_READ, readBy } from '../../support/list-reads.ts';
import { SEEDED, seedMany } from '../../support/seed-many.ts';

const ROWS = 50_000;

const db = useTestDatabase();
beforeAll(() => seedMany(db.database, ROWS));

const scope = { accountId: parseId('Account', SEEDED.account) as never, mode: 'test' } as const;
const FINDERS = [...PAYMENT_FINDERS, ...DELIVERY_FINDERS, ...SERVICE_FINDERS];
const CASES = FINDERS.flatMap((finder) =>
  [null, scope].map((each) => [finder.kind, each === null ? 'all accounts' : 'an account', finder, each] as const),
);

test.each(CASES)('reads few rows to find %s of %s', async (_kind, _whose, finder, of) => {
  const read = await readBy(db.database, (sql) => finder.find(sql, of));
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(MOST_ROWS_READ);
});
