/** The pay page over HTTP against attackers: its headers, wrong links, hostile text, and what is logged and reported. */
import { describe, expect, test } from 'vitest';
import { RATE_LIMITS } from '../../src/http/api/rate-limiter.ts';
import { startTestApi } from '../contract/test-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { getPage, openTestPage, type PageAnswer, payOnPage, postForm, VISA } from './pages.ts';

const api = useFixture(() => startTestApi());

const open = (options?: Parameters<typeof openTestPage>[1]) => openTestPage(api.database, options);
const get = (path: string, headers?: Record<string, string>) => getPage(api.url + path, headers);

describe('GET', () => {
  test('changes nothing, and a link preview shows who is paid but not how much', async () => {
    const { path, sessionId } = await open();
    const { html, headers } = await get(path);
    const head = html.slice(0, html.indexOf('<style'));
    expect(head).toContain('<meta property="og:title" content="Demo Diner">');
    expect(head).toContain('<title>Pay Demo Diner</title>');
    expect(head).not.toContain('42.50');
    expect(head).toContain('noindex');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    const text = 'select opened_at as "openedAt" from pay_links where session_id = $1';
    expect((await api.database.query(text, [sessionId])).rows).toEqual([{ openedAt: null }]);
    const beacon = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } };
    expect((await fetch(`${api.url + path}/opened`, beacon)).status).toBe(204);
    expect((await api.database.query(text, [sessionId])).rows).toEqual([{ openedAt: expect.any(Date) }]);
  });

  test('cannot be cached or framed, and runs only its own scripts', async () => {
    const { path } = await open();
    const [{ headers, html }, again] = [await get(path), await get(path)];
    const policy = headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain(`script-src 'self' 'nonce-${nonce}';`);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(again.headers.get('content-security-policy')).not.toContain(nonce);
    expect([...html.matchAll(/<(?:script|style)[ >][^>]*/g)].every(([tag]) => tag.includes(nonce))).toBe(true);
    expect(html).not.toMatch(/ on\w+=| style=/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  test('sends HSTS over https', async () => {
    const proxied = await startTestApi({ trustedProxies: ['127.0.0.0/8'] });
    try {
      const { path } = await openTestPage(proxied.database);
      const { headers } = await getPage(proxied.url + path, { 'x-forwarded-proto': 'https' });
      expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
    } finally {
      await proxied.close();
    }
  });
});

describe('an invalid link', () => {
  test.each([
    ['an unknown code', '/p/abcdefghijkm'],
    ['an unknown long code', '/pay/abcdefghijkmnpqrstuvwxyz23'],
    ['a code of the wrong length', '/p/abcdefghijkmnpqrstuvwxyz23'],
    ['characters outside the alphabet', '/p/ABCDEFGHIJKL'],
    ['no code', '/p/'],
    ['more path segments', '/pay/abc/def/ghi'],
    ['a zero byte', '/p/abcdefghijk%00'],
    ['4,000 characters', `/p/${'a'.repeat(4_000)}`],
    ['a truncated escape', '/p/%e0%a4%a'],
    ['an invalid escape', '/pay/%zz?lang=en'],
  ])('returns 404 for %s', async (_name, path) => {
    const { status, html, headers } = await get(path);
    expect(status).toBe(404);
    expect(html).toContain('This link does not work');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).not.toContain('aaaa');
  });

  test('returns 404 for a short code at the long URL and the reverse', async () => {
    const { codes } = await open();
    expect((await get(`/pay/${codes.short}`)).status).toBe(404);
    expect((await get(`/p/${codes.long}`)).status).toBe(404);
  });

  test('is refused with 429 after ten from one address in a minute, while valid links still work from there', async () => {
    const limited = await startTestApi({ rateLimits: RATE_LIMITS, trustedProxies: ['127.0.0.0/8'] });
    try {
      const { path } = await openTestPage(limited.database);
      const from = (address: string) => ({ 'x-forwarded-for': address });
      const statuses: number[] = [];
      let last: PageAnswer | null = null;
      for (let guess = 0; guess < 12; guess += 1) {
        last = await getPage(`${limited.url}/p/abcdefghijkm`, from('198.51.100.9'));
        statuses.push(last.status);
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429]);
      expect(last?.html).toContain('Too many tries');
      expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
      const ready = await getPage(limited.url + path, from('198.51.100.9'));
      expect(ready).toMatchObject({ status: 200, state: 'ready' });
      const sent = { attempt: ready.attempt ?? '', ...VISA };
      const headers = { 'sec-fetch-site': 'same-origin', ...from('198.51.100.9') };
      const { status, headers: answered } = await postForm(limited.url + path, sent, headers);
      expect(status).toBe(303);
      const paid = await getPage(limited.url + (answered.get('location') ?? ''), from('198.51.100.9'));
      expect(paid).toMatchObject({ status: 200, state: 'paid' });
      expect((await getPage(limited.url + path, from('198.51.100.10'))).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe('hostile text', () => {
  const MARKUP = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`;

  test('is shown as plain text everywhere on the page', async () => {
    const { path } = await open({
      merchant: { businessName: `M${MARKUP}` },
      session: {
        orderId: `O${MARKUP}`,
        lineItems: [{ name: `I${MARKUP}`, quantity: 1, amountCents: 1 }],
        metadata: { note: `D${MARKUP}` },
        returnTo: 'https://shop.example.com/?q=%22%3E%3Cscript%3E',
      },
    });
    for (const address of [
      path,
      `${path}?lang=${encodeURIComponent(MARKUP)}&fix=${encodeURIComponent(MARKUP)}&notice=x`,
    ]) {
      const { html, status } = await get(address);
      expect(status).toBe(200);
      expect(html).not.toMatch(/<script>|<img|onerror=alert\(2\)>/);
      expect(html).toContain('O&lt;script&gt;');
    }
    const paid = await payOnPage(api.url + path);
    expect(paid.state).toBe('paid');
    expect(paid.html).not.toMatch(/<script>|<img/);
    expect(paid.html).toContain('href="https://shop.example.com/?q=%22%3E%3Cscript%3E"');
  });

  test.each([
    ['https://shop.example.com/done', 'test', 'shop.example.com'],
    ['http://shop.example.com:8080/', 'test', 'shop.example.com:8080'],
    ['https://bücher.example/', 'test', null],
    ['https://bank.example@evil.example/', 'test', null],
    ['sip:agent@example.com', 'test', null],
    ['+15550109999', 'test', null],
    ['javascript:alert(1)', 'test', null],
  ])('is not trusted as a link back: return_to %s', async (returnTo, _mode, host) => {
    const { path } = await open({ session: { returnTo } });
    const { html } = await payOnPage(api.url + path);
    expect(/Continue to ([^<]+)/.exec(html)?.[1] ?? null).toBe(host);
  });

  test('is no risk in a public demo, whose pages have no link back', async () => {
    const demo = await startTestApi({ isPublicDemo: true });
    try {
      const { path } = await openTestPage(demo.database, { session: { returnTo: 'https://shop.example.com/' } });
      expect((await payOnPage(demo.url + path)).html).not.toContain('shop.example.com');
    } finally {
      await demo.close();
    }
  });
});

test('accepts any CSP report of a browser', async () => {
  const report = (body: string, type = 'application/csp-report') =>
    fetch(`${api.url}/pay/csp-reports`, { method: 'POST', headers: { 'content-type': type }, body });
  const policy = { 'csp-report': { 'effective-directive': 'script-src-elem', 'blocked-uri': 'https://evil.example' } };
  expect((await report(JSON.stringify(policy))).status).toBe(204);
  expect((await report('{', 'text/plain')).status).toBe(204);
  expect((await report('x'.repeat(20_000))).status).toBe(400);
});

test('logs no pay link', async () => {
  const { codes, path } = await open();
  await payOnPage(api.url + path);
  const log = api.log.join('');
  expect(log).toContain('/p/:code');
  expect(log).not.toContain(codes.short);
  expect(log).not.toContain('4242424242424242');
});

test('shows an error page with a link back and no details after an internal error', async () => {
  const broken = await startTestApi({ pay: () => Promise.reject(new Error('select 4242 from nowhere')) });
  try {
    const { path } = await openTestPage(broken.database);
    const { attempt = '' } = await getPage(broken.url + path);
    const answer = await postForm(broken.url + path, { attempt, ...VISA });
    expect(answer.status).toBe(500);
    expect(answer.html).toContain('Something went wrong on our side');
    expect(answer.html).toContain(`href="${path}?lang=en"`);
    expect(answer.html).not.toContain('nowhere');
    expect(broken.log.join('')).toContain('select 4242 from nowhere');
  } finally {
    await broken.close();
  }
});
