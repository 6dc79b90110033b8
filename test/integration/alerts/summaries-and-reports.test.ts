/** Daily summaries and month-end reports. Against a mailer of the test. */
import { describe, expect, test } from 'vitest';
import { editAlertTarget } from '../../../src/alerts/manage.ts';
import { findAlertTarget } from '../../../src/db/alerts/alert-targets.ts';
import { CHARGES_OF_MONTH } from '../../../src/db/reports/month-report.ts';
import type { AlertSettings } from '../../../src/domain/alerts.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import { newId } from '../../../src/domain/ids.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { seedOfCharge } from '../../support/seed-money.ts';
import { type SeededPayment, seedPayment } from '../../support/seed-payments.ts';
import { createTestMerchant } from '../../support/test-merchants.ts';
import { watchQueries } from '../../support/watched-database.ts';
import { useTestAlerts } from './test-alerts.ts';

const db = useTestDatabase();
const { merchant, scopeOf, manage, target, open, gather, sweep } = useTestAlerts(db);

/** @param onCount called before the report's charges are counted */
const watchCounts = (onCount: () => unknown) => watchQueries(db.database, (text) => text === CHARGES_OF_MONTH, onCount);

const summarize = () =>
  db.database.query(`update alert_targets set summarized_on = (now() at time zone 'UTC')::date - 2`);
const monthIsOver = () => db.database.query(`update alert_targets set reported_month = '2020-01'`);

describe('a daily summary', () => {
  /** The day before today, at noon in UTC. */
  const yesterday = () => new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000);
  const seed = (payment: Partial<SeededPayment>) =>
    seedPayment(db.database, scopeOf(), {
      merchant: merchant.merchantId,
      at: yesterday().toISOString(),
      status: 'succeeded',
      cents: 4_250,
      steps: ['answered'],
      ...payment,
    });

  test('has the figures of yesterday once, by currency, with the rate of the week before and open items', async () => {
    await target({ summaryHour: 0, topics: ['keys'] });
    await seed({});
    await seed({});
    await seed({ cents: 300, currency: 'EUR' });
    // A card that was saved without a payment.
    await seed({ cents: 0 });
    await seed({ status: 'failed', code: 'do_not_honor' });
    await seed({ at: new Date(yesterday().getTime() - 86_400_000).toISOString() });
    await seed({ at: new Date().toISOString() });
    await db.database.query(
      `insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, processor,
                            processor_payment_id, created_at, settled_at, resolve_at)
       select $1, id, session_id, account_id, mode, merchant_id, 'succeeded', 1000, currency, processor, 'x', $2, now(), now()
         from charges where account_id = $3 and currency = 'USD' and status = 'succeeded' limit 1`,
      [newId('Refund'), yesterday(), merchant.accountId],
    );
    const pending = { cents: 100, currency: 'EUR', status: 'pending' };
    const ofMerchant = { merchant: merchant.merchantId, at: yesterday().toISOString() };
    await seedOfCharge(db.database, scopeOf(), 'refunds', { ...ofMerchant, ...pending });
    await db.database.query(
      `insert into charge_days (account_id, mode, day, merchant_id, currency, succeeded, failed, pending, amount_cents)
       values ($1, $2, (now() at time zone 'UTC')::date - 4, $3, 'USD', 9, 1, 0, 0)`,
      [merchant.accountId, merchant.mode, merchant.merchantId],
    );
    await open('late_charge');
    expect(await sweep()).toEqual([]);
    await summarize();
    const [email, ...others] = await sweep();
    expect(others).toEqual([]);
    expect(email?.subject).toMatch(/: Summary of \w+day,? \d+ \w+$/);
    const figures = [
      'Calls: 5, 3 of them paid',
      'Charges that succeeded: 3 of 4, 75% (90% in the week before)',
      'Payments, USD: 2, $85.00',
      'Refunded, USD: $10.00',
      'Net, USD: $75.00',
      'Payments, EUR: 1, €3.00',
      'Refunded, EUR: €1.00',
    ];
    for (const line of figures) expect(email?.text).toContain(`${line}\n`);
    expect(email?.text).toMatch(/Needs attention\n.* was paid late\n/);
    expect(email?.html).toContain('75% (90% in the week before)');
    expect(await sweep()).toEqual([]);
  });

  test('follows once the news are sent, if both are due', async () => {
    await target({ summaryHour: 0 });
    await open('late_charge');
    await summarize();
    expect((await sweep())[0]?.subject).toMatch(/ was paid late$/);
    expect((await sweep())[0]?.subject).toMatch(/: Summary of /);
    expect(await sweep()).toEqual([]);
  });

  test('of a day on which nothing happened is sent only if that was chosen', async () => {
    const { id } = await target({ summaryHour: 0 });
    await summarize();
    expect(await sweep()).toEqual([]);
    await db.database.query('update alert_targets set summary_if_empty = true where id = $1', [id]);
    await summarize();
    expect((await sweep())[0]?.text).toContain('Calls: None');
  });

  test('is of the day in the zone of the target', async () => {
    await target({ summaryHour: 0, timeZone: 'Pacific/Kiritimati' });
    const { rows } = await db.database.query<{ day: string; at: Date }>(
      `select ((now() at time zone 'Pacific/Kiritimati')::date - 1)::text as day,
              date_trunc('day', now() at time zone 'Pacific/Kiritimati') at time zone 'Pacific/Kiritimati' - interval '1 minute' as at`,
    );
    await seed({ at: rows[0]?.at.toISOString() ?? '' });
    await db.database.query('update alert_targets set summarized_on = $1::date - 1', [rows[0]?.day]);
    expect((await sweep())[0]?.text).toContain('Payments: 1, $42.50\n');
  });
});

describe('a month-end report', () => {
  const DUE = { summaryHour: 0, topics: ['keys'] as AlertSettings['topics'] };
  /** The middle of the month before the present one, in UTC. */
  async function lastMonth(): Promise<{ at: string; name: string; month: string }> {
    const { rows } = await db.database.query<{ at: Date; name: string; month: string }>(
      `select at, to_char(at, 'FMMonth YYYY') as name, to_char(at, 'YYYY-MM') as month
         from (select date_trunc('month', now() at time zone 'UTC') - interval '15 days' as at) middle`,
    );
    const [found] = rows;
    if (found === undefined) throw new Error('there is always a last month');
    return { name: found.name, month: found.month, at: `${found.month}-15T12:00:00.000Z` };
  }
  const seedLastMonth = async (payment: Partial<SeededPayment> = {}) =>
    seedPayment(db.database, scopeOf(), {
      merchant: merchant.merchantId,
      at: (await lastMonth()).at,
      status: 'succeeded',
      cents: 4_250,
      ...payment,
    });
  const chosen = () => ({ ...DUE, reportMerchants: [merchant.merchantId] });

  test('is sent once when a month is over, whatever number of workers look and start again', async () => {
    await target(chosen());
    await seedLastMonth();
    await seedLastMonth();
    await seedLastMonth({ at: new Date().toISOString() });
    await seedOfCharge(db.database, scopeOf(), 'refunds', {
      merchant: merchant.merchantId,
      at: (await lastMonth()).at,
      cents: 1_000,
      status: 'succeeded',
    });
    // Nothing is sent about months before the target was added.
    expect(await sweep()).toEqual([]);
    await monthIsOver();
    await Promise.all([gather(), gather(), gather()]);
    const [email, ...others] = await sweep();
    expect(others).toEqual([]);
    const { name, month } = await lastMonth();
    expect(email?.subject).toMatch(new RegExp(`: Report of ${name}$`));
    expect(email?.text).toContain('Payments: 2, $85.00\n');
    expect(email?.text).toContain('Refunded: $10.00\n');
    expect(email?.text).toContain('Net: $75.00\n');
    expect(email?.text).toContain(`/reports?merchant_id=${merchant.merchantId}&month=${month}&zone=UTC`);
    expect(await sweep()).toEqual([]);
  });

  test('is counted by one of several workers that look at the same time', async () => {
    await target(chosen());
    await seedLastMonth();
    await monthIsOver();
    let counts = 0;
    const others: Promise<void>[] = [];
    const one = watchCounts(async () => {
      counts += 1;
      if (counts > 1) return;
      const other = watchCounts(() => {
        counts += 1;
      });
      others.push(gather(other));
      await others[0];
    });
    await gather(one);
    await Promise.all(others);
    expect(counts).toBe(1);
    const emails = await sweep();
    expect(emails).toHaveLength(1);
    expect(emails[0]?.text).toContain('Payments: 1, $42.50\n');
  });

  test('is counted again if the target was changed meanwhile', async () => {
    const { id } = await target(chosen());
    await seedLastMonth();
    await monthIsOver();
    const change = () =>
      db.database.query(`update alert_targets set time_zone = 'Pacific/Kiritimati' where id = $1`, [id]);
    await gather(watchCounts(change));
    expect((await sweep()).map(({ text }) => text)).toEqual([expect.stringContaining('zone=Pacific%2FKiritimati')]);
  });

  test('has a block for each chosen merchant, also for one without payments', async () => {
    await target(chosen());
    await monthIsOver();
    expect((await sweep())[0]?.text).toContain('No payments, refunds, disputes or payouts');
  });

  const retryIsDue = () =>
    db.database.query('update alert_targets set report_retry_at = now() where report_retry_at is not null');

  test('that fails to be counted is counted again later, and then sent with its figures', async () => {
    await target(chosen());
    await seedLastMonth();
    await monthIsOver();
    await db.database.query('alter table payouts rename to payouts_elsewhere');
    try {
      expect(await sweep()).toEqual([]);
    } finally {
      await db.database.query('alter table payouts_elsewhere rename to payouts');
    }
    // Not before the retry is due.
    expect(await sweep()).toEqual([]);
    await retryIsDue();
    const [email, ...others] = await sweep();
    expect(others).toEqual([]);
    expect(email?.text).toContain('Payments: 1, $42.50\n');
    expect(email?.text).not.toContain('could not be counted');
    expect(await sweep()).toEqual([]);
  });

  test('that takes too long to be counted is counted again later', async () => {
    await target(chosen());
    await seedLastMonth();
    await monthIsOver();
    const slow = watchCounts(() => Promise.reject(Object.assign(new Error('too slow'), { code: '57014' })));
    expect(await sweep(slow)).toEqual([]);
    await retryIsDue();
    expect((await sweep()).map(({ text }) => text)).toEqual([expect.stringContaining('Payments: 1, $42.50\n')]);
  });

  test('that failed to be counted is counted again at once if its target is changed', async () => {
    const { id } = await target(chosen());
    await seedLastMonth();
    await monthIsOver();
    const broken = watchCounts(() => Promise.reject(new Error('cannot be counted')));
    expect(await sweep(broken)).toEqual([]);
    const before = await findAlertTarget(db.database, scopeOf(), id);
    if (before === null) throw new Error('the target should exist');
    await editAlertTarget(manage(), SYSTEM, before, before);
    expect((await sweep()).map(({ text }) => text)).toEqual([expect.stringContaining('Payments: 1, $42.50\n')]);
  });

  test('that still cannot be counted at the last try says so, once', async () => {
    await target(chosen());
    await monthIsOver();
    let counts = 0;
    const broken = watchCounts(() => {
      counts += 1;
      throw new Error('cannot be counted');
    });
    for (let tries = 1; tries <= 4; tries += 1) {
      expect(await sweep(broken)).toEqual([]);
      expect(counts).toBe(tries);
      await retryIsDue();
    }
    expect((await sweep(broken)).map(({ text }) => text)).toEqual([
      expect.stringContaining('The report could not be counted. Try to open it in the dashboard.'),
    ]);
    await retryIsDue();
    expect(await sweep(broken)).toEqual([]);
    expect(counts).toBe(5);
  });

  test('waits until news are sent, and is then sent', async () => {
    await target({ ...chosen(), topics: ['payments'] });
    await open('late_charge');
    await monthIsOver();
    expect((await sweep())[0]?.subject).toMatch(/ was paid late$/);
    expect((await sweep())[0]?.subject).toMatch(/: Report of /);
    expect(await sweep()).toEqual([]);
  });

  test('is of the month in the zone of the target', async () => {
    const zone = 'Pacific/Kiritimati';
    await target({ ...chosen(), timeZone: zone });
    const { rows } = await db.database.query<{ at: Date }>(
      `select date_trunc('month', now() at time zone $1) at time zone $1 - interval '1 minute' as at`,
      [zone],
    );
    await seedLastMonth({ at: rows[0]?.at.toISOString() ?? '' });
    await monthIsOver();
    expect((await sweep())[0]?.text).toContain('Payments: 1, $42.50\n');
  });

  test('is only of merchants of the account', async () => {
    const other = await createTestMerchant(db.database);
    for (const reportMerchants of [[other.merchantId], [merchant.merchantId, merchant.merchantId]])
      await expect(target({ ...DUE, reportMerchants })).rejects.toMatchObject({ facts: { param: 'report_merchants' } });
  });

  test('begins with the present month when it is turned on later', async () => {
    const { id } = await target(DUE);
    await monthIsOver();
    expect(await sweep()).toEqual([]);
    const before = await findAlertTarget(db.database, scopeOf(), id);
    if (before === null) throw new Error('the target should exist');
    await editAlertTarget(manage(), SYSTEM, before, { ...before, ...chosen() });
    expect(await sweep()).toEqual([]);
  });
});

test.each([
  ['the news', (text: string) => text.includes('from alert_notices n join'), ['Report of', 'Summary of']],
  ['the daily summary', (text: string) => text.includes('as "usualRate"'), ['Report of', 'was paid late']],
  ['the month-end report', (text: string) => text === CHARGES_OF_MONTH, ['Summary of', 'was paid late']],
] as const)('if %s cannot be gathered, the others are still sent', async (_part, isBroken, sent) => {
  const reportMerchants = [merchant.merchantId];
  await target({ summaryHour: 0, reportMerchants, topics: ['payments'] });
  await open('late_charge');
  await summarize();
  await monthIsOver();
  const broken = watchQueries(db.database, isBroken, () => {
    throw new Error('cannot be read');
  });
  const subjects: string[] = [];
  for (let swept = 0; swept < 4; swept += 1) {
    const due = await sweep(broken);
    subjects.push(...due.map(({ subject }) => /Report of|Summary of|was paid late/.exec(subject)?.[0] ?? subject));
  }
  expect(subjects.sort()).toEqual(sent);
});
