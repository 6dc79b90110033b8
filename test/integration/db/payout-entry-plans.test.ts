/**
 * How many rows the list of payout entries reads: of 20,000, those of its page, also of a merchant with few entries. Its
 * totals read those that they sum.
 */
import { beforeAll, expect, test } from 'vitest';
import { MOST_SUMMED } from '../../../src/db/list-totals.ts';
import { limitToMerchants } from '../../../src/db/merchant-limit/limit.ts';
import { listPayoutEntries } from '../../../src/db/payouts/payout-lists.ts';
import { readPayoutEntryTotals } from '../../../src/db/payouts/payout-totals.ts';
import type { MerchantId } from '../../../src/domain/ids.ts';
import type { PayoutId } from '../../../src/domain/payout.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { readBy } from '../../support/list-reads.ts';
import { createTestMerchant, type TestMerchant } from '../../support/test-merchants.ts';

const ENTRIES = 20_000;
const RARE = 'mer_rare';
const MOST_ROWS = 200;
/** Entries of each daily payout. */
const OF_DAY = 2_000;

const db = useTestDatabase();
let big: TestMerchant;
/** Of another account, with a payout on each of 20 days. */
let daily: TestMerchant;

beforeAll(async () => {
  const { database } = db;
  big = await createTestMerchant(database);
  const of = [big.accountId, big.mode];
  await database.query(
    `insert into merchants (id, account_id, mode, slug, business_name, currency, policy)
     values ($3, $1, $2, 'rare', 'Rare', 'USD', 'always')`,
    [...of, RARE],
  );
  await database.query(
    `insert into payouts (id, account_id, mode, merchant_id, processor, processor_payout_id, status, amount_cents, currency, version,
                          arrival_date)
     select 'po_' || merchant, $1, $2, merchant, 'sandbox', 'payout_' || merchant, 'paid', 100, 'USD', 1,
            case when merchant = $4 then date '2026-11-19' else '2026-11-20' end
       from unnest($3::text[]) merchant`,
    [...of, [big.merchantId, RARE], RARE],
  );
  // The rare merchant has the ten oldest.
  await database.query(
    `insert into payout_entries (id, payout_id, account_id, mode, merchant_id, processor_entry_id, kind, gross_cents, fee_cents,
                                 net_cents, created_at)
     select 'pe_' || n, 'po_' || merchant, $1, $2, merchant, 'entry_' || n, 'other', 100, 0, 100, now() - n * interval '1 minute'
       from generate_series(1, $5::integer) n,
            lateral (select case when n > $5::integer - 10 then $4 else $3 end as merchant) of_entry`,
    [...of, big.merchantId, RARE, ENTRIES],
  );
  daily = await createTestMerchant(database);
  const ofDaily = [daily.accountId, daily.mode, daily.merchantId, OF_DAY];
  await database.query(
    `insert into payouts (id, account_id, mode, merchant_id, processor, processor_payout_id, status, amount_cents, currency, version,
                          arrival_date, updated_at)
     select 'po_daily_' || day, $1, $2, $3, 'sandbox', 'payout_' || day, 'paid', 100, 'USD', 1, date '2026-11-20' - day,
            now() - day * $4::integer * interval '1 minute'
       from generate_series(0, 19) day`,
    ofDaily,
  );
  await database.query(
    `insert into payout_entries (id, payout_id, account_id, mode, merchant_id, processor_entry_id, kind, gross_cents, fee_cents,
                                 net_cents, created_at)
     select 'pe_daily_' || n, 'po_daily_' || n / $4::integer, $1, $2, $3, 'entry_' || n, 'other', 100, 0, 100, now() - n * interval '1 minute'
       from generate_series(0, 20 * $4::integer - 1) n`,
    ofDaily,
  );
  await database.query('analyze payout_entries, payouts');
});

const ANY = { after: null, before: null, merchantId: null, payoutId: null, chargeId: null, arrivalDate: null };
const PAGE = { limit: 19, startingAfter: null };

test.each([
  ['all merchants', null, 20],
  ['the merchant with most entries', 'big', 20],
  ['a merchant with the ten oldest entries', 'rare', 10],
] as const)('a page of the entries of %s reads its rows only', async (_, which, found) => {
  const merchants = { big: big.merchantId, rare: RARE as MerchantId };
  const filter = { ...ANY, merchantId: which === null ? null : merchants[which] };
  const read = await readBy(db.database, (sql) => listPayoutEntries(sql, big, filter, PAGE));
  expect(read.found).toBe(found);
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(MOST_ROWS);
});

test.each([
  ['a day with many entries', '2026-11-20', 20],
  ['a day with ten old entries', '2026-11-19', 10],
  ['a day without payouts', '2026-11-18', 0],
])('a page of the entries that arrived on %s reads no others', async (_, arrivalDate, found) => {
  const read = await readBy(db.database, (sql) => listPayoutEntries(sql, big, { ...ANY, arrivalDate }, PAGE));
  expect(read.found).toBe(found);
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(MOST_ROWS);
});

test.each([
  ['the merchant with most entries', 'big', 20],
  ['a merchant with the ten oldest entries', 'rare', 10],
] as const)('a page of the entries of a user who is limited to %s reads its rows only', async (_, which, found) => {
  const limited = limitToMerchants(db.database, [{ big: big.merchantId, rare: RARE as MerchantId }[which]]);
  const read = await readBy(limited, (sql) => listPayoutEntries(sql, big, ANY, PAGE));
  expect(read.found).toBe(found);
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(MOST_ROWS);
});

test.each([
  ['an old payout', { payoutId: 'po_daily_19' as PayoutId }],
  ['an old day', { arrivalDate: '2026-11-01' }],
])('a page of the entries of %s reads no newer ones', async (_, filter) => {
  const read = await readBy(db.database, (sql) => listPayoutEntries(sql, daily, { ...ANY, ...filter }, PAGE));
  expect(read.found).toBe(20);
  expect(read.scans).toEqual([]);
  // It may read all entries of the payout itself.
  expect(read.rows).toBeLessThan(OF_DAY + MOST_ROWS);
});

test.each([
  ['an owner', null],
  ['a user who is limited to the merchant with most entries', 'big'],
] as const)('the totals for %s read no more entries than are summed', async (_, which) => {
  const limited = limitToMerchants(db.database, which === null ? null : [big.merchantId]);
  const read = await readBy(limited, (sql) =>
    readPayoutEntryTotals({ query: sql.query, transaction: (work) => work(sql) }, big, ANY),
  );
  expect(read.rows).toBeLessThan(MOST_SUMMED + MOST_ROWS);
});
