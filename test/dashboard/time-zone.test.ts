/** Times and days of the dashboard belong to the account's time zone, in which most of its merchants are. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { changeMerchants } from '../../src/accounts/users/manage.ts';
import { seedMerchant } from '../../src/db/merchants/merchant-records.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { type MerchantId, newId } from '../../src/domain/ids.ts';
import { MERCHANT_DEFAULTS } from '../../src/domain/merchant.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { createTestMerchant, type TestMerchant } from '../support/test-merchants.ts';
import { startDashboard } from './dashboard.ts';
import { newAccount } from './users.ts';

const dashboard = useFixture(startDashboard);
let account: TestMerchant;
let london: MerchantId;

beforeAll(async () => {
  const { database } = dashboard.api;
  account = await createTestMerchant(database);
  const { accountId, mode, merchantId } = account;
  const add = async (slug: string, timeZone: string) => {
    const id = newId('Merchant');
    const names = { slug, businessName: slug };
    const merchant = { ...MERCHANT_DEFAULTS, id, accountId, mode, ...names, timeZone, processor: 'sandbox' };
    await seedMerchant(database, merchant, []);
    return id;
  };
  await database.query(`update merchants set time_zone = 'America/New_York' where id = $1`, [merchantId]);
  await add('albany', 'America/New_York');
  london = await add('london', 'Europe/London');
  // On two days in New York, on one in London. The later hour repeats, because clocks go back.
  for (const at of ['2026-11-01T03:30:00Z', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'])
    await seedPayment(database, { accountId, mode }, { merchant: merchantId, at, status: 'succeeded' });
  await seedPayment(
    database,
    { accountId, mode },
    { merchant: london, at: '2026-07-01T12:00:00Z', status: 'succeeded' },
  );
});
beforeEach(() => dashboard.as('viewer', account.accountId));

const page = async (path: string) => (await dashboard.get(path)).html;
const zonesIn = (html: string) => new Set([...html.matchAll(/data-zone[^>]*>([^<]+)</g)].map(([, name]) => name));
const timesIn = (html: string) =>
  [...html.matchAll(/<time [^>]*title="([^"]+)"[^>]*>([^<]+)</g)].map(([, title, text]) => `${text} | ${title}`);
const rowsOf = async (path: string) => (await page(path)).trim().split('\n').length - 1;

test('shows and names times in the zone that most merchants have', async () => {
  const html = await page('/test/charges');
  expect([...zonesIn(html)]).toEqual([expect.stringMatching(/^America\/New York \(GMT-[45]\)$/)]);
  expect(timesIn(html)).toEqual([
    '1 Nov, 01:30 | 1 Nov 2026, 01:30:00 GMT-5',
    '1 Nov, 01:30 | 1 Nov 2026, 01:30:00 GMT-4',
    '31 Oct, 23:30 | 31 Oct 2026, 23:30:00 GMT-4',
    '1 Jul, 08:00 | 1 Jul 2026, 08:00:00 GMT-4',
  ]);
});

test('shows times in the zone of a chosen merchant', async () => {
  const html = await page(`/test/charges?merchant_id=${london}`);
  expect([...zonesIn(html)]).toEqual([expect.stringMatching(/^Europe\/London/)]);
  expect(timesIn(html)).toEqual(['1 Jul, 13:00 | 1 Jul 2026, 13:00:00 GMT+1']);
});

test('counts days without a zone in the account’s, in lists and files', async () => {
  const html = await page('/test/charges?from=2026-10-31&to=2026-10-31');
  expect(html).toContain('2026-10-31, days in America/New York');
  expect(timesIn(html)).toHaveLength(1);
  expect(html).toMatch(/<input id="filter-zone" type="hidden" name="zone" value="America\/New_York"/);
  expect(await rowsOf('/test/charges.csv?from=2026-10-31&to=2026-10-31')).toBe(1);
  expect(await rowsOf('/test/charges.csv?from=2026-10-31&to=2026-10-31&zone=UTC')).toBe(0);
});

test('says at the field what is wrong with the days, in each language, and shows no list', async () => {
  const reversed = 'from=2026-11-02&to=2026-11-01';
  const texts = {
    en: ['This must not be before the first day.', '“To”: '],
    es: ['No puede ser anterior al primer día.', '«Hasta»: '],
    fr: ['Cette date ne peut pas précéder le premier jour.', '«\u202fAu\u202f»\u202f: '],
    de: ['Darf nicht vor dem ersten Tag liegen.', '„Bis“: '],
  };
  for (const [tag, [fault = '', label = '']] of Object.entries(texts)) {
    const inLanguage = { 'accept-language': tag };
    const { html, status } = await dashboard.get(`/test/charges?${reversed}`, inLanguage);
    expect(status).toBe(200);
    expect(html).toMatch(new RegExp(`id="filter-to-fault">${fault}<`));
    expect(html).toMatch(/id="filter-from-fault"><\/p>/);
    expect(html).toContain(`role="alert"><strong>${label}${fault}</strong>`);
    expect(html).toContain('data-count="0"');
    expect(html).not.toMatch(/<table|class="empty"|id="save-view"/);
    const file = await dashboard.get(`/test/charges.csv?${reversed}`, inLanguage);
    expect(file.status).toBe(400);
    expect(file.html).toContain(label + fault);
  }
  expect(await page('/test/charges?from=2026-11-01&zone=Mars/Olympus')).toContain(
    'The time zone of these days is unknown.',
  );
  // Lists without days ignore them.
  expect(await page('/test/charges?since=30d')).not.toContain('role="alert"');
});

test('shows times in the zone of the days in the address', async () => {
  const html = await page('/test/charges?from=2026-11-01&to=2026-11-01&zone=Pacific/Auckland');
  expect([...zonesIn(html)]).toEqual([expect.stringMatching(/^Pacific\/Auckland/)]);
  expect(timesIn(html)).toEqual([
    '1 Nov, 19:30 | 1 Nov 2026, 19:30:00 GMT+13',
    '1 Nov, 18:30 | 1 Nov 2026, 18:30:00 GMT+13',
    '1 Nov, 16:30 | 1 Nov 2026, 16:30:00 GMT+13',
  ]);
  // A zone without days, or an unknown one, is none.
  for (const search of ['zone=Pacific/Auckland', 'from=2026-11-01&zone=Mars/Olympus'])
    expect([...zonesIn(await page(`/test/charges?${search}`))]).toEqual([expect.stringMatching(/^America\/New York/)]);
});

test('shows times in the zone of the merchants of a limited user', async () => {
  const { id: userId, accountId } = dashboard.user.user;
  await changeMerchants(dashboard.api.database, SYSTEM, { accountId, userId, merchants: [london] });
  expect([...zonesIn(await page('/test/charges'))]).toEqual([expect.stringMatching(/^Europe\/London/)]);
});

test('names the zone of the other mode’s merchants if this mode has none, and UTC without merchants', async () => {
  expect([...zonesIn(await page('/live/charges'))]).toEqual([expect.stringMatching(/^America\/New York/)]);
  await dashboard.as('viewer', await newAccount(dashboard.api.database));
  expect([...zonesIn(await page('/test/charges'))]).toEqual(['UTC']);
});
