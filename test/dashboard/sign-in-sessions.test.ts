/** Sessions of the dashboard: their end, idle time, roles, the demo, and forged requests. */
import type { FastifyInstance, InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { changeRole, removeUser } from '../../src/accounts/users/manage.ts';
import { endUserSession, findSessionByToken } from '../../src/accounts/users/sessions.ts';
import type { Database } from '../../src/db/pool.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { roleCovers } from '../../src/domain/user.ts';
import { markLocalRequests } from '../../src/http/api/plugins/local-requests.ts';
import { createServer } from '../../src/http/api/server.ts';
import { answerRefusals, RoleTooSmall } from '../../src/http/dashboard/sign-in/errors.ts';
import { csrfToken, refuseForgedRequests, takeForms } from '../../src/http/dashboard/sign-in/form-token.ts';
import { type RequireUserDeps, requireFreshUser, requireUser } from '../../src/http/dashboard/sign-in/require-user.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { DEMO_ACCOUNT, seedDemo } from '../../src/local/standalone/demo-data.ts';
import { createTestDatabase } from '../support/database.ts';
import { useFixture } from '../support/fixtures.ts';
import { auditOf, newAccount, newSession, signedInUser } from './users.ts';

const HOST = 'localhost:8080';

/** A dashboard with four routes. */
function dashboardOf(database: Database, deps: Partial<RequireUserDeps> = {}): FastifyInstance {
  const { app } = createServer({
    log: createLog({ level: 'silent', instance: 'test' }),
    docsUrl: 'https://docs.example.com',
    trustedProxies: [],
    checks: {},
  });
  markLocalRequests(app, { allowedHosts: null });
  app.register(
    (pages, _options, done) => {
      takeForms(pages);
      answerRefusals(pages, (refusal, _request, reply) => reply.code(refusal.status).send(refusal.words().text));
      requireUser(pages, { database, publicUrl: null, demoAccount: null, ...deps });
      refuseForgedRequests(pages);
      pages.get('/calls', async (request) => ({
        ...request.user,
        form_token: csrfToken(request),
        actor: request.actor,
      }));
      pages.get('/news', { config: { isBackground: true } }, async ({ user }) => user);
      pages.post('/refund', async ({ user }) => {
        if (!roleCovers(user.role, 'support')) throw new RoleTooSmall('support');
        return 'refunded';
      });
      pages.post('/live', async (request, reply) => (requireFreshUser(request, reply, 'live') ? 'done' : reply));
      done();
    },
    { prefix: '/dashboard' },
  );
  return app;
}

const site = useFixture(async () => {
  const { database, close } = await createTestDatabase();
  await seedDemo(database);
  const app = dashboardOf(database);
  const demo = dashboardOf(database, { demoAccount: DEMO_ACCOUNT });
  const visit = (options: InjectOptions) => app.inject({ ...options, headers: { host: HOST, ...options.headers } });
  return { database, app, demo, visit, close };
});

const get = (url: string, headers: Record<string, string> = {}) => site.visit({ method: 'GET', url, headers });

async function tokenOf(cookie: string): Promise<string> {
  return (await get('/dashboard/calls', { cookie })).json<{ form_token: string }>().form_token;
}

test('opens pages for the user of a session, with the current role', async () => {
  const { user, cookie, token } = await signedInUser(site.database, 'developer');
  const answer = await get('/dashboard/calls', { cookie: `other=1; ${cookie}` });
  expect(answer.json()).toMatchObject({
    userId: user.id,
    accountId: user.accountId,
    role: 'developer',
    email: user.email,
    isDemo: false,
    isIdle: false,
    actor: { kind: 'user', id: user.id },
  });
  expect(answer.body).not.toContain(token);
});

test('stores only the hash of a session token', async () => {
  const { token } = await signedInUser(site.database);
  const { rows } = await site.database.query('select row_to_json(s)::text as text from user_sessions s');
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('redirects a user without a session to the sign-in page, with the requested page', async () => {
  const answer = await get('/dashboard/calls?status=paid');
  expect([answer.statusCode, answer.headers.location]).toEqual([
    303,
    '/dashboard/sign-in?next=%2Fdashboard%2Fcalls%3Fstatus%3Dpaid',
  ]);
  const part = await get('/dashboard/news', {
    'hx-request': 'true',
    'hx-current-url': `http://${HOST}/dashboard/calls`,
  });
  expect([part.statusCode, part.headers['hx-redirect'], part.body]).toEqual([
    401,
    '/dashboard/sign-in?next=%2Fdashboard%2Fcalls',
    '',
  ]);
  const foreign = await get('/dashboard/news', { 'hx-request': 'true', 'hx-current-url': 'https://evil.example//x' });
  expect(foreign.headers['hx-redirect']).toBe('/dashboard/sign-in');
});

test.each(['', 'ringkey=', 'ringkey=x', `ringkey=${'A'.repeat(43)}`, `ringkey=${'A'.repeat(5_000)}`])(
  'opens no page for the cookie %.20s',
  async (cookie) => {
    expect((await get('/dashboard/calls', { cookie })).statusCode).toBe(303);
  },
);

test.each([
  ['older than 12 hours', `update user_sessions set expires_at = now() - interval '1 second' where user_id = $1`],
  ['that was ended', 'delete from user_sessions where user_id = $1'],
  ['of a removed user', 'update users set removed_at = now() where id = $1'],
])('opens no page for a session %s', async (_, change) => {
  const { user, cookie } = await signedInUser(site.database);
  await site.database.query(change, [user.id]);
  expect((await get('/dashboard/calls', { cookie })).statusCode).toBe(303);
});

test('ends a session after 12 hours, also if it is used', async () => {
  const { cookie, token } = await signedInUser(site.database);
  const before = await findSessionByToken(site.database, token);
  await get('/dashboard/calls', { cookie });
  const after = await findSessionByToken(site.database, token);
  expect(after?.expiresAt).toEqual(before?.expiresAt);
  expect(Math.round(((after?.expiresAt.getTime() ?? 0) - Date.now()) / 60_000)).toBe(12 * 60);
});

test('applies a changed role and a removed user from the next request', async () => {
  const owner = await signedInUser(site.database);
  const { user, cookie } = await signedInUser(site.database, 'support', owner.user.accountId);
  const formToken = await tokenOf(cookie);
  const refund = () =>
    site.visit({ method: 'POST', url: '/dashboard/refund', headers: { cookie, 'x-ringkey-form-token': formToken } });
  expect((await refund()).statusCode).toBe(200);
  const order = { accountId: user.accountId, userId: user.id };
  await changeRole(site.database, SYSTEM, { ...order, role: 'viewer' });
  const refused = await refund();
  expect([refused.statusCode, refused.body]).toEqual([
    403,
    'Only owners, developers and support can do this. Ask an owner to change your role.',
  ]);
  await removeUser(site.database, SYSTEM, order);
  expect((await get('/dashboard/calls', { cookie })).statusCode).toBe(303);
});

test('signs out of one session or of all', async () => {
  const { user, cookie, token } = await signedInUser(site.database);
  const [second, third] = [await newSession(site.database, user), await newSession(site.database, user)];
  const status = async (of: string) => (await get('/dashboard/calls', { cookie: of })).statusCode;
  const from = { source: '127.0.0.1', requestId: null };
  const session = await findSessionByToken(site.database, token);
  if (session === null) throw new Error('no session');
  await endUserSession(site.database, session, from, false);
  expect([await status(cookie), await status(second.cookie)]).toEqual([303, 200]);
  await endUserSession(site.database, session, from, true);
  expect([await status(second.cookie), await status(third.cookie)]).toEqual([303, 303]);
  const signedOut = (await auditOf(site.database, user)).filter((action) => action === 'user.signed_out by user');
  expect(signedOut).toHaveLength(2);
});

test('refuses changes in live mode after 15 idle minutes, also if a page was viewed since', async () => {
  const { user, cookie } = await signedInUser(site.database);
  const token = await tokenOf(cookie);
  const change = () =>
    site.visit({ method: 'POST', url: '/dashboard/live', headers: { cookie, 'x-ringkey-form-token': token } });
  const age = (minutes: number) =>
    site.database.query(
      `update user_sessions set last_active_at = now() - $2 * interval '1 minute' where user_id = $1`,
      [user.id, minutes],
    );
  await age(14);
  expect((await change()).statusCode).toBe(200);
  await age(14);
  // Background requests do not count as activity.
  await get('/dashboard/news', { cookie });
  const { lastActive } = (await get('/dashboard/news', { cookie })).json<{ lastActive: string }>();
  expect(Date.now() - Date.parse(lastActive)).toBeGreaterThan(13 * 60_000);
  await age(16);
  expect((await get('/dashboard/calls', { cookie })).json()).toMatchObject({ isIdle: true });
  const refused = await change();
  expect([refused.statusCode, refused.headers.location]).toEqual([303, '/dashboard/sign-in?again=1']);
});

test.each([
  ['no token', {}],
  ['the token of another session', { 'x-ringkey-form-token': 'other' }],
  ['the token, from another site', { 'x-ringkey-form-token': 'own', 'sec-fetch-site': 'cross-site' }],
  ['the token, from a sibling site', { 'x-ringkey-form-token': 'own', 'sec-fetch-site': 'same-site' }],
  ['the token, from another origin', { 'x-ringkey-form-token': 'own', origin: 'https://evil.example' }],
  ['the token, from an opaque origin', { 'x-ringkey-form-token': 'own', origin: 'null' }],
])('refuses a request with %s', async (_, headers: Record<string, string>) => {
  const { cookie, user } = await signedInUser(site.database);
  const tokens: Record<string, string> = {
    own: await tokenOf(cookie),
    other: await tokenOf((await newSession(site.database, user)).cookie),
  };
  const given = headers['x-ringkey-form-token'];
  const answer = await site.visit({
    method: 'POST',
    url: '/dashboard/refund',
    headers: { cookie, ...headers, ...(given && { 'x-ringkey-form-token': tokens[given] ?? '' }) },
  });
  expect([answer.statusCode, answer.body]).toEqual([403, expect.stringContaining('Nothing was changed.')]);
});

test('accepts the form token in a field', async () => {
  const { cookie } = await signedInUser(site.database);
  const answer = await site.visit({
    method: 'POST',
    url: '/dashboard/refund',
    headers: {
      cookie,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      origin: `http://${HOST}`,
    },
    payload: new URLSearchParams({ form_token: await tokenOf(cookie) }).toString(),
  });
  expect([answer.statusCode, answer.body]).toEqual([200, 'refunded']);
});

test('accepts over https only a cookie with the prefix __Host-', async () => {
  const { token } = await signedInUser(site.database);
  const app = dashboardOf(site.database, { publicUrl: 'https://pay.example.com' });
  const status = async (cookie: string) =>
    (await app.inject({ url: '/dashboard/calls', headers: { host: 'pay.example.com', cookie } })).statusCode;
  expect([await status(`ringkey=${token}`), await status(`__Host-ringkey=${token}`)]).toEqual([303, 200]);
});

const demoVisits: [string, InjectOptions, number][] = [
  ['this machine', {}, 200],
  ['this machine by IPv6', { headers: { host: '[::1]:8080' }, remoteAddress: '::1' }, 200],
  ['a foreign host name', { headers: { host: 'evil.example' } }, 303],
  ['a proxy', { headers: { 'x-forwarded-for': '203.0.113.7' } }, 303],
  ['a tunnel', { headers: { 'cf-connecting-ip': '203.0.113.7' } }, 303],
  ['another machine that claims to be localhost', { remoteAddress: '203.0.113.7' }, 303],
];
test.each(demoVisits)('decides whether to open the demo for %s', async (_, { headers, ...options }, status) => {
  const answer = await site.demo.inject({ url: '/dashboard/calls', ...options, headers: { host: HOST, ...headers } });
  expect(answer.statusCode).toBe(status);
  if (status !== 200) return;
  const role = { accountId: DEMO_ACCOUNT, role: 'owner', mode: 'test', isDemo: true };
  expect(answer.json()).toMatchObject({ ...role, actor: { kind: 'demo', id: null } });
});

test('opens a public demo only after a sign-in, and refuses the demo’s forms without their token', async () => {
  const open = dashboardOf(site.database, { demoAccount: DEMO_ACCOUNT, isPublicDemo: true });
  expect((await open.inject({ url: '/dashboard/calls', headers: { host: HOST } })).statusCode).toBe(303);
  const page = await site.demo.inject({ url: '/dashboard/calls', headers: { host: HOST } });
  const refund = (headers: Record<string, string>) =>
    site.demo.inject({ method: 'POST', url: '/dashboard/refund', headers: { host: HOST, ...headers } });
  expect((await refund({})).statusCode).toBe(403);
  const { form_token: token } = page.json<{ form_token: string }>();
  expect((await refund({ 'x-ringkey-form-token': token })).statusCode).toBe(200);
});

test('keeps the last owner of an account', async () => {
  const accountId = await newAccount(site.database);
  const { user: first } = await signedInUser(site.database, 'owner', accountId);
  const order = { accountId, userId: first.id };
  const demote = () => changeRole(site.database, SYSTEM, { ...order, role: 'viewer' });
  await expect(demote()).rejects.toMatchObject({ reason: 'last_owner' });
  await expect(removeUser(site.database, SYSTEM, order)).rejects.toMatchObject({ reason: 'last_owner' });
  const { user: second } = await signedInUser(site.database, 'owner', accountId);
  // If both are removed at once, one of them stays.
  const both = [first, second].map(({ id }) => removeUser(site.database, SYSTEM, { accountId, userId: id }));
  expect((await Promise.allSettled(both)).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('does not find users of another account', async () => {
  const { user } = await signedInUser(site.database, 'viewer');
  const accountId = await newAccount(site.database);
  const order = { accountId, userId: user.id };
  const refused = { reason: 'no_such_user' };
  await expect(removeUser(site.database, SYSTEM, order)).rejects.toMatchObject(refused);
  await expect(changeRole(site.database, SYSTEM, { ...order, role: 'owner' })).rejects.toMatchObject(refused);
});
