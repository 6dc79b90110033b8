/** Every sum of random days agrees with plain SQL to the cent: lists, statistics, month-end reports, CSV, and the daily summary. */
import { beforeAll, describe, expect, test } from 'vitest';
import { readDayFigures } from '../../src/db/alerts/day-figures.ts';
import { rollUpDays } from '../../src/db/statistics/roll-up.ts';
import type { Scope } from '../../src/domain/account.ts';
import type { MerchantId } from '../../src/domain/ids.ts';
import { askApi } from '../../src/http/api/in-process.ts';
import { useFixture } from '../support/fixtures.ts';
import { type BookTimes, Dice, writeRandomBooks } from '../support/random-books.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { until } from '../support/until.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);

/** Autumn of 2025: the clocks change in Berlin on 26 October and in New York on 2 November. */
const TIMES: BookTimes = {
  from: '2025-09-29T00:00:00Z',
  to: '2025-12-02T00:00:00Z',
  borders: [
    ...['2025-09-30T22:00:00Z', '2025-10-01T04:00:00Z', '2025-10-31T23:00:00Z', '2025-11-01T04:00:00Z'],
    ...['2025-10-25T22:00:00Z', '2025-10-26T01:00:00Z', '2025-10-26T23:00:00Z'],
    ...['2025-11-02T04:00:00Z', '2025-11-02T06:00:00Z', '2025-11-03T05:00:00Z', '2025-12-01T05:00:00Z'],
  ],
};
const ZONES = ['Europe/Berlin', 'America/New_York'] as const;
/** Two months, and the days that have 25 hours. */
const PERIODS = [
  ['2025-10-01', '2025-10-31'],
  ['2025-11-01', '2025-11-30'],
  ['2025-10-26', '2025-10-26'],
  ['2025-11-02', '2025-11-02'],
] as const;
const CHARGES = 150;

let scope: Scope;
const merchants: MerchantId[] = [];
beforeAll(async () => {
  const { database } = dashboard.api;
  const { merchantId, ...found } = await createTestMerchant(database);
  scope = found;
  merchants.push(merchantId, 'mer_random_second' as MerchantId);
  await database.query(
    `insert into merchants (id, account_id, mode, slug, business_name, currency, policy)
     values ($1, $2, $3, 'second', 'Second', 'EUR', 'always')`,
    [merchants[1], scope.accountId, scope.mode],
  );
  await writeRandomBooks(database, scope, { dice: new Dice(20_251_026), times: TIMES, merchants, charges: CHARGES });
});

type Row = Record<string, unknown>;

/** As a user of the account, who may be limited to merchants. Until it is counted: a busy database can be too slow at first. */
async function ask(path: string, query: Record<string, string>, limit: MerchantId[] | null = null): Promise<Row> {
  const { id } = dashboard.user.user;
  const actor = { kind: 'user', id, source: '127.0.0.1' } as const;
  const principal = { ...scope, role: 'viewer', actor, isLocal: true, merchants: limit } as const;
  let body: Row = {};
  await until(120_000, async () => {
    const answer = await askApi(dashboard.api.app, principal, { path, query });
    body = answer.body as Row;
    return answer.status === 200 && body.totals !== null;
  });
  return body;
}

const sql = async (text: string, values: unknown[]) => (await dashboard.api.database.query<Row>(text, values)).rows;

interface Period {
  zone: string;
  first: string;
  last: string;
}

const PERIODS_OF_ZONES: Period[] = ZONES.flatMap((zone) => PERIODS.map(([first, last]) => ({ zone, first, last })));

/** SQL: rows of the account, of the merchant if there is one, and of days of the zone. */
const IN_PERIOD = `account_id = $1 and ($2::text is null or merchant_id = $2)
  and (created_at at time zone $3)::date between $4::date and $5::date`;

const CHARGE_SUMS = `
  select currency, count(*)::integer as charges, (count(*) filter (where status in ('succeeded', 'authorized', 'voided')))::integer as succeeded,
         (count(*) filter (where amount_cents > 0 and status in ('succeeded', 'authorized', 'voided')))::integer as approved,
         coalesce(sum(case when capture = 'manual' then captured_cents else amount_cents end)
                  filter (where status = 'succeeded'), 0)::float8 as gross,
         coalesce(sum((select sum(amount_cents) from refunds r where r.charge_id = charges.id and r.status <> 'failed')), 0)::float8
           as refunded
    from charges where ${IN_PERIOD} group by currency order by currency`;

const valuesOf = ({ zone, first, last }: Period, merchant: MerchantId | null) => [
  scope.accountId,
  merchant,
  zone,
  first,
  last,
];

/** The instants at which the days begin and end. */
async function timesOf({ zone, first, last }: Period): Promise<{ from: string; to: string }> {
  const rows = await sql(
    `select ($2::date::timestamp at time zone $1) as at union all select (($3::date + 1)::timestamp at time zone $1)`,
    [zone, first, last],
  );
  const [from = '', to = ''] = rows.map(({ at }) => (at as Date).toISOString());
  return { from, to };
}

const byCurrency = (rows: unknown) =>
  [...(rows as Row[])].sort((one, other) => (String(one.currency) < String(other.currency) ? -1 : 1));

/** The ways to see the sums of all merchants, or of one: by a filter, or because the user sees no other. */
const views = () => {
  const [one] = merchants;
  if (one === undefined) throw new Error('there is a merchant');
  return [
    { merchant: null, query: {}, limit: null },
    { merchant: one, query: { merchant_id: one }, limit: null },
    { merchant: one, query: {}, limit: [one] },
  ];
};

describe.each(PERIODS_OF_ZONES)('from $first to $last in $zone', (period) => {
  test('the totals of charges, refunds and disputes are those of SQL', async () => {
    const { from, to } = await timesOf(period);
    for (const { merchant, query, limit } of views()) {
      const values = valuesOf(period, merchant);
      const totals = async (path: string) =>
        byCurrency((await ask(path, { ...query, created_after: from, created_before: to }, limit)).totals);
      const charges = await sql(CHARGE_SUMS, values);
      expect(await totals('/v1/charges/totals')).toEqual(
        charges.map(({ approved: _, gross, refunded, ...counts }) => ({
          ...counts,
          gross_cents: gross,
          refunded_cents: refunded,
          net_cents: Number(gross) - Number(refunded),
        })),
      );
      expect(await totals('/v1/refunds/totals')).toEqual(
        await sql(
          `select currency, count(*)::integer as refunds, (count(*) filter (where status = 'succeeded'))::integer as succeeded,
                  coalesce(sum(amount_cents) filter (where status <> 'failed'), 0)::float8 as refunded_cents,
                  coalesce(sum(amount_cents) filter (where status = 'pending'), 0)::float8 as pending_cents
             from refunds where ${IN_PERIOD} group by currency order by currency`,
          values,
        ),
      );
      expect(await totals('/v1/disputes/totals')).toEqual(
        await sql(
          `select currency, count(*)::integer as disputes, sum(amount_cents)::float8 as disputed_cents,
                  coalesce(sum(amount_cents) filter (where status not in ('won', 'lost')), 0)::float8 as open_cents,
                  coalesce(sum(amount_cents) filter (where status = 'won'), 0)::float8 as won_cents,
                  coalesce(sum(amount_cents) filter (where status = 'lost'), 0)::float8 as lost_cents
             from disputes where ${IN_PERIOD} group by currency order by currency`,
          values,
        ),
      );
    }
  });

  test('the statistics and their days are those of SQL, also after the daily roll-up', async () => {
    const { from, to } = await timesOf(period);
    const check = async () => {
      for (const { merchant, query, limit } of views()) {
        const found = await ask('/v1/statistics', { ...query, from, to, time_zone: period.zone }, limit);
        const charges = await sql(CHARGE_SUMS, valuesOf(period, merchant));
        const paid = charges
          .filter(({ approved, refunded }) => Number(approved) + Number(refunded) > 0)
          .map(({ currency, approved, gross, refunded }) => paymentsOf(currency, approved, gross, refunded));
        const { payments } = found.period as { payments: Row[] };
        expect(byCurrency(payments)).toEqual(paid);
        const perDay = (found.days as { date: string; payments: Row[] }[]).map((day) => [
          day.date,
          byCurrency(day.payments),
        ]);
        expect(perDay).toEqual(await daysBySql(period, merchant));
      }
    };
    await check();
    const { signal } = new AbortController();
    const days = Math.ceil((Date.now() - Date.parse(TIMES.from)) / 86_400_000);
    while ((await rollUpDays(dashboard.api.database, signal, days)).more);
    await check();
  });
});

const paymentsOf = (currency: unknown, count: unknown, gross: unknown, refunded: unknown) => ({
  currency,
  count,
  amount_cents: gross,
  refunded_cents: refunded,
  net_cents: Number(gross) - Number(refunded),
});

async function daysBySql({ zone, first, last }: Period, merchant: MerchantId | null): Promise<unknown[]> {
  const dates = await sql(`select d::date::text as day from generate_series($1::date, $2::date, '1 day') d`, [
    first,
    last,
  ]);
  const days: unknown[] = [];
  for (const { day } of dates as { day: string }[]) {
    const rows = await sql(CHARGE_SUMS, valuesOf({ zone, first: day, last: day }, merchant));
    const shown = rows.filter(({ approved, refunded }) => Number(approved) + Number(refunded) > 0);
    days.push([
      day,
      shown.map(({ currency, approved, gross, refunded }) => paymentsOf(currency, approved, gross, refunded)),
    ]);
  }
  return days;
}

/** The sums of a month-end report and of a summary: refunds count on the day when they were made. */
const REPORT = `
  select currency, sum(payments)::integer as payments, sum(gross)::float8 as gross, sum(refunds)::integer as refunds,
         sum(refunded)::float8 as refunded
    from (select account_id, merchant_id, created_at, currency, 1 as payments,
                 coalesce(captured_cents, amount_cents) as gross, 0 as refunds, 0 as refunded
            from charges where status = 'succeeded' and amount_cents > 0
          union all
          select account_id, merchant_id, created_at, currency, 0, 0, 1, amount_cents from refunds where status <> 'failed') money
   where ${IN_PERIOD} group by currency order by currency`;

test.each(ZONES.flatMap((zone) => [[zone, '2025-10', 31] as const, [zone, '2025-11', 30] as const]))(
  'the month-end report in %s of %s and its CSV are those of SQL, as a whole and for each day',
  async (zone, month, last) => {
    await dashboard.as('viewer', scope.accountId);
    for (const merchant of merchants) {
      const report = await ask('/v1/reports/month', { merchant_id: merchant, month, time_zone: zone }, [merchant]);
      const period = { zone, first: `${month}-01`, last: `${month}-${last}` };
      const totals = byCurrency(report.totals) as { currency: string; days: Row[]; [name: string]: unknown }[];
      const disputes = await sql(
        `select currency, count(*)::integer as disputes, sum(amount_cents)::float8 as disputed,
                coalesce(sum(amount_cents) filter (where status = 'lost'), 0)::float8 as lost
           from disputes where ${IN_PERIOD} group by currency order by currency`,
        valuesOf(period, merchant),
      );
      expect(totals.map(sumsOf)).toEqual(await sql(REPORT, valuesOf(period, merchant)));
      expect(
        totals
          .filter((each) => each.disputes !== 0)
          .map(({ currency, disputes: count, disputed_cents, lost_cents }) => ({
            currency,
            disputes: count,
            disputed: disputed_cents,
            lost: lost_cents,
          })),
      ).toEqual(disputes);
      const csv = (await dashboard.get(`/test/reports.csv?merchant_id=${merchant}&month=${month}&zone=${zone}`)).html;
      const [head = '', ...lines] = csv.trim().split('\r\n');
      const names = head.split(',');
      const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])));
      for (let day = 1; day <= last; day += 1) {
        const date = `${month}-${String(day).padStart(2, '0')}`;
        const bySql = await sql(REPORT, valuesOf({ zone, first: date, last: date }, merchant));
        const shown = totals.map(({ currency, days }) => ({ ...days.find((each) => each.date === date), currency }));
        expect([
          date,
          shown.map(sumsOf).filter(({ payments, refunds }) => Number(payments) + Number(refunds) > 0),
        ]).toEqual([date, bySql]);
        const inCsv = rows
          .filter((row) => row.date === date)
          .map((row) => [row.currency, row.gross_cents, row.refunded_cents]);
        expect(inCsv).toEqual(
          (report.totals as { currency: string; days: Row[] }[]).map(({ currency, days }) => {
            const { gross_cents, refunded_cents } = days.find((each) => each.date === date) ?? {};
            return [currency, String(gross_cents), String(refunded_cents)];
          }),
        );
      }
    }
  },
);

const sumsOf = ({ currency, payments, gross_cents, refunds, refunded_cents }: Row) => ({
  currency,
  payments,
  gross: gross_cents,
  refunds,
  refunded: refunded_cents,
});

test.each(PERIODS_OF_ZONES.filter(({ first, last }) => first === last))(
  'the daily summary of $first in $zone is that of SQL',
  async (period) => {
    const { payments } = await readDayFigures(dashboard.api.database, scope, period.first, period.zone);
    expect(byCurrency(payments)).toEqual(
      (await sql(REPORT, valuesOf(period, null))).map(({ refunds: _, gross, refunded, ...counts }) => ({
        ...counts,
        grossCents: gross,
        refundedCents: refunded,
      })),
    );
  },
);
