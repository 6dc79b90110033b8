/** The bars of the funnel on the overview: each leads to a list with exactly the calls that it counts. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeMerchants } from '../../src/accounts/users/manage.ts';
import type { Scope } from '../../src/domain/account.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { ASKED_FIELDS, askStep, CHARGE_STEP, countedSteps, RETURN_STEP } from '../../src/domain/call.ts';
import { type MerchantId, newId } from '../../src/domain/ids.ts';
import { dayIn, startOfDay } from '../../src/domain/local-days.ts';
import { FUNNEL_STEPS } from '../../src/domain/statistics.ts';
import { useFixture } from '../support/fixtures.ts';
import { type SeededPayment, seedPayment } from '../support/seed-payments.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);
/** A time zone in which no day ends during the test: Auckland's do at 11:00 or 12:00 UTC, Honolulu's at 10:00. */
const ZONE = [10, 11].includes(new Date().getUTCHours()) ? 'Pacific/Honolulu' : 'Pacific/Auckland';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const KEYED = ['answered', 'ask card_number', 'ask expiry', 'ask security_code'];
const PAID = [...KEYED, CHARGE_STEP, RETURN_STEP];

let scope: Scope;
let first: MerchantId;
let second: MerchantId;

const dayBefore = (days: number) =>
  new Date(Date.parse(dayIn(new Date(), ZONE) ?? '') - days * DAY_MS).toISOString().slice(0, 10);
/** The start of the day so many days ago in the time zone, in milliseconds. */
const midnight = (daysAgo: number) => startOfDay(dayBefore(daysAgo), ZONE)?.getTime() ?? 0;

beforeAll(async () => {
  const { database } = dashboard.api;
  const created = await createTestMerchant(database);
  scope = created;
  first = created.merchantId;
  second = newId('Merchant');
  await database.query(
    `insert into merchants (id, account_id, mode, slug, business_name, currency, policy) values ($1, $2, 'test', $1, 'Second', 'USD', 'always')`,
    [second, created.accountId],
  );
  await database.query('update merchants set time_zone = $2 where account_id = $1', [created.accountId, ZONE]);
  /** @param ms when the call starts */
  const seed = (ms: number, steps: readonly string[], payment: Partial<SeededPayment> = {}) =>
    seedPayment(database, scope, {
      merchant: first,
      at: new Date(ms + MINUTE_MS).toISOString(),
      status: 'failed',
      steps,
      ...payment,
    });
  // The first and the last moment of the days, and the moments beside them.
  for (const ms of [midnight(6) - 1, midnight(6), midnight(2) - 1, midnight(2), midnight(1) - 1, midnight(1)])
    await seed(ms, PAID, { status: 'succeeded', returnMode: 'refer' });
  // Every step that a call can take, the return without its step, and calls that end at the first question.
  await seed(midnight(2) + MINUTE_MS, ['answered', ...ASKED_FIELDS.map(askStep), CHARGE_STEP, RETURN_STEP]);
  await seed(midnight(2) + MINUTE_MS, KEYED, { returnMode: 'refer' });
  await seed(midnight(2) + MINUTE_MS, ['answered'], { status: null });
  await seed(midnight(2) + MINUTE_MS, KEYED.slice(0, 2), { status: null, merchant: second });
  await seed(midnight(1) + MINUTE_MS, [...PAID, 'ask tip'], { merchant: second });
  // Half of the calls have stored steps. Lost calls only have those of their timeline.
  const { rows } = await database.query<{ id: string; timeline: { step: string }[] }>(
    'select id, timeline from calls where account_id = $1 order by id',
    [created.accountId],
  );
  for (const { id, timeline } of rows.filter((_, place) => place % 2 === 0))
    await database.query('update calls set steps = $2 where id = $1', [id, countedSteps(timeline)]);
  // Not counted: a live call, and one that was not answered.
  await seed(midnight(1) + 2 * MINUTE_MS, PAID);
  await seed(midnight(1) + 3 * MINUTE_MS, PAID);
  const started = (minutes: number) => new Date(midnight(1) + minutes * MINUTE_MS);
  await database.query('update calls set ended_at = null where started_at = $1', [started(2)]);
  await database.query('update calls set answered_at = null where started_at = $1', [started(3)]);
});

beforeEach(() => dashboard.as('viewer', scope.accountId));

interface Bar {
  /** The path of the list within the mode. */
  href: string;
  name: string;
  reached: number;
  all: number;
}

async function barsOf(query: string): Promise<Bar[]> {
  const { html } = await dashboard.get(`/test/overview${query}`);
  const link =
    /class="row-link" href="\/dashboard\/test(\/calls\?[^"]+)">([^<]+)<span class="unseen">: (\d+) of (\d+) calls?</g;
  return [...html.matchAll(link)].map(([, href = '', name = '', reached, all]) => ({
    href: href.replaceAll('&amp;', '&'),
    name,
    reached: Number(reached),
    all: Number(all),
  }));
}

/** The calls of a list: as its totals say, on its page, and in its file. */
async function countsIn({ href }: Bar): Promise<(number | undefined)[]> {
  const [page, file] = await Promise.all([
    dashboard.get(`/test${href}`),
    dashboard.get(`/test${href.replace('/calls?', '/calls.csv?')}`),
  ]);
  const [, total] = /Totals of these calls.*?>(\d+) calls?</s.exec(page.html) ?? [];
  const [, rows] = /id="results" data-count="(\d+)"/.exec(page.html) ?? [];
  return [Number(total), Number(rows), file.html.trim().split('\n').length - 1];
}

const DAYS = `from=${dayBefore(2)}&to=${dayBefore(2)}&zone=${encodeURIComponent(ZONE)}`;

describe.each([
  ['the last days', () => '', FUNNEL_STEPS.length, 10],
  ['one day, from its first to its last moment', () => `?${DAYS}`, FUNNEL_STEPS.length, 6],
  ['one merchant', () => `?days=7&merchant_id=${second}`, 7, 2],
  ['one day of one merchant', () => `?${DAYS}&merchant_id=${first}`, FUNNEL_STEPS.length, 5],
])('the funnel of %s', (_, query, steps, all) => {
  test('leads from each bar to exactly the calls that it counts', async () => {
    const bars = await barsOf(query());
    expect(bars).toHaveLength(steps);
    expect(bars.map((bar) => bar.all)).toEqual(bars.map(() => all));
    for (const bar of bars) expect(await countsIn(bar), bar.name).toEqual([bar.reached, bar.reached, bar.reached]);
  });
});

test('leads a limited user only to the calls of their merchants', async () => {
  await changeMerchants(dashboard.api.database, SYSTEM, {
    accountId: scope.accountId,
    userId: dashboard.user.user.id,
    merchants: [second],
  });
  const bars = await barsOf('');
  expect(bars.map(({ name, reached }) => [name, reached])).toEqual([
    ['Call answered', 2],
    ['Card number requested', 2],
    ['Expiry date requested', 1],
    ['Security code requested', 1],
    ['Card charged', 1],
    ['Returned to the agent', 1],
    ['Tip offered', 1],
  ]);
  for (const bar of bars) expect(await countsIn(bar), bar.name).toEqual([bar.reached, bar.reached, bar.reached]);
});

test('has no link for a step that no call reached', async () => {
  const { html } = await dashboard.get(`/test/overview?${DAYS}&merchant_id=${second}`);
  expect(html).toMatch(/<td role="cell">Card charged<\/td>/);
  expect((await barsOf(`?${DAYS}&merchant_id=${second}`)).map(({ name }) => name)).toEqual([
    'Call answered',
    'Card number requested',
  ]);
});

test('names the step in the filters of the list, together with the days and the merchant', async () => {
  const bars = await barsOf(`?${DAYS}&merchant_id=${second}`);
  const { html } = await dashboard.get(`/test${bars[1]?.href}`);
  expect(html).toMatch(/<label for="filter-reached">Reached<\/label>/);
  expect(html).toMatch(/<option value="card_number" selected[^>]*>Card number requested<\/option>/);
  expect(html).toMatch(new RegExp(`<option value="${second}" selected[^>]*>Second</option>`));
  expect(html).toContain(`name="from" value="${dayBefore(2)}"`);
});
