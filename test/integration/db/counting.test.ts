/** Statistics and reports count in two transactions at the same time, or in turns if these are savepoints. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { countBoth, readRows } from '../../../src/db/counting.ts';
import { followLimit } from '../../../src/db/merchant-limit/limit.ts';
import { type Database, openDatabase, type Sql } from '../../../src/db/pool.ts';
import { withSavepoints } from '../../../src/db/savepoints.ts';
import type { MerchantId } from '../../../src/domain/ids.ts';
import type { MerchantLimit } from '../../../src/domain/user.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { PATIENT_LIMITS } from '../../support/database.ts';
import { useTestDatabase } from '../../support/fixtures.ts';

const db = useTestDatabase();
/** Connections that count. */
const AT_ONCE = 3;

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

describe('while other requests count', () => {
  /** Counts hold their connections until `end`. @returns once as many have started as can count at once */
  async function occupy(database: Pick<Database, 'transaction'>) {
    const [ended, full] = [deferred<void>(), deferred<void>()];
    let started = 0;
    const hold = async () => {
      started += 1;
      if (started === AT_ONCE) full.resolve();
      await ended.promise;
    };
    const counts = Array.from({ length: AT_ONCE }, () => countBoth(database, hold, hold));
    await full.promise;
    const end = () => {
      ended.resolve();
      return Promise.all(counts);
    };
    return { end };
  }

  test('leaves a connection of the smallest pool to payments', async () => {
    const { url, isPooled } = db;
    const options = { url, isPooled, maxConnections: 4, limits: PATIENT_LIMITS, onIdleError: () => undefined };
    const database = openDatabase(options);
    const others = await occupy(database);
    expect((await database.query('select 1 as paid')).rows).toEqual([{ paid: 1 }]);
    await others.end();
    await database.close();
  });

  test('counts the merchants of its own user, although it waited for others', async () => {
    const limits = new AsyncLocalStorage<MerchantLimit>();
    const limited = followLimit(db.database, () => limits.getStore() ?? null);
    const others = await occupy(db.database);
    const merchantsOf = (sql: Sql) =>
      readRows<{ merchants: string }>(sql, `select current_setting('ringkey.merchants', true) as merchants`, []);
    const count = (id: string) => limits.run([id as MerchantId], () => countBoth(limited, merchantsOf, merchantsOf));
    const counts = [count('mer_one'), count('mer_other')];
    await limits.run(['mer_third' as MerchantId], () => others.end());
    const seen = (id: string) => [[{ merchants: id }], [{ merchants: id }]];
    expect(await Promise.all(counts)).toEqual([seen('mer_one'), seen('mer_other')]);
  });

  test('counts nothing after it has waited too long', async () => {
    const others = await occupy(db.database);
    const never = () => Promise.reject(new Error('it is too late to count'));
    const late = countBoth(db.database, never, never, 0);
    const refused = expect(late).rejects.toMatchObject({ code: '57014' });
    await others.end();
    await refused;
  });
});
