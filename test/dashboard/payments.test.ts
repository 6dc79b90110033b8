/** Calls, checkouts, charges, texts and requests in the dashboard, and refunding a charge. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { RefundResource } from '../../src/contract/refunds.ts';
import { type CheckoutSessionId, newId } from '../../src/domain/ids.ts';
import { DeliveryAttemptList, EventDeliveryList } from '../../src/http/api/routes/webhook-deliveries.ts';
import { parseAmount } from '../../src/http/dashboard/form/amounts.ts';
import { csvCell } from '../../src/http/dashboard/list/csv.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { insertEndedCall } from '../support/ended-call.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { FORM_TOKEN, startDashboard } from './dashboard.ts';
import { deliveredEvents, endedCall, paidCharge } from './objects.ts';
import { newAccount } from './users.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('owner'));

interface Row {
  id: string;
}

const refundsOf = async (charge: string) =>
  (await dashboard.api.get(`/v1/refunds?charge=${charge}`)).body.refunds as RefundResource[];

/** The timeline of a call's page. */
const activityOf = (html: string) => html.slice(html.indexOf('id="activity"'), html.indexOf('id="technical"'));

describe('the page of an object', () => {
  test('shows the steps of a call and the activity of its checkout in order', async () => {
    const { charge, session } = await paidCharge(dashboard.api);
    const call = await endedCall(dashboard.api, session);
    const { html } = await dashboard.get(`/test/calls/${call}`);
    expect(html).toMatch(/<h1>.*\$40\.00.*Succeeded.*<\/h1>.*\+15550101234/);
    expect(html).toContain(`/dashboard/test/checkouts/${session}`);
    expect(html).toContain(`/dashboard/test/charges/${charge}`);
    // The page shows seconds.
    const seconds = (at: unknown) => Math.floor(Date.parse(String(at)) / 1_000);
    const times = [...activityOf(html).matchAll(/<li[^>]*>.*?datetime="([^"]+)"/g)].map(([, at]) => seconds(at));
    expect(times.length).toBeGreaterThan(3);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test('shows the entries of one second in the order of cause and effect, although clocks differ', async () => {
    const { api } = dashboard;
    const { charge, session } = await paidCharge(api);
    const call = await insertEndedCall(
      api.database,
      { accountId: DEMO_ACCOUNT, mode: 'test', sessionId: session as CheckoutSessionId },
      {
        timeline: [
          { step: 'invite', atMs: 0 },
          { step: 'charge', atMs: 4_300 },
          { step: 'paid', atMs: 4_350 },
          { step: 'caller hung up', atMs: 6_000 },
        ],
      },
    );
    // The clock of the phone's process is 100 ms ahead when the charge is sent, and 50 ms behind when its answer comes.
    const at = `date_trunc('second', now()) - interval '1 minute'`;
    await api.database.query(`update calls set started_at = ${at} - interval '4 seconds' where id = $1`, [call]);
    await api.database.query(
      `update charges set created_at = ${at} + interval '200 ms', settled_at = ${at} + interval '400 ms' where id = $1`,
      [charge],
    );
    await api.database.query(`update events set created_at = ${at} + interval '400 ms' where session_id = $1`, [
      session,
    ]);
    const { html } = await dashboard.get(`/test/calls/${call}`);
    const order = ['The card is sent to the processor', 'Charge of $40.00', '$40.00 paid', 'The charge succeeded'];
    const places = order.map((words) => activityOf(html).indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test('lists the events of one moment in the order of their sequence', async () => {
    const { charge, session } = await paidCharge(dashboard.api);
    for (const path of [`charges/${charge}`, `checkouts/${session}`]) {
      const { html } = await dashboard.get(`/test/${path}`);
      const places = ['checkout.succeeded', 'checkout.completed'].map((type) => html.indexOf(type));
      expect(places, path).not.toContain(-1);
      expect(places, path).toEqual([...places].sort((a, b) => a - b));
    }
  });

  test('links a call and its charge to each other, with the merchant and the amount', async () => {
    const { api } = dashboard;
    const { charge, session } = await paidCharge(api);
    const call = await endedCall(api, session);
    await api.database.query('update calls set charge_id = $2 where id = $1', [call, charge]);
    const [callPage, chargePage] = [
      (await dashboard.get(`/test/calls/${call}`)).html,
      (await dashboard.get(`/test/charges/${charge}`)).html,
    ];
    expect(callPage).toContain(`/dashboard/test/charges/${charge}`);
    expect(chargePage).toContain(`/dashboard/test/calls/${call}`);
    for (const html of [callPage, chargePage]) {
      expect(html).toContain('/setup/merchants/mer_demo_diner" title="mer_demo_diner">Demo Diner<');
      expect(html).toContain('$40.00');
    }
    const row = (html: string, id: string) => html.slice(html.indexOf(`/${id}"`)).split('</tr>')[0];
    expect(row((await dashboard.get('/test/calls')).html, call)).toMatch(/\$40\.00.*Demo Diner/);
    expect(row((await dashboard.get('/test/charges')).html, charge)).toMatch(/Demo Diner.*\+15550101234/);
  });

  test.each([
    ['succeeded', null, null, 'Paid later', 'good'],
    ['failed', 'processing_error', 'Never reached the processor', 'Not charged', 'plain'],
    ['failed', 'do_not_honor', 'Declined: do not honor', 'Not charged', 'plain'],
  ] as const)('shows on a call that its charge %s later (%s)', async (status, code, title, badge, tone) => {
    const { api } = dashboard;
    const { charge, session } = await paidCharge(api);
    await api.database.query(
      `update charges set status = $2, decline_code = $3, processor_payment_id = $4 where id = $1`,
      [charge, status, code, status === 'succeeded' ? charge : null],
    );
    const call = await endedCall(api, session);
    await api.database.query(`update calls set outcome = 'pending', charge_id = $2 where id = $1`, [call, charge]);
    for (const path of [`/test/calls/${call}`, '/test/calls', `/test/search?q=%2B15550101234`]) {
      expect((await dashboard.get(path)).html, path).toContain(`<span class="badge ${tone}">${badge}</span>`);
    }
    const { html } = await dashboard.get(`/test/calls/${call}`);
    expect(html).not.toMatch(/badge wait|<li class="wait"/);
    if (title === null) return;
    expect(html).toContain(title);
    const { html: charged } = await dashboard.get(`/test/charges/${charge}`);
    expect(/issuer declined/.test(charged)).toBe(code === 'do_not_honor');
    expect(/badge bad">Declined</.test(charged)).toBe(code === 'do_not_honor');
  });

  test('shows the steps of a call whose caller never chose a payment', async () => {
    const call = await endedCall(dashboard.api, null);
    const { status, html } = await dashboard.get(`/test/calls/${call}`);
    expect(status).toBe(200);
    expect(html).toMatch(/<h1>.*No payment chosen/);
    expect(html).toContain('Hangs up');
    expect((await dashboard.get('/test/calls')).html).toContain(`/dashboard/test/calls/${call}`);
  });

  test('shows the responses of webhook endpoints on a charge, its call and its event', async () => {
    const { api } = dashboard;
    const { charge, session } = await paidCharge(api);
    const call = await endedCall(api, session);
    const [delivered = '', down = ''] = await deliveredEvents(api, [
      { url: 'https://hooks.example.com/taken', status_code: 200, failure: null },
      { url: 'https://down.example.com/', status_code: null, failure: 'timeout' },
    ]);
    const listed = await api.get(`/v1/events?type=checkout.succeeded&checkout_session_id=${session}`);
    const [event] = listed.body.events as { id: string }[];
    const { body } = await api.get(`/v1/events/${event?.id}/deliveries`);
    expect(EventDeliveryList.strict().parse(body).deliveries).toMatchObject([
      { webhook_endpoint_id: delivered, url: 'https://hooks.example.com/taken', status: 'delivered', status_code: 200 },
      { webhook_endpoint_id: down, status: 'waiting', status_code: null, failure: 'timeout', attempts: 1 },
    ]);
    for (const path of [`charges/${charge}`, `calls/${call}`, `checkouts/${session}`]) {
      const { html } = await dashboard.get(`/test/${path}`);
      expect(html, path).toContain('checkout.succeeded delivered to hooks.example.com/taken, status 200');
      expect(html, path).toContain('checkout.succeeded not accepted by down.example.com, timed out');
      expect(html, path).toContain(`/setup/webhooks/${down}">See the endpoint`);
      expect(html, path).not.toContain('not sent yet');
    }
    await api.database.query(
      `update webhook_deliveries set attempts = 0, attempted_at = null, failure = null where endpoint_id = $1`,
      [down],
    );
    expect((await dashboard.get(`/test/charges/${charge}`)).html).toContain(
      'checkout.succeeded not sent yet to down.example.com',
    );
    const held = 'update webhook_endpoints set failures = $2, paused_until = $3 where id = $1';
    await api.database.query(held, [down, 5, '2099-03-01T17:35:00Z']);
    expect((await dashboard.get(`/test/events/${event?.id}`)).html).toMatch(
      /The endpoint is failing; next attempt at <time [^>]*datetime="2099-03-01T17:35:00.000Z"/,
    );
    await api.database.query(held, [down, 0, '-infinity']);
    await api.database.query(
      `update webhook_deliveries set attempts = 1, attempted_at = now(), failure = 'timeout' where endpoint_id = $1`,
      [down],
    );
    const { html } = await dashboard.get(`/test/events/${event?.id}`);
    expect(html).toContain(`/dashboard/test/setup/webhooks/${down}`);
    expect(html).toContain('down.example.com');
    // The response of the endpoint that has not received the event is open.
    expect([...html.matchAll(/<details open(?:="")?><summary>Response and signature/g)]).toHaveLength(1);
    const endpointPage = async (id: string) => (await dashboard.get(`/test/setup/webhooks/${id}`, {})).html;
    expect(await endpointPage(down)).toContain('The last attempt failed: timed out');
    await api.database.query(
      `update webhook_deliveries set failure = 'connection', failure_detail = 'certificate_expired' where endpoint_id = $1`,
      [down],
    );
    expect(await endpointPage(down)).toContain('The last attempt failed: certificate not valid (expired)');
    await api.database.query(
      `update webhook_deliveries set status_code = 301, failure = 'redirect', failure_detail = null where endpoint_id = $1`,
      [down],
    );
    expect(await endpointPage(down)).toContain('The last attempt failed: status 301 (redirect, not followed)');
    expect(await endpointPage(delivered)).not.toContain('The last attempt failed');
    const filtered = async (query: string) =>
      (await dashboard.get(`/test/events?${query}`)).html.includes(`${event?.id}`);
    expect(await filtered(`delivery=failing&webhook_endpoint_id=${down}`)).toBe(true);
    expect(await filtered(`delivery=delivered&webhook_endpoint_id=${down}`)).toBe(false);
    expect(await filtered(`webhook_endpoint_id=${delivered}`)).toBe(true);
    expect(await filtered('delivery=waiting')).toBe(false);
    expect(await filtered(`delivery=failing&checkout_session_id=${session}`)).toBe(true);
    expect(await filtered(`delivery=failed&checkout_session_id=${session}`)).toBe(false);
    const { attempts } = (await api.get(`/v1/events/${event?.id}/attempts`)).body;
    expect(DeliveryAttemptList.strict().parse({ attempts }).attempts).toHaveLength(2);
    const { html: ofEndpoint } = await dashboard.get(`/test/setup/webhooks/${down}`);
    expect(ofEndpoint).toMatch(/(\d+) attempts? in the last 7 days, \1 failed/);
    expect(html).toContain(`webhook-id: ${event?.id}`);
    expect(html).toContain('webhook-signature: v1,SGVsbG8=');
    expect(html).toMatch(/down\.example\.com: <span class="badge bad">Failed<\/span>, timed out/);
    await api.send('DELETE', `/v1/webhook_endpoints/${down}`);
    expect((await dashboard.get(`/test/events/${event?.id}`)).html).not.toContain('down.example.com');
    await api.send('DELETE', `/v1/webhook_endpoints/${delivered}`);
  });

  test('resends an event to the one endpoint that has not received it', async () => {
    const { api } = dashboard;
    const { session } = await paidCharge(api);
    const [delivered = '', down = ''] = await deliveredEvents(api, [
      { url: 'https://hooks.example.com/one', status_code: 200, failure: null },
      { url: 'https://hooks.example.com/two', status_code: 503, failure: 'status' },
    ]);
    const { body } = await api.get(`/v1/events?type=checkout.succeeded&checkout_session_id=${session}`);
    const [event] = body.events as { id: string }[];
    const path = `/test/events/${event?.id}`;
    const { html } = await dashboard.get(path);
    expect(html).toContain('Resend to hooks.example.com/two');
    expect(html).not.toContain('Resend to hooks.example.com/one');
    const sent = await dashboard.submit(path, `${path}/resend`, { webhook_endpoint_id: down });
    expect(sent.headers.get('location')).toContain('notice=resent_to_one');
    const { rows } = await api.database.query(
      `select endpoint_id as id, attempts from webhook_deliveries where event_id = $1 and status = 'waiting'`,
      [event?.id],
    );
    expect(rows).toEqual([{ id: down, attempts: 0 }]);
    await api.send('DELETE', `/v1/webhook_endpoints/${down}`);
    const again = await api.post(`/v1/events/${event?.id}/resend`, { webhook_endpoint_id: down });
    expect(again).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_value', param: 'webhook_endpoint_id' } },
    });
    await api.send('DELETE', `/v1/webhook_endpoints/${delivered}`);
  });

  test('shows the deliveries of the newest ten events of a checkout', async () => {
    const { api } = dashboard;
    const { session } = await paidCharge(api);
    // A paid checkout already has two events.
    await api.database.query(
      `insert into events (account_id, mode, type, session_id, facts, relayed_at, id)
       select account_id, mode, type, session_id, facts, now(), 'evt_' || translate(md5(id || n), '01', 'gh')::varchar(26)
         from events, generate_series(22, 31) n where session_id = $1 and type = 'checkout.succeeded'`,
      [session],
    );
    const { html } = await dashboard.get(`/test/checkouts/${session}`);
    expect(html.match(/<span class="of">Event</g)).toHaveLength(12);
    expect(html.match(/see the event for its deliveries/g)).toHaveLength(2);
  });

  test.each(['calls', 'checkouts', 'charges'] as const)(
    'shows in the list of %s and on the page that a card was saved, and no amount',
    async (list) => {
      const { database } = dashboard.api;
      const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
      const saved = { merchant: DEMO_DINER, at: new Date().toISOString(), status: 'succeeded', cents: 0 } as const;
      await seedPayment(database, scope, { ...saved, steps: ['answered', 'charge'] });
      await database.query(`update checkout_sessions set status = 'complete' where purpose = 'save_card'`);
      const text = {
        calls: 'select calls.id from calls join checkout_sessions s on s.id = session_id',
        checkouts: 'select s.id from checkout_sessions s',
        charges: 'select charges.id from charges join checkout_sessions s on s.id = session_id',
      }[list];
      const [{ id }] = (await database.query<Row>(`${text} where purpose = 'save_card' order by s.created_at desc`))
        .rows as [Row];
      const rows = (await dashboard.get(`/test/${list}`)).html.split('<tr');
      const row = rows.find((html) => html.includes(`/${id}"`));
      expect(row).toContain('No payment');
      expect(row).toContain('Card saved');
      expect(row).not.toContain('$0.00');
      const page = await dashboard.get(`/test/${list}/${id}`);
      expect(page.html).toContain('Card saved');
      expect(page.html).not.toContain('$0.00');
      expect(page.html.includes('None, a card is saved')).toBe(list === 'checkouts');
    },
  );

  test('links a checkout and its charge to each other', async () => {
    const { charge, session } = await paidCharge(dashboard.api);
    const checkout = await dashboard.get(`/test/checkouts/${session}`);
    expect(checkout.html).toContain(`/dashboard/test/charges/${charge}`);
    expect(checkout.html).toContain('$40.00 paid');
    const page = await dashboard.get(`/test/charges/${charge}`);
    expect(page.html).toContain(`/dashboard/test/checkouts/${session}`);
    expect(page.html).toContain(`/dashboard/test/charges/${charge}/refund`);
  });

  test.each(['calls', 'checkouts', 'charges'])('returns 404 for one of the %s of another account', async (list) => {
    const { charge, session } = await paidCharge(dashboard.api);
    const ids: Record<string, string> = { charges: charge, checkouts: session };
    const id = ids[list] ?? (await endedCall(dashboard.api, session));
    expect((await dashboard.get(`/test/${list}/${id}`)).status).toBe(200);
    expect((await dashboard.get(`/live/${list}/${id}`)).status).toBe(404);
    await dashboard.as('owner', await newAccount(dashboard.api.database));
    for (const path of [`/test/${list}/${id}`, `/test/charges/${charge}/refund`]) {
      expect((await dashboard.get(path)).status, path).toBe(404);
    }
    expect((await dashboard.get(`/test/search?q=${id}`)).headers.get('location')).toContain(id);
    for (const each of [list, `${list}.csv`]) expect((await dashboard.get(`/test/${each}`)).html).not.toContain(id);
  });
});

describe('a list', () => {
  test.each(['calls', 'checkouts', 'charges', 'texts', 'requests'])(
    'shows %s, and is empty in live mode',
    async (list) => {
      const { session } = await paidCharge(dashboard.api);
      await endedCall(dashboard.api, session);
      expect((await dashboard.get(`/test/${list}`)).status).toBe(200);
      const { html, status } = await dashboard.get(`/live/${list}`);
      expect(status).toBe(200);
      expect(html).toContain('class="empty"');
    },
  );

  test('is filtered by the parameters of the URL', async () => {
    const { charge } = await paidCharge(dashboard.api, 'order-of-filter');
    const other = await paidCharge(dashboard.api);
    const { html } = await dashboard.get('/test/charges?order_id=order-of-filter&status=succeeded&since=1h');
    expect(html).toContain(charge);
    expect(html).not.toContain(other.charge);
    expect(html).toContain('value="order-of-filter"');
    const csv = await dashboard.get('/test/charges.csv?order_id=order-of-filter');
    expect(csv.html.split('\r\n')).toHaveLength(3);
  });

  test('shows what is wrong with a filter', async () => {
    const { status, html } = await dashboard.get('/test/calls?caller_phone=nonsense');
    expect(status).toBe(200);
    expect(html).toMatch(/role="alert"[^>]*><strong>“Caller” must be a phone number or its last 4 to 10 digits/);
  });
});

test('opens the request that an error links to in its own mode', async () => {
  const id = newId('Request');
  const account = await newAccount(dashboard.api.database);
  await dashboard.as('owner', account);
  await dashboard.api.database.query(
    `insert into requests (id, account_id, mode, method, route, path, status, duration_ms, created_at)
     values ($1, $2, 'live', 'POST', '/v1/charge', '/v1/charge', 402, 5, now())`,
    [id, account],
  );
  const link = await dashboard.get(`/requests/${id}`);
  expect(link.status).toBe(303);
  expect(link.headers.get('location')).toBe(`/dashboard/live/requests/${id}`);
  expect((await dashboard.get(`/live/requests/${id}`)).html).toContain('POST /v1/charge');
  await dashboard.as('owner');
  expect((await dashboard.get(`/live/requests/${id}`)).status).toBe(404);
});

test('finds objects by phone number and by order', async () => {
  const { charge, session } = await paidCharge(dashboard.api, '0042');
  const call = await endedCall(dashboard.api, session);
  const byOrder = await dashboard.get('/test/search?q=0042');
  for (const id of [charge, session, call]) expect(byOrder.html).toContain(id);
  for (const typed of ['+1 (555) 010-1234', '555-010-1234', '010 1234', 'triple five oh one oh, one two three four']) {
    const byNumber = await dashboard.get(`/test/search?q=${encodeURIComponent(typed)}`);
    expect(byNumber.html, typed).toContain('+15550101234');
    const filtered = await dashboard.get(`/test/calls?caller_phone=${encodeURIComponent(typed)}`);
    expect(filtered.html, typed).toContain(call);
  }
  expect((await dashboard.get('/test/search?q=0000000')).html).toContain('No results');
});

describe('a refund', () => {
  test('is created after the amount and a confirmation', async () => {
    const { charge } = await paidCharge(dashboard.api);
    const path = `/test/charges/${charge}/refund`;
    expect((await dashboard.get(path)).html).toContain('$40.00 can be refunded.');
    const confirmation = await dashboard.get(`${path}?amount=12.50&reason=duplicate`);
    expect(confirmation.html).toContain('Refund $12.50');
    const fields = { amount_cents: '1250', reason: 'duplicate', attempt: 'attempt-1' };
    const done = await dashboard.submit(`${path}?amount=12.50`, path, fields);
    expect(done.status).toBe(303);
    const [refund, ...others] = await refundsOf(charge);
    expect(others).toEqual([]);
    expect(refund).toMatchObject({ amount_cents: 1_250, reason: 'duplicate' });
    expect(done.headers.get('location')).toBe(`/dashboard/test/refunds/${refund?.refund_id}`);
    const { html } = await dashboard.get(`/test/refunds/${refund?.refund_id}`);
    for (const shown of ['$12.50 of $40.00', 'Visa ···· 4242', '/callers?number=%2B15550101234"'])
      expect(html).toContain(shown);
  });

  test('of half of the charge takes one choice, unless less than half is left', async () => {
    const { charge } = await paidCharge(dashboard.api);
    const path = `/test/charges/${charge}/refund`;
    const choice = /href="\/dashboard([^"]+)">Half: \$20\.00</;
    const half = choice.exec((await dashboard.get(path)).html)?.[1] ?? '';
    expect((await dashboard.get(half.replaceAll('&amp;', '&'))).html).toContain('Refund $20.00 to Visa');
    await dashboard.api.post('/v1/refunds', { charge, amount_cents: 2_001 });
    expect((await dashboard.get(path)).html).not.toMatch(choice);
  });

  test('is created once on a double click, and never exceeds the charge for two users at once', async () => {
    const { charge } = await paidCharge(dashboard.api);
    const path = `/test/charges/${charge}/refund`;
    const { html } = await dashboard.get(`${path}?amount=30`);
    const token = FORM_TOKEN.exec(html)?.[1] ?? '';
    const attempt = /name="attempt" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const send = (key: string) => {
      const body = new URLSearchParams({ form_token: token, amount_cents: '3000', reason: '', attempt: key });
      const headers = { cookie: dashboard.user.cookie, 'sec-fetch-site': 'same-origin' };
      return fetch(`${dashboard.api.url}/dashboard${path}`, { method: 'POST', body, headers, redirect: 'manual' });
    };
    const answers = await Promise.all([send(attempt), send(attempt), send('of-another-user')]);
    expect(answers.map(({ status }) => status).sort()).toContain(422);
    expect(await refundsOf(charge)).toHaveLength(1);
  });

  test.each([
    ['0', 'Enter an amount such as 42.50.'],
    ['ten', 'Enter an amount such as 42.50.'],
    ['40.01', 'You can refund at most $40.00.'],
  ])('rejects the refund amount %s: %s', async (amount, fault) => {
    const { charge } = await paidCharge(dashboard.api);
    const { status, html } = await dashboard.get(`/test/charges/${charge}/refund?amount=${amount}`);
    expect(status).toBe(422);
    expect(html).toContain(fault);
    expect(html).toContain('aria-invalid');
  });

  test('is not possible for viewers', async () => {
    const { charge } = await paidCharge(dashboard.api);
    await dashboard.as('viewer');
    expect((await dashboard.get(`/test/charges/${charge}`)).html).not.toContain(`/charges/${charge}/refund"`);
    const path = `/test/charges/${charge}/refund`;
    const refused = await dashboard.submit(`${path}?amount=1`, path, { amount_cents: '100', reason: '', attempt: 'x' });
    expect(refused.status).toBe(403);
    expect(await refundsOf(charge)).toEqual([]);
  });
});

test('reads the amount of a refund in the language of the user, and refuses one with two readings', async () => {
  await dashboard.as('owner');
  const { charge } = await paidCharge(dashboard.api);
  const path = `/test/charges/${charge}/refund?attempt=in-german`;
  const inGerman = (amount: string) =>
    dashboard.get(`${path}&amount=${encodeURIComponent(amount)}`, { 'accept-language': 'de-DE' });
  expect((await dashboard.get(path, { 'accept-language': 'de' })).html).toMatch(/name="amount"[^>]* value="\d+,\d\d"/);
  const confirm = await inGerman('12,50');
  expect([confirm.status, confirm.html]).toEqual([200, expect.stringMatching(/>12,50\s\$ erstatten<\/button>/)]);
  expect(confirm.html).toContain('name="amount_cents" value="1250"');
  for (const amount of ['1.234', '1,234', '12,50,00', '-12,50']) {
    const refused = await inGerman(amount);
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('Betrag wie 42,50')]);
  }
  expect((await dashboard.get(`${path}&amount=12,50`)).status).toBe(422);
});

test.each([
  ['10', 'USD', 1_000],
  ['$1,234.5', 'USD', 123_450],
  ['0.01', 'USD', 1],
  ['0', 'USD', null],
  ['1.005', 'USD', null],
  ['1e3', 'USD', null],
  ['-1', 'USD', null],
  ['12,34', 'USD', null],
  ['¥4,250', 'JPY', 4_250],
  ['42.50', 'JPY', null],
])('reads the amount %s in %s as %s', (text, currency, cents) => {
  expect(parseAmount(text, currency)).toBe(cents);
});

test.each([
  ['=1+1', "'=1+1"],
  ['+15550101234', '+15550101234'],
  ['+cmd', "'+cmd"],
  ['a,"b"', '"a,""b"""'],
  ['@x', "'@x"],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['\n=1+1', '"\'\n=1+1"'],
  [-5, '-5'],
  [null, ''],
])('writes %s as the CSV cell %s', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});
