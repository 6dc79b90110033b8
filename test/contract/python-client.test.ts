/** The Python client library: its own tests, the first against the API, and its types. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { outcomeHeaders } from '../../src/domain/outcome.ts';
import { eventExample, SIP_SECRET, WEBHOOK_SECRET } from '../../src/http/docs/examples.ts';
import { codeOf } from '../../src/http/docs/pages.ts';
import { newSigningSecret, signatureHeaders } from '../../src/lib/http-client/signature.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { python, pythonTests } from '../support/python.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const PASSED = /\nRan \d+ tests in .*\n\nOK\n$/;

test('the Python client takes a payment and raises typed errors', async () => {
  expect(await pythonTests('test_client', { RINGKEY_URL: api.url, RINGKEY_KEY: DEMO_KEY })).toMatch(PASSED);
});

test('the tools for LiveKit and Pipecat create a checkout and transfer the caller', async () => {
  expect(await pythonTests('test_agents', { RINGKEY_URL: api.url, RINGKEY_KEY: DEMO_KEY })).toMatch(PASSED);
});

test('the Python client repeats requests only if that is safe', async () => {
  expect(await pythonTests('test_request')).toMatch(PASSED);
});

test('the Python client accepts our signatures and rejects all others', async () => {
  expect(await pythonTests('test_signatures', { RINGKEY_SIGNED: JSON.stringify(signed()) })).toMatch(PASSED);
});

/** A webhook and SIP headers as the product sends them now. */
function signed() {
  const [body, at] = [eventExample('checkout.completed', 'https://docs.example.com'), new Date()];
  const oldSecret = newSigningSecret();
  const [sessionId, chargeId] = [newId('CheckoutSession'), newId('Charge')];
  const sip = outcomeHeaders(
    {
      sessionId,
      amount: { amountCents: 4_250, currency: 'USD' },
      orderId: 'Büro 7',
      platformCallId: null,
      outcome: { kind: 'failed', reason: 'declined', chargeId, declineCode: 'insufficient_funds' },
    },
    SIP_SECRET,
    at,
  );
  return {
    webhook: {
      body,
      headers: signatureHeaders('evt_1', at, body, [WEBHOOK_SECRET, oldSecret]),
      secret: WEBHOOK_SECRET,
      old_secret: oldSecret,
    },
    sip: {
      headers: sip,
      secret: SIP_SECRET,
      outcome: {
        outcome: 'failed',
        checkout_session_id: sessionId,
        charge_id: chargeId,
        amount_cents: 4_250,
        currency: 'USD',
        order_id: 'Büro 7',
        decline_code: 'insufficient_funds',
        platform_call_id: null,
        reason: 'declined',
      },
    },
  };
}

test('the Python of the page about client libraries has no syntax errors', async () => {
  const names = ['payment-python', 'webhook-python', 'sip-python', 'livekit', 'pipecat'];
  const blocks = JSON.stringify(names.map((name) => codeOf('client-libraries', name)));
  const program =
    'import ast, json, sys\nfor block in json.loads(sys.argv[1]): compile(block, "page", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)';
  await expect(python(['-c', program, blocks])).resolves.toMatchObject({ stderr: '' });
});

test('the Python client has no type errors', async () => {
  const checked = await python(['-m', 'mypy', '--cache-dir=/dev/null', 'src/ringkey']).catch(
    (error: { stdout: string }) => error,
  );
  expect(checked.stdout).toMatch(/^Success: no issues found in \d+ source files\n$/);
});
