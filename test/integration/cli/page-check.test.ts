/** `ringkey page check` on an unchanged pay page, and on pages that a proxy has changed. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSquare } from '../../../src/payments/square/index.ts';
import { createStripe } from '../../../src/payments/stripe/index.ts';
import { startTestApi, type TestApi } from '../../contract/test-api.ts';
import { openTestPage, type TestPage } from '../../page/pages.ts';
import { runCommand } from '../../support/run-command.ts';

interface Changes {
  html?: (html: string) => string;
  policy?: (policy: string) => string;
  script?: (text: string) => string;
}

let api: TestApi;
let page: TestPage;
let proxy: Server;
let changes: Changes = {};
let proxied = '';

beforeAll(async () => {
  api = await startTestApi();
  page = await openTestPage(api.database);
  proxy = createServer(async (request, response) => {
    const answer = await fetch(api.url + request.url);
    const text = await answer.text();
    const isScript = request.url?.endsWith('.js') ?? false;
    const policy = answer.headers.get('content-security-policy') ?? '';
    response.setHeader('content-security-policy', (changes.policy ?? String)(policy));
    response.writeHead(answer.status).end((isScript ? changes.script : changes.html)?.(text) ?? text);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxied = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await api.close();
});

const check = (link: string) => runCommand(`page check ${link}`, {});

test('accepts a page that is served as it was built', async () => {
  const { code, out, err } = await check(api.url + page.longPath);
  expect(err).toBe('');
  expect(out).toMatch(/^\/pay\/assets\/[0-9a-f]{16}\/page\.js\n {2}Our own/);
  expect(code).toBe(0);
});

test.each<[string, Changes, string]>([
  [
    'a foreign script',
    { html: (text) => text.replace('</head>', '<script src="https://e.example/x.js"></script></head>') },
    'not one of our scripts',
  ],
  ['an inline script', { html: (text) => text.replace('</body>', '<script>steal()</script></body>') }, 'inline script'],
  ['a changed integrity value', { html: (text) => text.replace('sha384-', 'sha384-A') }, 'a different integrity value'],
  ['an inline handler', { html: (text) => text.replace('<main', '<main onclick="steal()"') }, 'inline handler'],
  ['a changed script', { script: (text) => `${text}steal();` }, 'different content'],
  [
    'a weaker policy',
    { policy: (text) => text.replace("script-src 'self'", "script-src 'self' https:") },
    'policy is not ours',
  ],
  ['no policy', { policy: () => '' }, 'policy is not ours'],
])('finds %s', async (_name, change, words) => {
  changes = change;
  const { code, err } = await check(proxied + page.path);
  changes = {};
  expect(err).toContain(words);
  expect(code).toBe(1);
});

test('reports a link that leads to no page', async () => {
  expect(await check(`${api.url}/p/wrong`)).toMatchObject({ code: 1, err: expect.stringContaining('returned 404') });
  expect(await check('http://127.0.0.1:1/p/x')).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be reached'),
  });
  expect(await check('pay')).toMatchObject({ code: 1, err: 'ringkey: the link must be a URL' });
});

test('has every script of the processors’ pages in the documentation', async () => {
  const text = await (await fetch(`${api.url}/docs/security`)).text();
  const pages = [createStripe(), createSquare()].flatMap(({ modes, page }) => modes.map((mode) => page(mode)));
  const urls = pages.flatMap((each) => each?.scripts.map(({ url }) => url) ?? []);
  expect(urls.length).toBeGreaterThan(3);
  for (const url of urls) expect(text).toContain(url);
});
