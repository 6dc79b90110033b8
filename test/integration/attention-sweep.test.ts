/** A sweep of attention items of which one kind cannot be searched. */
import { expect, test } from 'vitest';
import { IncompleteSweep, sweepAttention } from '../../src/attention/sweep.ts';
import { deleteOldCertificates, writeCertificateEnd } from '../../src/db/attention/certificates.ts';
import type { Sql } from '../../src/db/pool.ts';
import { useTestDatabase, useTestMerchant } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { watchQueries } from '../support/watched-database.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);

/** The server itself refuses the statement, which ends a transaction without a savepoint. */
const refuse = (sql: Sql) => sql.query('select 1 / 0');

async function openKinds(): Promise<string[]> {
  const { rows } = await db.database.query<{ kind: string }>(
    'select kind from attention_items where closed_at is null order by kind',
  );
  return rows.map(({ kind }) => kind);
}

test('a kind that cannot be searched keeps its items as they are, and all others are opened and closed', async () => {
  const payment = { merchant: merchant.merchantId, at: new Date(Date.now() - 300_000).toISOString() };
  for (let made = 0; made < 3; made += 1) await seedPayment(db.database, merchant, { ...payment, status: 'failed' });
  await sweepAttention(db.database, null);
  expect(await openKinds()).toEqual(['processor_refusing']);

  await db.database.query('delete from charges');
  const place = { host: 'pay.example.com', port: 443 };
  await writeCertificateEnd(db.database, place, new Date(Date.now() + 10 * 86_400_000));
  const broken = watchQueries(db.database, (text) => text.includes(`decline_code is null`), refuse);
  const sweep = sweepAttention(broken, null);
  await expect(sweep).rejects.toThrow(IncompleteSweep);
  await expect(sweep).rejects.toThrow('not searched: processor_refusing');
  expect(await openKinds()).toEqual(['certificate_expiring', 'processor_refusing']);

  await db.database.query(`update certificates set read_at = now() - interval '8 days'`);
  await deleteOldCertificates(db.database);
  await expect(sweepAttention(broken, null)).rejects.toThrow(IncompleteSweep);
  expect(await openKinds()).toEqual(['processor_refusing']);
  await sweepAttention(db.database, null);
  expect(await openKinds()).toEqual([]);
});
