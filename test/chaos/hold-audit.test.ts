/** Tests of the rules on holds: the audit finds every violation that a test makes in the database. */
import { beforeAll, expect, test } from 'vitest';
import type { ChargeId } from '../../src/domain/ids.ts';
import { createHold, createTestHolds } from '../integration/payments/test-holds.ts';
import { useTestDatabase } from '../support/fixtures.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { auditAfterChanges } from './audit-after-changes.ts';
import { auditCharges } from './charge-audit.ts';

const db = useTestDatabase();
let held: ChargeId;
beforeAll(async () => {
  const merchant = await createTestMerchant(db.database);
  const holds = createTestHolds(db.database, merchant);
  held = await createHold(db.database, merchant);
  await holds.change('capture', await createHold(db.database, merchant), 1_000);
  await holds.change('void', await createHold(db.database, merchant));
});

const CAPTURED = `(select id from charges where status = 'succeeded')`;
const VOIDED = `(select id from charges where status = 'voided')`;

test('the audit finds no violations in holds that are held, captured in part and voided', async () => {
  expect(await auditAfterChanges(db.database, [], auditCharges)).toEqual([]);
  expect(await auditCharges(db.database, [{ chargeId: held, status: 'authorized' }])).toEqual([]);
});

test.each([
  [[`update charges set captured_cents = 999 where id = ${CAPTURED}`], 'without its change'],
  [[`update charges set captured_cents = 999 where id = ${CAPTURED}`], 'another captured amount'],
  [[`delete from hold_changes where charge_id = ${VOIDED}`], 'without its change'],
  [[`update sandbox_payments set status = 'authorized' where reference = ${VOIDED}`], 'another state than'],
  [[`update sandbox_payments set status = 'succeeded' where status = 'authorized'`], 'another state than'],
  [['delete from webhook_deliveries', `delete from events where type = 'charge.captured'`], 'exactly one event of it'],
  [[`update events set type = 'charge.captured' where type = 'charge.voided'`], 'exactly one event of it'],
  [
    [
      'drop index one_live_change_a_hold',
      `insert into hold_changes (id, charge_id, account_id, mode, merchant_id, kind, amount_cents, currency, processor,
                                 processor_payment_id, resolve_at)
       select 'hc_again', charge_id, account_id, mode, merchant_id, kind, amount_cents, currency, processor,
              processor_payment_id, now() from hold_changes limit 1`,
    ],
    'two live captures or voids',
  ],
  [[`update checkout_sessions set status = 'open'`], 'not complete'],
])('the audit finds, after %j, %s', async (changes, fault) => {
  const faults = await auditAfterChanges(db.database, changes, auditCharges);
  expect(faults.some((found) => found.includes(fault))).toBe(true);
});

test('the audit finds an answer that a hold contradicts', async () => {
  expect(await auditCharges(db.database, [{ chargeId: held, status: 'succeeded' }])).toHaveLength(1);
  expect(await auditCharges(db.database, [{ chargeId: held, status: 'voided' }])).toHaveLength(1);
});
