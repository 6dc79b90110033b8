/** Tests of the refund audit: it finds every violation that a test inserts into the database. */
import { beforeAll, expect, test } from 'vitest';
import { agePendingRefunds, createPaidCharge, createTestRefunds } from '../integration/payments/test-refunds.ts';
import { useTestDatabase } from '../support/fixtures.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { auditAfterChanges } from './audit-after-changes.ts';
import { auditRefunds, countPendingRefunds } from './refund-audit.ts';

const db = useTestDatabase();
beforeAll(async () => {
  const merchant = await createTestMerchant(db.database);
  const refunds = createTestRefunds(db.database, merchant);
  for (const card of ['visa', 'refund_fails', 'refund_refused']) {
    const chargeId = await createPaidCharge(db.database, merchant, card);
    await refunds.refund(chargeId, 1_000);
    await refunds.refund(chargeId, 500);
    await agePendingRefunds(db.database, chargeId, 600);
  }
  await refunds.resolve();
  expect(await countPendingRefunds(db.database)).toBe(0);
});

const ONE = (status: string) => `(select id from refunds where status = '${status}' order by id limit 1)`;
const FREE = `alter table charges drop constraint never_more_back_than_was_paid,
  drop constraint never_more_back_than_was_captured`;
const LEDGER_AGAIN = `
  insert into sandbox_refunds (reference, refund_id, payment_id, amount_cents)
  select 're_unknown', 'again', payment_id, amount_cents from sandbox_refunds limit 1`;

test.each([
  [[FREE, `update refunds set amount_cents = 4251 where id = ${ONE('succeeded')}`], 'above the charge’s amount'],
  [['update charges set refunded_cents = 1 where refunded_cents > 1'], 'not the sum'],
  [[FREE, `update charges set status = 'failed' where id = (select charge_id from refunds limit 1)`], 'unpaid charge'],
  [[LEDGER_AGAIN], 'without a refund'],
  [[`delete from sandbox_refunds where reference = ${ONE('succeeded')}`], 'outcome differs'],
  [[`update refunds set status = 'failed', failure = 'refused' where id = ${ONE('succeeded')}`], 'outcome differs'],
  [['update sandbox_refunds set amount_cents = 1'], 'amount or ID differs'],
  [[`update refunds set processor_refund_id = 'other' where id = ${ONE('succeeded')}`], 'amount or ID differs'],
  [['update sandbox_payments set refunded_cents = 1'], 'another refunded sum'],
  [[`delete from events where type = 'refund.failed'`], 'without exactly one event'],
  [[`update events set type = 'refund.failed' where type = 'refund.succeeded'`], 'without exactly one event'],
  [
    [`update refunds set status = 'pending', settled_at = null where id = ${ONE('succeeded')}`],
    'pending refund with an event',
  ],
])('the audit finds, after %j, %s', async (changes, fault) => {
  const faults = await auditAfterChanges(db.database, changes, auditRefunds);
  expect(faults.some((found) => found.includes(fault))).toBe(true);
});

test('the audit finds no violations in consistent data', async () => {
  expect(await auditAfterChanges(db.database, [], auditRefunds)).toEqual([]);
});

test('the audit finds an answer that the database contradicts, and one key with two refunds', async () => {
  const { rows } = await db.database.query<{ id: string }>(
    `select id from refunds where status = 'succeeded' order by id`,
  );
  const [one, two] = rows.map(({ id }) => id);
  const answer = (status: 'pending' | 'succeeded' | 'failed', refundId = one ?? '', key = 'key') => ({
    status,
    refundId,
    key,
  });
  expect(await auditRefunds(db.database, [answer('succeeded'), answer('pending')])).toEqual([]);
  expect(await auditRefunds(db.database, [answer('failed')])).toHaveLength(1);
  expect(await auditRefunds(db.database, [answer('pending', 're_unknown')])).toHaveLength(1);
  expect(await auditRefunds(db.database, [answer('succeeded'), answer('succeeded', two)])).toHaveLength(1);
});
