/** The OpenAPI document: valid, complete, with working examples, and sufficient to generate a typed client. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/contract/error-catalogue.ts';
import { errorEntry } from '../../src/contract/errors.ts';
import { parseId } from '../../src/domain/ids.ts';
import { collectOperations } from '../../src/http/api/reference/operation.ts';
import { DEMO_ACCOUNT, DEMO_DINER, DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { liveCall } from '../dashboard/objects.ts';
import { eventually } from '../support/checkouts.ts';
import { openDispute } from '../support/disputes.ts';
import { insertEndedCall } from '../support/ended-call.ts';
import { payOut } from '../support/payouts.ts';
import { giveUp } from '../support/seed-payments.ts';
import { lateCharge } from './late-charges.ts';
import { createCharge } from './refunds-api.ts';
import { startTestApi, type TestApi } from './test-api.ts';

interface OperationObject {
  operationId: string;
  responses: Record<string, { content: Record<string, { examples?: Record<string, unknown> }> }>;
  'x-codeSamples': { source: string }[];
}

interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, OperationObject>>;
}

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

let api: TestApi;
let document: Document;
beforeAll(async () => {
  api = await startTestApi({ demoKey: DEMO_KEY, logsRequests: true });
  document = (await (await fetch(`${api.url}/openapi.json`)).json()) as Document;
  await placeCall();
  await leavePending();
  // For the example that acknowledges a charge.
  await lateCharge(api);
  const { id: disputed } = await createCharge(api, 'visa');
  await openDispute(api.database, disputed);
  await payOut(api.database, disputed);
  // For those that set attention items aside.
  for (let made = 0; made < 3; made += 1) await lateCharge(api);
});
afterAll(() => api.close());

/** For the examples with a call, which REST cannot create, and with a request, which is logged with a delay. */
async function placeCall(): Promise<void> {
  const { checkout_session_id } = await api.checkout({ merchant_id: 'mer_demo_diner', amount_cents: 100 });
  const sessionId = parseId('CheckoutSession', checkout_session_id);
  if (sessionId === null) throw new Error('no session was opened');
  await insertEndedCall(api.database, { accountId: DEMO_ACCOUNT, mode: 'test', sessionId, merchantId: DEMO_DINER });
  await liveCall(api, sessionId, 'card_number');
  await api.get('/v1/account');
  await eventually(120_000, async () => {
    await api.requestLog.flush();
    const { rowCount } = await api.database.query('select from request_log');
    if (rowCount === 0) throw new Error('no request is logged yet');
  });
}

/** For the examples that settle a charge and a refund that have been pending for days. */
async function leavePending(): Promise<void> {
  const { id } = await createCharge(api, 'hangs_taken');
  // To capture, and to void.
  for (const card of ['visa', 'mastercard']) await createCharge(api, card, 'manual');
  const { id: charge } = await createCharge(api, 'refund_hangs');
  await api.post('/v1/refunds', { charge, amount_cents: 100 });
  const { body } = await api.get(`/v1/refunds?charge=${charge}`);
  for (const each of [id, ...(body.refunds as { refund_id: string }[]).map(({ refund_id }) => refund_id)]) {
    await giveUp(api.database, each);
  }
}

const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path));

test('is valid OpenAPI 3.1 for a published validator', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document) as never);
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('has a route for every operation, and rejects routes without one', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) {
      const route = { method: method.toUpperCase(), url: path.replace(/\{(\w+)\}/g, ':$1') };
      expect(api.app.hasRoute(route as never), `${method} ${path}`).toBe(true);
    }
  }
  expect(operations().length).toBeGreaterThan(25);
  const app = fastify();
  collectOperations(app);
  expect(() => app.get('/v1/secret', async () => null)).toThrow('GET /v1/secret does not describe itself');
});

test('names its server, and lists each error under its status', () => {
  expect(document.servers).toEqual([{ url: api.url }]);
  for (const { operationId, responses } of operations()) {
    for (const [status, { content }] of Object.entries(responses)) {
      for (const code of Object.keys(content['application/json']?.examples ?? {})) {
        expect(ERROR_CODES, operationId).toContain(code);
        // Said of the service, whatever the operation: not now.
        if (status === '503') expect(code).toBe('internal_error');
        else expect(errorEntry(code as never).status, `${operationId} ${code}`).toBe(Number(status));
      }
    }
    expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['401', '429', '500']));
  }
});

test('runs the curl command of each operation, with an answer that fits the reference', async () => {
  const answers: Record<string, string> = {};
  for (const { operationId, responses, 'x-codeSamples': samples } of operations()) {
    // A stream has no end that the command could wait for.
    if (responses['200']?.content['text/event-stream'] !== undefined) continue;
    const script = `${samples[0]?.source.replace(/curl -s/g, "curl -s --max-time 10 -w '\\n%{http_code}'")}`;
    const { stdout } = await run('sh', ['-eu', '-c', script]);
    const [, body = '', status = ''] = /^([\s\S]*)\n(\d{3})$/.exec(stdout) ?? [];
    const { error } = JSON.parse(body) as { error?: { code: string } };
    answers[operationId] = error?.code ?? status;
  }
  const expected = Object.keys(answers).map((id) => [id, '200']);
  expect(answers).toEqual(Object.fromEntries(expected));
});

const FLOW = `
import * as ringkey from './client.js';

const [baseUrl = '', key = ''] = process.argv.slice(2);
ringkey.defaults.baseUrl = baseUrl;
ringkey.defaults.headers = { authorization: \`Bearer \${key}\` };

const body = { merchant_id: 'mer_demo_diner', caller_phone: '+15550101234', order_id: 'order_1001', allow_repeat: true };
const opened = await ringkey.createCheckout(body);
if (opened.status !== 200) throw new Error(opened.data.error.message);
const { checkout_session_id, payment_required, default_card_id } = opened.data;

const charged = await ringkey.charge({ checkout_session_id, instrument_id: default_card_id ?? '' });
if (charged.status !== 200) throw new Error(charged.data.error.message);

const read = await ringkey.retrieveCheckoutSession(checkout_session_id);
if (read.status !== 200) throw new Error(read.data.error.message);

const unknown = await ringkey.retrieveCheckoutSession('cs_nobody');
// @ts-expect-error: the type says that an amount is a number
void ringkey.createCheckout({ ...body, amount_cents: '4250' }).catch(() => undefined);

console.log(JSON.stringify({
  verdict: payment_required,
  charged: charged.data.status,
  session: read.data.session_status,
  business: read.data.business_name,
  unknown: unknown.status === 404 ? unknown.data.error.code : null,
}));
`;

const bin = (path: string) => join(ROOT, 'node_modules', path);
const STRICT = '--ignoreConfig --strict --skipLibCheck --types node --module nodenext --target es2023'.split(' ');

test('generates a client that type-checks and completes the demo flow', async () => {
  // In the clone, so that it finds its packages; `dist` is not a source folder.
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, 'dist/client-'));
  const file = (name: string) => join(folder, name);
  try {
    await writeFile(file('openapi.json'), JSON.stringify(document));
    await run(process.execPath, [bin('oazapfts/dist/cli.js'), file('openapi.json'), file('client.ts')]);
    await writeFile(file('flow.ts'), FLOW);
    await writeFile(file('package.json'), '{"type": "module"}');
    const compiled = await run(process.execPath, [bin('typescript/bin/tsc'), ...STRICT, file('flow.ts')]).catch(
      (error: { stdout: string }) => error,
    );
    expect(compiled.stdout).toBe('');
    const { stdout } = await run(process.execPath, [file('flow.js'), api.url, DEMO_KEY]);
    expect(JSON.parse(stdout)).toEqual({
      verdict: 'required',
      charged: 'succeeded',
      session: 'complete',
      business: 'Demo Diner',
      unknown: 'session_not_found',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
