/** The lists of webhook endpoints and of events: how deliveries go. */
import { beforeEach, expect, test } from 'vitest';
import { changeMerchants } from '../../src/accounts/users/manage.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import type { MerchantId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { until } from '../support/until.ts';
import { startDashboard } from './dashboard.ts';
import { deliveredEvents, paidCharge } from './objects.ts';

const dashboard = useFixture(startDashboard);
beforeEach(async () => {
  await dashboard.as('owner');
  // Those of the other test would get this one's events.
  await dashboard.api.database.query('update webhook_endpoints set deleted_at = now() where deleted_at is null');
});

const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The text of the row of a list that contains this text. */
async function rowOf(list: string, marked: string): Promise<string> {
  const { html } = await dashboard.get(list);
  const [, ...rows] = html.split('<tr');
  const row = rows.find((part) => part.includes(marked));
  return textOf(`<tr${row ?? ''}`.split('</tr>')[0] ?? '');
}

/** The names of a filter's choices. */
const optionsOf = (html: string, filter: string) => {
  const select = html.split(` name="${filter}">`)[1]?.split('</select>')[0] ?? '';
  return select
    .split('<option')
    .slice(1)
    .map((option) => textOf(`<option${option}`));
};

const START = '2026-03-01T12:00:00.000Z';

/** Two attempts long ago: a success, then the first failure at {@link START}. */
const logRun = (endpoint: string) =>
  dashboard.api.database.query(
    `insert into webhook_attempts (event_id, endpoint_id, attempt, sent_at, signature, latency_ms, status_code, failure, created_at)
     select 'evt_of_run', $1, 1, at, 'v1,SGVsbG8=', 5, case when failure is null then 200 else 503 end, failure, at
       from (values ($2::timestamptz - interval '1 hour', null), ($2::timestamptz, 'status')) run (at, failure)`,
    [endpoint, START],
  );

test('lists a failing endpoint as failing since its first failure, and the share of attempts of the last day', async () => {
  const { database } = dashboard.api;
  await paidCharge(dashboard.api);
  const [up = '', down = ''] = await deliveredEvents(dashboard.api, [
    { url: 'https://up.example.com/', status_code: 200, failure: null },
    { url: 'https://down.example.com/', status_code: 503, failure: 'status' },
  ]);
  await logRun(down);
  expect(await rowOf('/test/setup/webhooks', up)).toMatch(/^https:\/\/up\.example\.com\/ Enabled 100% of [1-9]\d* /);
  expect(await rowOf('/test/setup/webhooks', down)).toMatch(/^https:\/\/down\.example\.com\/ Enabled 0% of [1-9]\d* /);
  await database.query('update webhook_endpoints set failures = 2 where id = $1', [down]);
  expect(await rowOf('/test/setup/webhooks', down)).toContain('down.example.com/ Failing since 1 Mar');
  const { html } = await dashboard.get(`/test/setup/webhooks/${down}`);
  expect(html).toMatch(new RegExp(`Failing</span>.*since <time[^>]*dateTime="${START}"`, 'i'));
  await database.query('update webhook_endpoints set disabled_at = now() where id = $1', [down]);
  expect(await rowOf('/test/setup/webhooks', down)).toContain('down.example.com/ Disabled');
});

test('says in the list why the last attempt of a failing endpoint failed, and leads to its failed deliveries', async () => {
  const { database } = dashboard.api;
  await paidCharge(dashboard.api);
  const [up = '', down = ''] = await deliveredEvents(dashboard.api, [
    { url: 'https://up.example.com/', status_code: 200, failure: null },
    { url: 'https://down.example.com/hooks', status_code: 503, failure: 'status' },
  ]);
  const row = () => rowOf('/test/setup/webhooks', down);
  expect(await row()).not.toContain('503');
  await database.query('update webhook_endpoints set failures = 2 where id = $1', [down]);
  expect(await row()).toMatch(/Failing since [^:]*:\d\d Last attempt: status 503 Failed deliveries /);
  const { html } = await dashboard.get('/test/setup/webhooks');
  const [, href = '', name = ''] =
    /<a href="\/dashboard([^"]+)" aria-label="([^"]+)">Failed deliveries/.exec(html) ?? [];
  expect(name).toBe('Failed deliveries of down.example.com/hooks');
  const address = href.replaceAll('&amp;', '&');
  expect(address).toBe(`/test/events?delivery=failing&webhook_endpoint_id=${down}`);
  expect(await rowOf(address, 'Checkout succeeded')).toContain('Retrying');
  expect(await rowOf('/test/setup/webhooks', up)).not.toContain('Failed deliveries');
  // A later attempt, after which nothing is tried again.
  await database.query(
    `insert into webhook_attempts (event_id, endpoint_id, attempt, sent_at, signature, latency_ms, failure, failure_detail)
     select event_id, endpoint_id, 2, now(), 'v1,SGVsbG8=', 5, 'connection', 'certificate_expired'
       from webhook_deliveries where endpoint_id = $1`,
    [down],
  );
  await database.query(`update webhook_deliveries set status = 'failed' where endpoint_id = $1`, [down]);
  expect(await row()).toContain('Last attempt: certificate not valid (expired)');
  expect((await dashboard.get('/test/setup/webhooks')).html).toContain(
    `/test/events?delivery=failed&amp;webhook_endpoint_id=${down}"`,
  );
});

test('lists events with the worst state of their deliveries, without those to deleted endpoints', async () => {
  const { session } = await paidCharge(dashboard.api);
  const [, down = ''] = await deliveredEvents(dashboard.api, [
    { url: 'https://up.example.com/events', status_code: 200, failure: null },
    { url: 'https://down.example.com/events', status_code: null, failure: 'timeout' },
  ]);
  const list = `/test/events?checkout_session_id=${session}`;
  const row = () => rowOf(list, 'Checkout succeeded');
  // On a busy machine, the database can take too long for totals at first.
  const showsTotals = (totals: RegExp) =>
    until(120_000, async () => totals.test(textOf((await dashboard.get(`${list}&type=checkout.succeeded`)).html)));
  expect(await row()).toContain(`${session} Retrying `);
  // Its page, and that of the endpoint, use the same words.
  const { html } = await dashboard.get(`${list}&type=checkout.succeeded`);
  const event = /\/events\/evt_\w+/.exec(html)?.[0] ?? '';
  expect(await rowOf(`/test${event}`, 'down.example.com')).toContain('Retrying');
  expect(await rowOf(`/test/setup/webhooks/${down}`, event)).toContain('Retrying');
  await showsTotals(/ 1 event Retrying 1 Delivered 1 /);
  expect(optionsOf(html, 'delivery')).toEqual(['Any', 'Waiting', 'Retrying', 'Failed', 'Delivered', 'Canceled']);
  expect(await rowOf(`${list}&type=checkout.pending`, session)).not.toMatch(/Retrying|Delivered/);
  await dashboard.api.database.query(`update webhook_deliveries set status = 'failed' where endpoint_id = $1`, [down]);
  expect(await row()).toContain(`${session} Failed `);
  await dashboard.api.database.query('update webhook_endpoints set deleted_at = now() where id = $1', [down]);
  expect(await row()).toContain(`${session} Delivered `);
  // Endpoints belong to the account as a whole.
  await dashboard.as('support');
  const merchants = [DEMO_DINER as MerchantId];
  await changeMerchants(dashboard.api.database, SYSTEM, {
    accountId: DEMO_ACCOUNT,
    userId: dashboard.user.user.id,
    merchants,
  });
  expect(await row()).not.toContain('Delivered');
  await showsTotals(/ 1 event (?!Delivered)/);
  // Filters by them are not offered, and a link with one lists what the list has without it.
  const ofLink = `/events?checkout_session_id=${session}&delivery=failed&webhook_endpoint_id=${down}`;
  const { html: limited } = await dashboard.get(`/test${ofLink}`);
  expect(limited).not.toMatch(/name="(delivery|webhook_endpoint_id)"/);
  expect(limited).toContain(event);
  expect((await dashboard.get(`/test${ofLink.replace('?', '.csv?')}`)).html).toContain(event.replace('/events/', ''));
});
