/** Statistics and reports count in two transactions at the same time, or in turns if these are savepoints. */
import { expect, test } from 'vitest';
import { countBoth, readRows } from '../../../src/db/counting.ts';
import type { Sql } from '../../../src/db/pool.ts';
import { withSavepoints } from '../../../src/db/savepoints.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { useTestDatabase } from '../../support/fixtures.ts';

const db = useTestDatabase();

const settings = (sql: Sql) =>
  readRows<object>(
    sql,
    `select pg_backend_pid() as pid, current_setting('statement_timeout') as "limit", current_setting('enable_seqscan') as scans`,
    [],
  );
const BROKEN = 'select 1 / 0';

test('counts at the same time, with a time limit for each statement', async () => {
  const begun = [deferred<void>(), deferred<void>()] as const;
  const [one, other] = await countBoth(
    db.database,
    async (sql) => {
      begun[0].resolve();
      await begun[1].promise;
      return settings(sql);
    },
    async (sql) => {
      begun[1].resolve();
      await begun[0].promise;
      return settings(sql);
    },
  );
  const limited = { pid: expect.any(Number), limit: '3s', scans: 'off' };
  expect([one, other]).toEqual([[limited], [limited]]);
  expect(one).not.toEqual(other);
});

test('takes turns in savepoints, and the transaction around them goes on if one fails', async () => {
  const order: string[] = [];
  const counted = (name: string, text: string) => async (sql: Sql) => {
    order.push(`${name} begins`);
    await readRows(sql, text, []).finally(() => order.push(`${name} ends`));
  };
  const result = await db.database.transaction(async (sql) => {
    const savepoints = withSavepoints(sql);
    const failing = countBoth(savepoints, counted('one', BROKEN), counted('other', 'select 1'));
    await expect(failing).rejects.toThrow('division by zero');
    return readRows<{ lives: boolean }>(sql, 'select true as lives', []);
  });
  expect(result).toEqual([{ lives: true }]);
  expect(order).toEqual(['one begins', 'one ends', 'other begins', 'other ends']);
});
