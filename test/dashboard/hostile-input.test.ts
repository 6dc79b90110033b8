/** What strangers and users of small roles try: every form as a viewer, odd characters in every address and filter. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createServer } from '../../src/api/server.ts';
import { dashboardRoutes } from '../../src/dashboard/routes.ts';
import type { TestCall, TestCalls } from '../../src/dashboard/try-it/ports.ts';
import { createLog } from '../../src/observability/log.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { endedCall, paidCharge } from './objects.ts';

let hangUps = 0;
/** A call of the demo account that runs. */
const TEST_CALL: TestCall = {
  ...{ id: 'try_1', startedAt: new Date(), steps: [], state: 'running', ending: null, headers: {}, recording: null },
  order: { accountId: DEMO_ACCOUNT, script: 'silent', card: null, caller: '+15550101234' },
  checkout: {
    ...{ transferTo: 'sip:cs_1-token@127.0.0.1', sessionId: 'cs_1', merchantId: DEMO_DINER, businessName: 'Diner' },
    ...{ amountCents: 100, currency: 'USD', agentMessage: 'One moment.', returnTo: null },
  },
  hangUp: () => {
    hangUps += 1;
  },
  watch: () => () => undefined,
};
const testCalls: TestCalls = {
  place: async () => 'busy',
  find: (account, id) => (account === DEMO_ACCOUNT && id === TEST_CALL.id ? TEST_CALL : null),
};

const dashboard = useFixture(() => startDashboard({ testCalls }));
beforeEach(() => dashboard.as('owner'));

/** What `:id` is below each path: one object of the account. */
let ids: Record<string, string>;
beforeAll(async () => {
  const { api } = dashboard;
  const { charge, session } = await paidCharge(api);
  const call = await endedCall(api, session);
  const refund = await api.post('/v1/refunds', { charge, amount_cents: 100 });
  const event = (await api.get('/v1/events?limit=1')).body.events as { id: string }[];
  const key = await api.post('/v1/keys', { name: 'A key' });
  const endpoint = await api.post('/v1/webhook_endpoints', {
    ...{ url: 'https://hooks.example.com/', events: ['checkout.completed'] },
  });
  ids = {
    ...{ '/charges': charge, '/checkouts': session, '/calls': call, '/refunds': String(refund.body.refund_id) },
    ...{ '/events': event[0]?.id ?? '', '/setup/keys': String(key.body.key_id), '/setup/merchants': DEMO_DINER },
    ...{ '/setup/webhooks': String(endpoint.body.webhook_endpoint_id), '/try': TEST_CALL.id },
    ...{ '/setup/users': dashboard.user.user.id },
  };
});

/** Paths within the mode of all routes with a method. */
async function pathsOf(method: string): Promise<string[]> {
  const log = createLog({ level: 'silent', instance: 'test' });
  const { app } = createServer({ log, docsUrl: null, trustedProxies: [], checks: {} });
  const { database, progress } = dashboard.api;
  const paths: string[] = [];
  app.addHook('onRoute', (route) => {
    if (route.method === method && route.url.startsWith('/dashboard/test/')) paths.push(route.url.slice(15));
  });
  dashboardRoutes(app, { database, progress, testCalls, demoAccount: null, publicUrl: null, dashboardUrl: null });
  await app.ready();
  await app.close();
  return paths;
}

/** With `id` in place of the object's own, where given. */
function filled(path: string, id?: string): string {
  const [above = '', below] = path.split('/:id', 2);
  if (below === undefined) return path;
  return `${above}/${id ?? ids[above] ?? 'nothing'}${below}`;
}

test('a viewer’s form changes nothing, whichever it is', async () => {
  await dashboard.as('viewer');
  const paths = await pathsOf('POST');
  expect(paths.length).toBeGreaterThan(10);
  const answers = await Promise.all(
    paths.map(async (path) => [path, (await dashboard.submit('/test/calls', `/test${filled(path)}`)).status] as const),
  );
  expect(answers.filter(([, status]) => status !== 403 && status !== 404)).toEqual([]);
  expect(hangUps).toBe(0);
});

const ODD = ['%00', '%2e%2e', '%2E', '%2F', '%0D%0Ax', "'", '%25', '__proto__', '%F0%9F%92%B3'];
const isOfObject = (path: string) => path.includes('/:id');

test.each(ODD)('the id %s is no fault of the service', async (id) => {
  const [shown, sent] = await Promise.all([pathsOf('GET'), pathsOf('POST')]);
  const answers = [
    ...shown.filter(isOfObject).map((path) => dashboard.get(`/test${filled(path, id)}`)),
    ...sent.filter(isOfObject).map((path) => dashboard.submit('/test/calls', `/test${filled(path, id)}`)),
  ];
  for (const { status, html } of await Promise.all(answers)) expect(status, html).toBeLessThan(500);
});

const FILTERS = [
  ...['since', 'status', 'outcome', 'order_id', 'caller_phone', 'merchant_id', 'last_four', 'code', 'path', 'key_id'],
  ...['q', 'amount', 'type', 'action', 'object', 'trail', 'starting_after', 'notice', 'processor'],
  ...['platform_call_id', 'checkout_session_id', 'charge'],
];
const ODD_VALUES = ['%00', 'constructor', '__proto__', '%F0%9F%92%B3%0D%0A', '%FF'];

test.each(ODD_VALUES)('%s in a filter is no fault of the service', async (value) => {
  // A stream does not end by itself.
  const paths = (await pathsOf('GET')).filter((path) => path !== '/try/:id/events');
  for (const path of paths) {
    const answers = await Promise.all(
      FILTERS.map(async (name) => {
        const address = `/test${filled(path)}?${name}=${value}`;
        return [address, (await dashboard.get(address)).status] as const;
      }),
    );
    expect(answers.filter(([, status]) => status >= 500)).toEqual([]);
  }
});
