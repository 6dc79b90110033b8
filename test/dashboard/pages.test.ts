/** The dashboard's pages over HTTP: what they show, which requests they refuse, and that everything goes through REST. */
import { beforeEach, describe, expect, test } from 'vitest';
import { askApi, principalInProcess } from '../../src/http/api/in-process.ts';
import { csvCell } from '../../src/http/dashboard/list/csv.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { FORM_TOKEN, startDashboard } from './dashboard.ts';
import { newAccount } from './users.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('owner'));

/** Refunds part of a new charge. */
async function makeRefund(metadata: Record<string, string> = {}): Promise<string> {
  const { api } = dashboard;
  const { checkout_session_id } = await api.checkout({
    merchant_id: 'mer_demo_diner',
    amount_cents: 4_000,
    caller_phone: '+15550101234',
    allow_repeat: true,
  });
  const charged = await api.post('/v1/charge', { checkout_session_id, instrument_id: 'card_demo_visa' });
  const refund = await api.post('/v1/refunds', { charge: charged.body.charge_id, amount_cents: 1_000, metadata });
  expect(refund.status, refund.text).toBe(200);
  return String(refund.body.refund_id);
}

async function newestEvent(): Promise<{ id: string; type: string }> {
  const { body } = await dashboard.api.get('/v1/events?limit=1');
  const [event] = body.events as { id: string; type: string }[];
  if (event === undefined) throw new Error('there are no events');
  return event;
}

describe('the dashboard', () => {
  test.each(['test', 'live'])('shows the account’s name and the mode on every page: %s', async (mode) => {
    const { database } = dashboard.api;
    for (const name of ['Corner Bakery', '<b>Corner</b> & Sons']) {
      const account = await newAccount(database);
      await database.query('update accounts set name = $2 where id = $1', [account, name]);
      await dashboard.as('viewer', account);
      const { html } = await dashboard.get(`/${mode}/calls`);
      const shown = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      expect(/<span class="account" title="[^"]*">(.*?)<\/span>/.exec(html)?.[1]).toBe(shown);
      expect(html).toContain(`<p class="strip ${mode}">`);
      expect(html.match(/aria-current="true">(\w+)</)?.[1]?.toLowerCase()).toBe(mode);
    }
  });

  test('shows a refund in the list and on its own page', async () => {
    const id = await makeRefund({ ticket: '4711' });
    const list = await dashboard.get('/test/refunds');
    expect(list.status).toBe(200);
    expect(list.html).toContain(`href="/dashboard/test/refunds/${id}"`);
    expect(list.html).toContain('$10.00');
    const page = await dashboard.get(`/test/refunds/${id}`);
    expect(page.html).toMatch(/<h1>.*\$10\.00.*Succeeded.*<\/h1>/);
    expect(page.html).toContain('4711');
  });

  test('shows an event with the body that endpoints receive, and resends it', async () => {
    await makeRefund();
    const event = await newestEvent();
    const path = `/test/events/${event.id}`;
    const page = await dashboard.get(path);
    expect(page.html).toContain('refund.succeeded');
    const sent = await dashboard.submit(path, `${path}/resend`, { attempt: 'once' });
    expect(sent.status).toBe(303);
    expect(sent.headers.get('location')).toBe(`/dashboard${path}?notice=resent`);
    expect((await dashboard.get(`${path}?notice=resent`)).html).toContain('The event is being resent');
  });

  test('pages through a list in both directions', async () => {
    for (let made = 0; made < 21; made += 1) await makeRefund();
    const first = await dashboard.get('/test/refunds');
    const older = /href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&');
    expect(first.html).not.toContain('rel="prev"');
    const second = await dashboard.get(String(older).replace('/dashboard', ''));
    expect(second.html).toContain('href="/dashboard/test/refunds" rel="prev"');
    const shown = (html: string) => [...html.matchAll(/class="row-link" href="([^"]+)"/g)].map(([, href]) => href);
    expect(shown(first.html)).toHaveLength(20);
    expect(shown(first.html).filter((href) => shown(second.html).includes(href))).toEqual([]);
  });

  test('exports every row of a list as CSV', async () => {
    const id = await makeRefund();
    const { headers, html: csv } = await dashboard.get('/test/refunds.csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.split('\r\n')[0]).toMatch(/^refund_id,created_at,status,amount_cents/);
    expect(csv).toContain(`${id},`);
  });

  /** The rows of a CSV file whose cells contain no commas or line breaks. */
  function rowsOf(csv: string): Record<string, string>[] {
    const [head = '', ...lines] = csv.trimEnd().split('\r\n');
    return lines.map((line) =>
      Object.fromEntries(head.split(',').map((name, at) => [name, line.split(',')[at] ?? ''])),
    );
  }

  test('exports events with their objects, limited by the filters', async () => {
    const id = await makeRefund();
    const { headers, html: csv } = await dashboard.get('/test/events.csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = rowsOf(csv);
    expect(rows.find((row) => row['data.refund.refund_id'] === id)).toMatchObject({
      type: 'refund.succeeded',
      'data.refund.amount_cents': '1000',
      'data.refund.status': 'succeeded',
      'data.checkout_session.amount_cents': '4000',
    });
    const paid = rows.find(({ type }) => type === 'checkout.succeeded');
    expect(paid).toMatchObject({
      'data.charge.status': 'succeeded',
      'data.checkout_session.session_status': 'complete',
      'data.checkout_session.merchant_id': 'mer_demo_diner',
    });
    for (const name of ['id', 'created_at', 'sequence', 'data.charge.charge_id', 'data.checkout_session.currency'])
      expect(paid?.[name], name).toMatch(/./);
    const filtered = rowsOf((await dashboard.get('/test/events.csv?type=refund.succeeded')).html);
    expect(new Set(filtered.map(({ type }) => type))).toEqual(new Set(['refund.succeeded']));
    expect((await dashboard.get('/test/events.csv?type=nothing')).status).toBe(400);
  });

  test('exports the audit trail with changes as JSON, and without formulas', async () => {
    const { api } = dashboard;
    const name = '=HYPERLINK("https://evil.example")';
    const made = await api.post('/v1/merchants', { business_name: name });
    const id = String(made.body.merchant_id);
    const { html: csv } = await dashboard.get(`/test/audit.csv?object=${id}`);
    expect(csv.split('\r\n')[0]).toBe(
      'audit_event_id,created_at,action,object_type,object_id,object_name,actor,actor_id,source,request_id,environment,changes',
    );
    const [, line = ''] = csv.split('\r\n');
    expect(line).toContain(`,merchant.created,merchant,${id},${csvCell(name)},key,key_`);
    const changes = line.slice(line.indexOf('"{') + 1, -1).replaceAll('""', '"');
    expect(JSON.parse(changes)).toMatchObject({ business_name: name });
    expect(csv.split('\r\n').flatMap((row) => row.split(','))).not.toContainEqual(expect.stringMatching(/^"?[=@+]/));
  });

  test.each(['events', 'audit'])('exports no entries of another account: %s', async (list) => {
    await makeRefund();
    await dashboard.as('owner', await newAccount(dashboard.api.database));
    const { html: csv } = await dashboard.get(`/test/${list}.csv`);
    // The account's own trail contains only its user.
    expect(csv).not.toMatch(/re_|cs_|mer_/);
  });

  test('shows in the audit trail who refunded a charge', async () => {
    const id = await makeRefund();
    const { html } = await dashboard.get(`/test/audit?object=${id}`);
    expect(html).toContain('Refund created');
    expect((await dashboard.get('/test/audit?object=re_nothing')).html).toContain('No results');
  });

  test('opens the page of an ID that is searched for', async () => {
    const id = await makeRefund();
    const found = await dashboard.get(`/test/search?q=%20${id}%20`);
    expect(found.status).toBe(303);
    expect(found.headers.get('location')).toBe(`/dashboard/test/refunds/${id}`);
    const { html } = await dashboard.get('/test/search?q=%3Cscript%3Ealert(1)%3C/script%3E');
    expect(html).toContain('No results');
    expect(html).not.toContain('<script>alert');
  });

  test('names the mode in words, and links to the other mode', async () => {
    const [test, live] = [await dashboard.get('/test/refunds'), await dashboard.get('/live/refunds')];
    expect(test.html).toContain('Test mode: no real money moves');
    expect(test.html).toContain('href="/dashboard/live/refunds"');
    expect(live.html).toContain('Live mode: real cards, real money');
    expect(live.html).toContain('No refunds yet');
  });
});

describe('access control', () => {
  test.each(['/refunds', '/events'])('returns 404 for objects of another account: %s', async (path) => {
    const refund = await makeRefund();
    const id = path === '/refunds' ? refund : (await newestEvent()).id;
    expect((await dashboard.get(`/test${path}/${id}`)).status).toBe(200);
    expect((await dashboard.get(`/live${path}/${id}`)).status).toBe(404);
    await dashboard.as('owner', await newAccount(dashboard.api.database));
    const { status, html } = await dashboard.get(`/test${path}/${id}`);
    expect(status).toBe(404);
    expect(html).toContain('Page not found');
    expect((await dashboard.get(`/test${path}`)).html).not.toContain(id);
  });

  test('lets the role support resend an event, but not a viewer', async () => {
    await makeRefund();
    const path = `/test/events/${(await newestEvent()).id}`;
    await dashboard.as('viewer');
    const refused = await dashboard.submit(path, `${path}/resend`);
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('Your role does not allow this');
    await dashboard.as('support');
    expect((await dashboard.submit(path, `${path}/resend`)).status).toBe(303);
  });

  test('changes nothing if a form has no valid token or comes from another site', async () => {
    await makeRefund();
    const path = `/test/events/${(await newestEvent()).id}`;
    expect((await dashboard.submit(path, `${path}/resend`, { form_token: 'guess' })).status).toBe(403);
    const token = FORM_TOKEN.exec((await dashboard.get(path)).html)?.[1] ?? '';
    const body = new URLSearchParams({ form_token: token });
    const headers = { cookie: dashboard.user.cookie, 'sec-fetch-site': 'cross-site' };
    const stolen = await fetch(`${dashboard.api.url}/dashboard${path}/resend`, { method: 'POST', body, headers });
    expect(stolen.status).toBe(403);
    expect(await stolen.text()).toContain('This form has expired');
  });

  test.each(['/test/nowhere', '/live/refunds/re_x/more', '/test/refunds/re_%3Cb%3E'])(
    'returns 404 for the unknown page %s',
    async (path) => {
      const { status, html } = await dashboard.get(path);
      expect(status).toBe(404);
      expect(html).toContain('Page not found');
    },
  );

  test('says next to the list that a filter has an invalid value', async () => {
    const { status, html } = await dashboard.get('/test/events?type=nonsense');
    expect(status).toBe(200);
    expect(html).toMatch(/role="alert"[^>]*><strong>“Type” must be one of/);
  });

  test('redirects to the sign-in page without a session', async () => {
    for (const path of ['/test/refunds', '/live/nowhere']) {
      const away = await dashboard.get(path, { cookie: 'ringkey=guess', 'x-forwarded-for': '198.51.100.9' });
      expect(away.status, path).toBe(303);
      expect(away.headers.get('location'), path).toMatch(/^\/dashboard\/sign-in/);
    }
  });
});

test('sends strict headers with every page, and uses no inline scripts or styles', async () => {
  const { headers, html } = await dashboard.get('/test/refunds');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(html).not.toMatch(/<style|style="|<script(?! src="\/dashboard\/assets\/)|\son\w+="/);
  const sources = [...html.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g)].map(([, path]) => path);
  expect(sources).toHaveLength(6);
  for (const path of sources) expect((await fetch(dashboard.api.url + path)).status, path).toBe(200);
});

test('shows markup in a name as text', async () => {
  const text = 'update users set name = $2 where id = $1';
  await dashboard.api.database.query(text, [dashboard.user.user.id, '<img src=x onerror=alert(1)>']);
  const id = await makeRefund({ note: '</dd><script>alert(2)</script>' });
  const { html } = await dashboard.get(`/test/refunds/${id}`);
  expect(html).not.toMatch(/<img src=x|<script>alert/);
  expect(html).toContain('&lt;script>alert(2)');
});

test('takes the principal of in-process requests from no header', async () => {
  const { app, url } = dashboard.api;
  const principal = { accountId: DEMO_ACCOUNT, mode: 'live', role: 'viewer', isLocal: true, merchants: null } as const;
  const answer = await askApi(
    app,
    { ...principal, actor: { kind: 'demo', id: null, source: null } },
    { path: '/v1/merchants' },
  );
  expect(answer).toEqual({ status: 200, body: { merchants: [], has_more: false } });
  expect(principalInProcess()).toBeNull();
  const outside = await fetch(`${url}/v1/refunds`, { headers: { authorization: 'Bearer principal' } });
  expect(outside.status).toBe(401);
});

test('says that the database cannot be reached without PostgreSQL', async () => {
  const broken = await startDashboard();
  try {
    broken.api.database.query = (() =>
      Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))) as never;
    const { status, html, headers } = await broken.get('/test/refunds');
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('5');
    expect(html).toContain('cannot reach its database');
  } finally {
    await broken.close();
  }
});

test('offers statuses and error codes of requests to choose from, and the arrival of payouts as a date', async () => {
  const requests = (await dashboard.get('/test/requests?status=418&code=card_declined')).html;
  for (const value of ['200', '402', 'merchant_not_found']) expect(requests).toContain(`<option value="${value}">`);
  // What is in the URL stays selected, even if it is none of the choices.
  expect(requests).toContain('<option value="418" selected>');
  expect(requests).toContain('<option value="card_declined" selected>');
  const payouts = (await dashboard.get('/test/payouts?arrival_date=2026-11-23')).html;
  expect(payouts).toMatch(/<input id="filter-arrival_date" name="arrival_date" value="2026-11-23" type="date"/);
});
