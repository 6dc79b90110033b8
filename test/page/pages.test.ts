/** The pay page over HTTP: its states, headers, wrong links, hostile text, and languages. */
import { describe, expect, test } from 'vitest';
import { RATE_LIMITS } from '../../src/http/api/rate-limiter.ts';
import { startTestApi } from '../contract/test-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { STATES } from './page-states.ts';
import {
  chargesOf,
  getPage,
  insertCharge,
  openPageOf,
  openTestPage,
  type PageAnswer,
  payOnPage,
  postForm,
  submitForm,
  VISA,
} from './pages.ts';

const api = useFixture(() => startTestApi());

const open = (options?: Parameters<typeof openTestPage>[1]) => openTestPage(api.database, options);
const get = (path: string, headers?: Record<string, string>) => getPage(api.url + path, headers);

describe('a page', () => {
  const sees = async (path: string, state: string, words: RegExp) => {
    const page = await get(path);
    expect(page).toMatchObject({ status: 200, state });
    expect(page.html).toMatch(words);
    return page;
  };

  test('shows the amount and the items if the session is ready to pay', async () => {
    const lineItems = [{ name: 'Pizza', quantity: 2, amountCents: 4_250 }];
    const { path } = await open({ session: { lineItems } });
    const { html } = await sees(path, 'ready', /Pay Demo Diner/);
    for (const words of [
      '$42.50',
      'A-1001',
      'phone number ending 34',
      'Pizza',
      '× 2',
      'You can pay until',
      'Test mode',
    ])
      expect(html).toContain(words);
  });

  test('shows that the session was paid by phone', async () => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'succeeded', source: 'phone' });
    const { html } = await sees(page.path, 'already_paid', /paid by phone/);
    expect(html).toContain('Visa ending 1111');
  });

  test('names the hold on its button, in the language of the page', async () => {
    const page = await open();
    await api.database.query(`update checkout_sessions set capture = 'manual' where id = $1`, [page.sessionId]);
    const { html } = await sees(page.path, 'ready', /Place a hold of \$42\.50/);
    expect(html).not.toMatch(/Pay \$42\.50|Pay Demo Diner/);
    expect(html).toContain('<title>Hold for Demo Diner</title>');
    await sees(`${page.path}?lang=fr`, 'ready', /Bloquer 42,50/);
  });

  test('shows the amount with its tip on the receipt', async () => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'succeeded', source: 'phone' });
    await api.database.query('update charges set amount_cents = 5015, tip_cents = 765 where session_id = $1', [
      page.sessionId,
    ]);
    await sees(page.path, 'already_paid', /\$50\.15.*Tip included.*\$7\.65/s);
  });

  test('names the bank account on the receipt of a debit, and no card', async () => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'succeeded', source: 'phone' });
    await api.database.query(
      `update charges set payment_method = 'us_bank_account', brand = null, last_four = '6789' where session_id = $1`,
      [page.sessionId],
    );
    const { html } = await sees(page.path, 'already_paid', /Bank account.*Account ending 6789/s);
    expect(html).not.toContain('Card ending');
  });

  test.each([
    ['en', /Business.*Demo Diner/s, 'Paid to'],
    ['de', /Unternehmen.*Demo Diner/s, 'Bezahlt an'],
  ])('does not call a hold paid on its receipt in %s', async (language, receipt, paid) => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'authorized', source: 'page' });
    const { html } = await sees(`${page.path}?lang=${language}`, 'paid', receipt);
    expect(html).not.toContain(paid);
  });

  test('shows what was captured of a hold, not what was held', async () => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'succeeded', source: 'page' });
    const capture = `update charges set capture = 'manual', captured_cents = 3000 where session_id = $1`;
    await api.database.query(capture, [page.sessionId]);
    const { html } = await sees(page.path, 'paid', /\$30\.00/);
    expect(html).not.toContain('$42.50');
  });

  test('is ready to pay after a card was declined on the phone', async () => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'failed', source: 'phone' });
    await api.database.query(`update charges set decline_code = 'incorrect_cvc' where session_id = $1`, [
      page.sessionId,
    ]);
    const { html } = await sees(page.path, 'ready', /Pay Demo Diner/);
    expect(html).not.toMatch(/id="form-errors"[^>]*autofocus|aria-invalid="true"/);
  });

  test('shows that a payment by phone or elsewhere is in progress', async () => {
    const [phone, own] = [await open(), await open()];
    await insertCharge(api.database, phone, { status: 'pending', source: 'phone' });
    await insertCharge(api.database, own, { status: 'pending', source: 'page' });
    await sees(phone.path, 'on_phone', /on your call is under way/);
    await sees(own.path, 'working', /do not pay again/);
  });

  test('asks not to pay here if the caller is paying by phone, before the charge exists', async () => {
    const paying = STATES.find(({ name }) => name === 'ready-paying-by-phone');
    const { html } = await get((await paying?.reach(api)) ?? '');
    const [words, amount] = [html.indexOf('Please do not pay here'), html.indexOf('class="amount"')];
    expect(html).toMatch(/<p id="live" class="live" aria-live="polite" data-stop>/);
    expect(words).toBeGreaterThan(0);
    expect(words).toBeLessThan(amount);
  });

  test('repeats the total of a long bill above the button', async () => {
    const lineItems = Array.from({ length: 4 }, (_, at) => ({ name: `Dish ${at}`, quantity: 1, amountCents: 1_000 }));
    const { html } = await sees((await open({ session: { lineItems } })).path, 'ready', /Dish 3/);
    expect(html).toMatch(/<p class="total"><span>Total<\/span><strong>\$42\.50<\/strong><\/p><button type="submit">/);
    const short = await open({ session: { lineItems: lineItems.slice(1) } });
    expect((await get(short.path)).html).not.toContain('class="total"');
  });

  test('shows a pending charge, even after the session has expired', async () => {
    const { path, sessionId } = await open();
    expect(await payOnPage(api.url + path, { ...VISA, number: '4000000000006702' })).toMatchObject({
      state: 'pending',
    });
    await api.database.query(`update checkout_sessions set expires_at = now() where id = $1`, [sessionId]);
    await sees(path, 'pending', /do not pay again/);
  });

  test('shows a charge that was not confirmed in time as pending, without promising a text', async () => {
    const { path, sessionId } = await open();
    const asking = { ...VISA, number: '4000000000003220' };
    expect(await payOnPage(api.url + path, asking)).toMatchObject({ state: 'action' });
    await api.database.query('update charges set action_deadline = now() where session_id = $1', [sessionId]);
    const { html } = await sees(path, 'pending', /do not pay again/);
    expect(html).not.toMatch(/text you/);
    expect(await submitForm(`${api.url + path}/action`, { answer: 'confirm' })).toMatchObject({ state: 'pending' });
    const event = `insert into events (id, account_id, mode, type, session_id, charge_id, facts)
                   select 'evt_' || id, account_id, mode, 'checkout.pending', session_id, id, '{}' from charges where session_id = $1`;
    await api.database.query(event, [sessionId]);
    expect((await sees(path, 'pending', /do not pay again/)).html).toMatch(/text you/);
  });

  test('shows that another session has paid the order', async () => {
    const { path, merchant } = await open();
    const other = await openPageOf(api.database, merchant);
    await payOnPage(api.url + path);
    await sees(other.path, 'already_paid', /This order is already paid/);
    expect((await get(other.path)).attempt).toBeUndefined();
  });

  test('shows refunds', async () => {
    const { path, sessionId } = await open();
    await payOnPage(api.url + path);
    await api.database.query('update charges set refunded_cents = 1000 where session_id = $1', [sessionId]);
    await sees(path, 'paid', /Refunded<\/dt><dd>\$10\.00/);
  });

  test('shows that a link has expired, has nothing to pay, or has no connected merchant', async () => {
    await sees((await open({ session: { ttlSeconds: -1 } })).path, 'expired', /Ask Demo Diner for a new link/);
    await sees((await open({ session: { verdict: 'none' } })).path, 'nothing_to_pay', /nothing to pay/);
    await sees((await open({ merchant: { processor: null } })).path, 'gone', /cannot be taken here/);
    await sees((await open({ merchant: { mode: 'live' } })).path, 'gone', /cannot be taken here/);
  });

  test('allows no more attempts after five declines', async () => {
    const { path, sessionId } = await open();
    const declining = { ...VISA, number: '4000000000000002' };
    for (let attempt = 0; attempt < 5; attempt += 1) await payOnPage(api.url + path, declining);
    const { attempt } = await sees(path, 'no_more_attempts', /No more attempts/);
    expect(attempt).toBeUndefined();
    expect(await chargesOf(api.database, sessionId)).toHaveLength(5);
  });
});

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

describe('the language of a page', () => {
  const headingIn = async (path: string, headers?: Record<string, string>) =>
    /<html lang="(\w+)">/.exec((await get(path, headers)).html)?.[1];

  test("is `?lang`, or else the session's, the merchant's or the browser's", async () => {
    const german = { 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' };
    const [english, french, dutch] = [
      await open(),
      await open({ merchant: { language: 'fr-CA' } }),
      await open({ merchant: { language: 'nl-NL' } }),
    ];
    expect(await headingIn(english.path, german)).toBe('en');
    expect(await headingIn(french.path, german)).toBe('fr');
    expect(await headingIn(`${french.path}?lang=es`, german)).toBe('es');
    const spanish = await open({ session: { language: 'es-MX' } });
    expect(await headingIn(spanish.path, german)).toBe('es');
    expect(await headingIn(`${spanish.path}?lang=fr`, german)).toBe('fr');
    expect(await headingIn(dutch.path, german)).toBe('de');
    expect(await headingIn('/p/abcdefghijkm', german)).toBe('de');
    expect(await headingIn('/p/abcdefghijkm', { 'accept-language': 'xx, *;q=0.1, en;q=zzz' })).toBe('en');
  });

  test('applies to amounts, errors and the page after the form', async () => {
    const { path } = await open({ merchant: { language: 'de-DE' } });
    expect((await get(path)).html).toContain('42,50 $');
    const { attempt = '' } = await get(`${path}?lang=fr`);
    const declined = await submitForm(`${api.url + path}?lang=fr`, { attempt, ...VISA, number: '4000000000009995' });
    expect(declined.html).toContain('<html lang="fr">');
    expect(declined.html).toContain('banque');
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
