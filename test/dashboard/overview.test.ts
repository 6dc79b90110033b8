/** The overview: every figure leads to a list with exactly that many charges, in the days of the account's time zone. */
import { beforeAll, expect, test } from 'vitest';
import { dayIn, startOfDay } from '../../src/domain/local-days.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);
/** A time zone in which no day ends during the test: Auckland's do at 11:00 or 12:00 UTC, Honolulu's at 10:00. */
const ZONE = [10, 11].includes(new Date().getUTCHours()) ? 'Pacific/Honolulu' : 'Pacific/Auckland';
const DAY_MS = 86_400_000;
const CARD = ['answered', 'ask card_number', 'ask expiry', 'ask security_code', 'charge', 'return'];
let merchant: string;
let html: string;

/** The start of the day so many days ago in the time zone, in milliseconds. */
const midnight = (daysAgo: number) => {
  const today = Date.parse(dayIn(new Date(), ZONE) ?? '');
  return startOfDay(new Date(today - daysAgo * DAY_MS).toISOString().slice(0, 10), ZONE)?.getTime() ?? 0;
};

beforeAll(async () => {
  const { database } = dashboard.api;
  const created = await createTestMerchant(database);
  merchant = created.merchantId;
  await database.query('update merchants set time_zone = $2 where id = $1', [merchant, ZONE]);
  await dashboard.as('viewer', created.accountId);
  const { accountId, mode } = created;
  const seed = (ms: number, payment: object) =>
    seedPayment(
      database,
      { accountId, mode },
      {
        merchant,
        at: new Date(ms).toISOString(),
        status: 'succeeded',
        steps: CARD,
        ...payment,
      },
    );
  // The first and the last minute of a day of the time zone, which are on two days in UTC.
  await seed(midnight(2), { cents: 4_000, returnMode: 'refer' });
  await seed(midnight(1) - 60_000, { cents: 6_000, returnMode: 'refer' });
  await seed(midnight(2) + 60_000, { status: 'failed', code: 'insufficient_funds' });
  await seed(midnight(1), { status: 'failed', code: 'do_not_honor' });
  await seed(midnight(1) + 1_000, { status: 'failed' });
  // Not counted: a verified card, and a charge without an outcome.
  await seed(midnight(1), { cents: 0 });
  await seed(midnight(1), { status: 'pending' });
  // The first minute of the first day, and the last one of the period before.
  await seed(midnight(6), { cents: 1_000 });
  await seed(midnight(13), { cents: 2_000 });
  await seed(midnight(13) - 3 * 3_600_000, { cents: 99_000 });
  await database.query(`update charges set refunded_cents = 1500 where account_id = $1 and amount_cents = 4000`, [
    accountId,
  ]);
  html = (await dashboard.get('/test/overview')).html;
});

const readable = (given: string) => given.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
/** The links to charges whose text matches. */
const linksTo = (text: RegExp) =>
  [...html.matchAll(/<a [^>]*href="\/dashboard\/test(\/charges\?[^"]+)"[^>]*>(.*?)<\/a>/gs)]
    .filter(([, , content = '']) => text.test(readable(content)))
    .map(([, href = '']) => href.replaceAll('&amp;', '&'));

/** How many charges a list has, on all its pages. */
async function counted(href: string): Promise<number> {
  const answer = await dashboard.get(`${href.replace('/charges?', '/test/charges.csv?')}`);
  expect(answer.status, href).toBe(200);
  return answer.html.trim().split('\n').length - 1;
}

test('shows net amounts with what was refunded, and says what they are compared with', () => {
  expect(readable(html)).toContain('Net, USD $95.00');
  expect(readable(html)).toContain('$110.00 gross, $15.00 refunded');
  expect(readable(html)).toContain('375% more than in the 7 days before');
  expect(readable(html)).toMatch(
    /until now, compared with the 7 days before: .* up to the same time of day\. Days in (Auckland|Honolulu)\./,
  );
});

test('starts days at midnight in the time zone of the account’s merchants, and marks the one that is not over', () => {
  expect(linksTo(/2 succeeded .*1 failed \(33\.3%\)/)).toHaveLength(1);
  expect(linksTo(/so far 0 succeeded 0 failed/)).toHaveLength(1);
});

test('leads from each bar, table cell and decline reason to a list with exactly as many charges', async () => {
  const [bar = ''] = linksTo(/2 succeeded .*1 failed/);
  expect(bar).toContain(`zone=${encodeURIComponent(ZONE)}`);
  expect(await counted(bar)).toBe(3);
  const [succeeded = ''] = linksTo(/^ ?2 succeeded ?$/);
  expect(await counted(succeeded)).toBe(2);
  expect(await counted(linksTo(/^ ?3 succeeded ?$/)[0] ?? '')).toBe(3);
  expect(await counted(linksTo(/^ ?3 failed ?$/)[0] ?? '')).toBe(3);
  for (const reason of [/^Insufficient funds$/, /^Do not honor$/, /^Other than the card$/]) {
    const [href = ''] = linksTo(reason);
    expect(await counted(href), href).toBe(1);
  }
});

test('adds up the days of 90 days by week, and leads from each bar to the charges of that week', async () => {
  const { html: page } = await dashboard.get('/test/overview?days=90');
  const bars = [...page.matchAll(/<li[^>]*><a href="\/dashboard\/test(\/charges\?[^"]+)"[^>]*><svg/g)];
  expect(bars).toHaveLength(13);
  expect(page).toContain('<ol aria-label="Charges by week">');
  expect(readable(page)).toContain('Current week');
  const hrefs = bars.map(([, href = '']) => href.replaceAll('&amp;', '&'));
  const all = await Promise.all(hrefs.map(counted));
  const shown = bars.map(({ index }) => {
    const [, succeeded, failed] =
      /(\d+) succeeded .*?(\d+) failed/.exec(readable(page.slice(index, index + 2_000))) ?? [];
    return Number(succeeded) + Number(failed);
  });
  expect(all).toEqual(shown);
  expect(Math.max(...all)).toBeGreaterThan(3);
});

test('keeps steps that only some calls take out of the funnel', async () => {
  const { database } = dashboard.api;
  const steps = (given: string) => /aria-label="Steps of completed calls">(.*?)<\/table>/s.exec(given)?.[1] ?? '';
  expect(readable(steps(html))).toMatch(/Call answered.*Card number requested.*Card charged.*Returned to the agent/);
  expect(html).not.toContain('Steps of some calls');
  await database.query(
    `update calls set timeline = timeline || '[{"step": "ask saved_card", "at_ms": 1}]' where merchant_id = $1`,
    [merchant],
  );
  const other = (await dashboard.get('/test/overview')).html;
  expect(readable(steps(other))).not.toContain('Card number requested');
  expect(readable(other)).toMatch(/Steps of some calls.*Saved card offered.*Card number requested/);
});

/** The day so many days ago in the time zone. */
const day = (daysAgo: number) => dayIn(new Date(midnight(daysAgo)), ZONE) ?? '';

test('shows any days, compared with as many days before, and leads to their charges', async () => {
  const query = `from=${day(2)}&to=${day(1)}&zone=${encodeURIComponent(ZONE)}`;
  const shown = (await dashboard.get(`/test/overview?${query}`)).html;
  const text = readable(shown);
  expect(text).toContain('Net, USD $85.00');
  expect(text).toMatch(/ to .*, compared with the 2 days before: .* to .*\. Days in (Auckland|Honolulu)\./);
  expect(text).not.toMatch(/so far/i);
  expect(shown).toContain(`id="from" name="from" value="${day(2)}"`);
  expect(shown).toMatch(/<option[^>]*>Chosen days<\/option>/);
  const [all = ''] = [...shown.matchAll(/href="\/dashboard\/test(\/charges\?[^"]*counted_as=failed[^"]*)"/g)]
    .map(([, href = '']) => href.replaceAll('&amp;', '&'))
    .filter(
      (href) => href.includes(`from=${day(2)}`) && href.includes(`to=${day(1)}`) && !href.includes('decline_code'),
    );
  expect(await counted(all)).toBe(3);
});

test('compares one day with the day before', async () => {
  const query = `from=${day(1)}&to=${day(1)}&zone=${encodeURIComponent(ZONE)}`;
  const text = readable((await dashboard.get(`/test/overview?${query}`)).html);
  expect(text).toMatch(/ \d+ \w+, compared with the day before: \d+ \w+\. Days in /);
  expect(text).toContain(' than on the day before');
});

test('says at From and To what is wrong with the days, and shows no figures', async () => {
  const shown = async (query: string) => readable((await dashboard.get(`/test/overview?${query}`)).html);
  expect(await shown(`from=${day(1)}&to=${day(2)}`)).toContain('This must not be before the first day.');
  expect(await shown('from=2020-01-01')).toContain('Choose at most 92 days.');
  expect(await shown('from=2099-01-01')).toContain('This day is in the future.');
  expect(await shown('from=2099-01-01')).not.toContain('Success rate');
});
