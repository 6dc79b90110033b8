/** Hostile requests: every form as a viewer, and odd characters in every path and filter. */
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../support/fixtures.ts';
import { filledPath, isStream, startFilledDashboard } from './addresses.ts';

const dashboard = useFixture(() => startFilledDashboard());
beforeEach(() => dashboard.as('owner'));

/** Without the streams, which never end. */
const pagesAndFiles = () => dashboard.pathsOf('GET').filter((path) => !isStream(path));

/** Puts an ID into the path: `id`, or an existing object's. */
const filled = (path: string, id?: string) =>
  id === undefined ? filledPath(path, dashboard.ids) : path.replace('/:id', () => `/${id}`);

test('refuses every form of a viewer, except those of the own sign-in, alerts and saved views', async () => {
  await dashboard.as('viewer');
  const isOwn = (path: string) => path.startsWith('/your-') || path.endsWith('/views');
  const paths = dashboard.pathsOf('POST').filter((path) => !isOwn(path));
  expect(paths.length).toBeGreaterThan(10);
  const answers = await Promise.all(
    paths.map(async (path) => [path, (await dashboard.submit('/test/calls', `/test${filled(path)}`)).status] as const),
  );
  expect(answers.filter(([, status]) => status !== 403 && status !== 404)).toEqual([]);
  expect(dashboard.hangUps()).toBe(0);
});

const ODD = ['%00', '%2e%2e', '%2E', '%2F', '%0D%0Ax', "'", '%25', '__proto__', '%F0%9F%92%B3'];
const isOfObject = (path: string) => path.includes('/:id');

test.each(ODD)('causes no server error for the ID %s', async (id) => {
  const [shown, sent] = [dashboard.pathsOf('GET'), dashboard.pathsOf('POST')];
  const answers = [
    ...shown.filter(isOfObject).map((path) => dashboard.get(`/test${filled(path, id)}`)),
    ...sent.filter(isOfObject).map((path) => dashboard.submit('/test/calls', `/test${filled(path, id)}`)),
  ];
  for (const { status, html } of await Promise.all(answers)) expect(status, html).toBeLessThan(500);
});

const FILTERS = [
  'since',
  'zone',
  'days',
  'counted_as',
  'decline_code',
  'status',
  'outcome',
  'reached',
  'order_id',
  'caller_phone',
  'merchant_id',
  'last_four',
  'code',
  'path',
  'key_id',
  'q',
  'amount',
  'type',
  'action',
  'object',
  'trail',
  'starting_after',
  'notice',
  'processor',
  'platform_call_id',
  'checkout_session_id',
  'charge',
];
/** Parameters that the page uses are tried one by one, because the first wrong one may hide the others; the rest together. */
function queriesOf(html: string): string[][] {
  const isNamed = (name: string) => html.includes(`name="${name}"`) || new RegExp(`[?&;]${name}=`).test(html);
  return [...FILTERS.filter(isNamed).map((name) => [name]), FILTERS.filter((name) => !isNamed(name))];
}
const ODD_VALUES = ['%00', 'constructor', '__proto__', '%F0%9F%92%B3%0D%0A', '%FF'];

test.each(ODD_VALUES)('causes no server error for the filter value %s', async (value) => {
  for (const path of pagesAndFiles()) {
    const address = `/test${filled(path)}`;
    const queries = queriesOf((await dashboard.get(address)).html).map((names) =>
      names.map((name) => `${name}=${value}`).join('&'),
    );
    const answers = await Promise.all(
      queries.map(async (query) => [query, (await dashboard.get(`${address}?${query}`)).status] as const),
    );
    expect(
      answers.filter(([, status]) => status >= 500),
      address,
    ).toEqual([]);
  }
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'shows no notice on any page for ?notice=%s',
  async (notice) => {
    const paths = pagesAndFiles();
    expect(paths.length).toBeGreaterThan(10);
    const noticesOf = async (path: string) => {
      const { html } = await dashboard.get(`/test${filled(path)}?notice=${notice}`);
      return [...html.matchAll(/<div class="notice good"[^>]*>.*?<\/div>/gs)].map(([text]) => `${path}: ${text}`);
    };
    expect((await Promise.all(paths.map(noticesOf))).flat()).toEqual([]);
  },
);

test('shows the notice for ?notice=changed', async () => {
  const { html } = await dashboard.get(`/test${filled('/setup/webhooks/:id')}?notice=changed`);
  expect(html).toContain('<div class="notice good" role="status"><strong>Saved</strong>');
});

test.each([
  '4242 4242 4242 4242',
  '4242424242424242',
  '(4242) 4242·4242%204242',
  'four two four two '.repeat(4).trim(),
  'cvv 123',
])('refuses the search for %s on every page, and repeats it nowhere', async (card) => {
  const address = (path: string, name: string) => `/test${filled(path)}?${new URLSearchParams({ [name]: card })}`;
  const tried = [
    ...pagesAndFiles().map((path) => address(path, 'find_merchant')),
    ...['q', 'order_id', 'number', 'unknown'].map((name) => address('/search', name)),
  ];
  for (const path of tried) {
    const { status, headers, html } = await dashboard.get(path);
    expect([path, status]).toEqual([path, 400]);
    expect([html, headers.get('location')].join()).not.toContain(card);
  }
  expect((await dashboard.get(address('/search', 'q'))).html).toContain('Search for the last four digits of the card.');
  const form = '/test/setup/alerts/new';
  const { status, html } = await dashboard.submit(form, form, { find_merchants: card, search_merchants: 'on' });
  expect(status).toBe(400);
  expect(html).not.toContain(card);
});
