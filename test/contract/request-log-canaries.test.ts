/** Secrets that a client sends by mistake in any field, and secrets in answers: the request log stores none. */
import { expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { eventually } from '../support/checkouts.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi({ logsRequests: true }));
const LIMIT_MS = 120_000;
/** A password, which has no recognizable form. */
const CANARY = 'canary-Tr0mbone';
/** A code of an authenticator app. */
const CODE = '618033';

interface Schema {
  properties?: Record<string, Schema>;
  $ref?: string;
}

interface Documented {
  operationId: string;
  /** A file has no JSON. */
  requestBody?: { content: { 'application/json'?: { schema: Schema } } };
}

/** Every operation of the reference, with a matching path and the field names of its body. */
async function operations() {
  const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Documented>>;
    components: { schemas: Record<string, Schema> };
  };
  const read = ({ $ref, properties }: Schema): string[] =>
    $ref === undefined
      ? Object.keys(properties ?? {})
      : read(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, requestBody }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, 'we_nobody'),
      fields: requestBody === undefined ? [] : read(requestBody.content['application/json']?.schema ?? {}),
    })),
  );
}

/** An account of its own: what is kept of it is what this test has sent. */
async function strangersKey() {
  const accountId = newId('Account');
  await insertAccount(api.database, { id: accountId, name: 'Of a test' });
  const { text } = await issueKey(api.database, SYSTEM, { accountId, mode: 'test' }, { name: 'Of a test' });
  return { accountId, headers: bearer(text) };
}

/** Everything stored for the account, once this many requests are in the log. */
async function loggedOf(accountId: string, count: number): Promise<string> {
  return eventually(LIMIT_MS, async () => {
    await api.requestLog.flush();
    const { rows } = await api.database.query('select * from request_log where account_id = $1', [accountId]);
    expect(rows.length).toBeGreaterThanOrEqual(count);
    const audit = await api.database.query('select * from audit_events where account_id = $1', [accountId]);
    return JSON.stringify([rows, audit.rows, api.log]);
  });
}

test('does not store unknown fields, or secrets that a text names', { timeout: LIMIT_MS }, async () => {
  const { accountId, headers } = await strangersKey();
  const all = await operations();
  expect(all.length).toBeGreaterThan(30);
  let sent = 0;
  for (const { id, method, path, fields } of all) {
    const isRead = method === 'GET';
    const each = (value: unknown) => Object.fromEntries(fields.map((name) => [name, value]));
    const bodies = isRead
      ? [undefined]
      : [
          { login: CANARY, hunter: { of: [CANARY] }, six: Number(CODE), metadata: { otp: CODE, passcode: CANARY } },
          // Metadata takes any name: there a text is kept that says of itself nothing.
          { ...each({ inner: CANARY, six: CODE }), metadata: { note: `pin: ${CODE}`, deep: { of: CANARY } } },
          each([{ inner: CANARY }]),
          each(`My password is ${CANARY}, the verification code: ${CODE}`),
          [CANARY],
        ];
    for (const body of bodies) {
      const { status } = await api.send(
        method,
        `${path}?login=${CANARY}&six=${CODE}&password=${CANARY}`,
        body,
        headers,
      );
      expect(status, id).toBeLessThan(500);
      sent += 1;
    }
  }
  const logged = await loggedOf(accountId, sent);
  // It is the log of those requests.
  expect(logged).toContain('"hunter');
  for (const secret of [CANARY, CODE]) expect(logged.split(secret).length - 1, excerpt(logged, secret)).toBe(0);
});

test('does not store what an answer shows once', { timeout: LIMIT_MS }, async () => {
  const post = async (path: string, body: object) => (await api.post(path, body)).body;
  const key = await post('/v1/keys', { name: 'One more' });
  const overlap = { expires_in_seconds: 60 };
  const rolled = await post(`/v1/keys/${key.key_id}/roll`, overlap);
  const endpoint = await post('/v1/webhook_endpoints', {
    url: 'https://hooks.example.com/x',
    events: ['checkout.completed'],
  });
  const secret = await post(`/v1/webhook_endpoints/${endpoint.webhook_endpoint_id}/roll_secret`, overlap);
  const wanted = { merchant_id: DEMO_DINER, amount_cents: 4_250, caller_phone: '+15550107777' };
  const checkout = await api.checkout(wanted);
  const link = await post('/v1/send_link', { checkout_session_id: checkout.checkout_session_id });
  const [, token = ''] = /-([a-z0-9]{26})@/.exec(String(checkout.transfer_to)) ?? [];
  const shown = [key.key, rolled.key, endpoint.signing_secret, secret.signing_secret, token, wanted.caller_phone];
  shown.push(link.pay_url, link.short_url);
  for (const each of shown) expect(each).toMatch(/\S{12}/);
  const logged = await loggedOf(DEMO_ACCOUNT, 6);
  for (const each of shown) expect(logged, excerpt(logged, String(each))).not.toContain(String(each));
});

const excerpt = (logged: string, secret: string) =>
  logged.slice(Math.max(0, logged.indexOf(secret) - 300)).slice(0, 400);
