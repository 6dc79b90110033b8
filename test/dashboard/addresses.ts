/** A dashboard with one object of the demo account for each kind of page, and the paths of all pages and forms. */
import { newId } from '../../src/domain/ids.ts';
import { createServer } from '../../src/http/api/server.ts';
import { dashboardRoutes } from '../../src/http/dashboard/routes.ts';
import type { TestCall, TestCalls } from '../../src/http/dashboard/try-it/ports.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { NO_SPEECH, type TestApiOptions } from '../contract/test-api.ts';
import { openDispute } from '../support/disputes.ts';
import { payOut } from '../support/payouts.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { endedCall, paidCharge } from './objects.ts';

/** A running test call of the demo account. {@link startFilledDashboard} sets its checkout. */
export const runningTestCall = (): TestCall => ({
  id: 'try_1',
  startedAt: new Date(),
  steps: [],
  state: 'running',
  ending: null,
  headers: {},
  recording: null,
  order: { accountId: DEMO_ACCOUNT, script: 'silent', card: null, caller: '+15550101234', onceKey: 'one-form' },
  checkout: {
    transferTo: 'sip:cs_1-token@127.0.0.1',
    sessionId: 'cs_1',
    merchantId: DEMO_DINER,
    businessName: 'Diner',
    amountCents: 100,
    currency: 'USD',
    agentMessage: 'One moment.',
    returnTo: null,
  },
  hangUp: () => undefined,
  watch: () => () => undefined,
});

/** Knows one test call, and places no others. */
const testCallsOf = (call: TestCall): TestCalls => ({
  place: async () => 'busy',
  find: (account, id) => (account === DEMO_ACCOUNT && id === call.id ? call : null),
});

/** The value of `:id` by the path before it. */
export type ObjectIds = Readonly<Record<string, string>>;

/** A dashboard with one object of the demo account for each path with `:id`. */
interface FilledDashboard extends TestDashboard {
  ids: ObjectIds;
  /** The test call at `/try`. */
  testCall: TestCall;
  /** How often the test call was told to hang up. */
  hangUps(): number;
  /** The paths within the mode of all routes with this method. */
  pathsOf(method: 'GET' | 'POST'): readonly string[];
}

export async function startFilledDashboard(
  call = runningTestCall(),
  options: TestApiOptions = {},
): Promise<FilledDashboard> {
  let hangUps = 0;
  const testCall = {
    ...call,
    hangUp: () => {
      hangUps += 1;
    },
  };
  const dashboard = await startDashboard({ testCalls: testCallsOf(testCall), ...options });
  const ids = await objectsOfEachPath(dashboard, testCall);
  const paths = { GET: await pathsOf(dashboard, 'GET'), POST: await pathsOf(dashboard, 'POST') };
  return { ...dashboard, ids, testCall, hangUps: () => hangUps, pathsOf: (method) => paths[method] };
}

/** @param call the test call at `/try`, which gets the session of the paid charge */
async function objectsOfEachPath({ api, user }: TestDashboard, call: TestCall): Promise<ObjectIds> {
  const { charge, session } = await paidCharge(api);
  call.checkout.sessionId = session;
  const ended = await endedCall(api, session);
  const refund = await api.post('/v1/refunds', { charge, amount_cents: 100 });
  await openDispute(api.database, charge);
  await payOut(api.database, charge);
  const paidOut = (await api.get('/v1/payouts?limit=1')).body.payouts as { payout_id: string }[];
  const disputed = (await api.get('/v1/disputes?limit=1')).body.disputes as { dispute_id: string }[];
  const event = (await api.get('/v1/events?limit=1')).body.events as { id: string }[];
  const key = await api.post('/v1/keys', { name: 'A key' });
  const endpoint = await api.post('/v1/webhook_endpoints', {
    url: 'https://hooks.example.com/',
    events: ['checkout.completed'],
  });
  return {
    '/charges': charge,
    '/checkouts': session,
    '/calls': ended,
    '/refunds': String(refund.body.refund_id),
    '/payouts': paidOut[0]?.payout_id ?? '',
    '/disputes': disputed[0]?.dispute_id ?? '',
    '/events': event[0]?.id ?? '',
    '/setup/keys': String(key.body.key_id),
    '/setup/merchants': DEMO_DINER,
    '/setup/webhooks': String(endpoint.body.webhook_endpoint_id),
    '/setup/alerts': String((await api.post('/v1/alert_targets', { email: 'ops@example.com' })).body.alert_target_id),
    '/attention': await attentionItem(api, charge),
    '/try': call.id,
    '/views': await savedView(api),
    '/setup/users': user.user.id,
  };
}

/** Shared in the account. */
async function savedView({ database }: TestDashboard['api']): Promise<string> {
  const id = newId('SavedView');
  await database.query(
    `insert into saved_views (id, account_id, mode, list, query, name)
     values ($1, $2, 'test', '/charges', 'status=succeeded', 'Paid')`,
    [id, DEMO_ACCOUNT],
  );
  return id;
}

async function attentionItem({ database }: TestDashboard['api'], charge: string): Promise<string> {
  const id = newId('AttentionItem');
  await database.query(
    `insert into attention_items (id, kind, account_id, mode, subject) values ($1, 'charge_to_settle', $2, 'test', $3)`,
    [id, DEMO_ACCOUNT, charge],
  );
  return id;
}

async function pathsOf({ api: { database, progress } }: TestDashboard, method: string): Promise<string[]> {
  const log = createLog({ level: 'silent', instance: 'test' });
  const { app } = createServer({ log, docsUrl: null, trustedProxies: [], checks: {} });
  const paths: string[] = [];
  app.addHook('onRoute', (route) => {
    if (route.method === method && route.url.startsWith('/dashboard/test/')) paths.push(route.url.slice(15));
  });
  const testCalls = testCallsOf(runningTestCall());
  const none = { demoAccount: null, publicUrl: null, dashboardUrl: null, vault: null };
  const pay = () => Promise.reject(new Error('no page is opened'));
  const fixed = { ...none, processors: [], pay, speech: NO_SPEECH, now: () => new Date() };
  dashboardRoutes(app, { ...fixed, database, progress, testCalls });
  await app.ready();
  await app.close();
  return paths;
}

/** Replaces `:id` in the path, if there is one. */
export function filledPath(path: string, ids: ObjectIds): string {
  const [above = '', below] = path.split('/:id', 2);
  return below === undefined ? path : `${above}/${ids[above] ?? 'nothing'}${below}`;
}

/** Whether the response is a stream, which lasts as long as the client reads. */
export const isStream = (path: string): boolean => path.endsWith('/events') && path !== '/events';
