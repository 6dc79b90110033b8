/** The packages of the client libraries: built from a copy, installed, and used with the running product. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf } from '../../src/http/docs/pages.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import { python } from '../support/python.ts';

const run = promisify(execFile);
const ROOT = new URL('../../', import.meta.url).pathname;
const PACKAGE_LIMIT_MS = 600_000;

let product: TestProduct;
let folder: string;
beforeAll(async () => {
  product = await startProduct();
  folder = await mkdtemp(join(tmpdir(), 'ringkey-clients-'));
  await cp(join(ROOT, 'src/clients'), folder, { recursive: true });
  // For the compiler and the types of Node.js.
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await product.close();
  await rm(folder, { recursive: true, force: true });
});

const NODE_FLOW = `
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Ringkey, RingkeyError, verifyWebhook, type CheckoutSession } from 'ringkey-client';

const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const ringkey = new Ringkey({ baseUrl, apiKey });

const receiver = createServer().listen(0, '127.0.0.1');
await once(receiver, 'listening');
const { port } = receiver.address() as AddressInfo;
const { signing_secret } = await ringkey.createWebhookEndpoint({
  url: \`http://127.0.0.1:\${port}/ringkey\`,
  events: ['checkout.completed'],
});
const delivery = once(receiver, 'request');

const caller = { merchant_id: 'mer_demo_diner', caller_phone: '+15550101234' };
const { checkout_session_id, default_card_id } = await ringkey.createCheckout({ ...caller, amount_cents: 500 });
await ringkey.charge({ checkout_session_id, instrument_id: default_card_id ?? '' });
const session: CheckoutSession = await ringkey.retrieveCheckoutSession(checkout_session_id);
// @ts-expect-error: an amount is a number
const wrong = await ringkey.createCheckout({ ...caller, amount_cents: '5' }).catch((error) => error);

const [request, response] = await delivery;
const event = verifyWebhook({ body: await text(request), headers: request.headers, secret: signing_secret });
response.writeHead(204).end();
receiver.close();
console.log(
  JSON.stringify({
    session: session.session_status,
    wrong: wrong instanceof RingkeyError && wrong.code,
    outcome: event.type === 'checkout.completed' && event.data.outcome,
  }),
);
`;
const STRICT = '--ignoreConfig --strict --types node --module nodenext --target es2023'.split(' ');

test('npm pack makes a package that installs without others, has types, takes a payment and verifies its webhook', async () => {
  const source = join(folder, 'node');
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source, timeout: PACKAGE_LIMIT_MS });
  const installed = join(folder, 'installed');
  await mkdir(installed);
  await writeFile(join(installed, 'package.json'), '{"type": "module"}');
  const quietly = ['--offline', '--no-audit', '--no-fund', '--silent'];
  await run('npm', ['install', ...quietly, '../ringkey-client-0.3.0.tgz'], { cwd: installed });
  await writeFile(join(installed, 'flow.ts'), NODE_FLOW);
  const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...STRICT, 'flow.ts'];
  const compiled = await run(process.execPath, tsc, { cwd: installed }).catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe('');
  const { stdout } = await run(process.execPath, ['flow.js', product.baseUrl, DEMO_KEY], { cwd: installed });
  expect(JSON.parse(stdout)).toEqual({ session: 'complete', wrong: 'invalid_value', outcome: 'succeeded' });

  await writeFile(join(installed, 'page.js'), codeOf('client-libraries', 'payment-node'));
  const env = { ...process.env, RINGKEY_URL: product.baseUrl, RINGKEY_KEY: DEMO_KEY };
  const shown = await run(process.execPath, ['page.js'], { cwd: installed, env });
  expect(shown.stdout).toMatch(/ sip:cs_\S+\nsucceeded\n$/);
});

test('python -m build makes a wheel and a source package, and the wheel takes a payment', async () => {
  const source = join(folder, 'python');
  await python(['-m', 'build', '--no-isolation', '--outdir', folder], { cwd: source });
  expect(await readdir(folder)).toEqual(
    expect.arrayContaining(['ringkey-0.3.0-py3-none-any.whl', 'ringkey-0.3.0.tar.gz']),
  );
  // Python reads packages from a wheel without unpacking it.
  const env = {
    PYTHONPATH: join(folder, 'ringkey-0.3.0-py3-none-any.whl'),
    RINGKEY_URL: product.baseUrl,
    RINGKEY_KEY: DEMO_KEY,
  };
  const shown = await python(['-c', codeOf('client-libraries', 'payment-python')], { cwd: folder, env });
  expect(shown.stdout).toMatch(/ sip:cs_\S+\nsucceeded\n$/);
});
