/** A caller's page: everything about one number, and what can be done from there. */
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { endedCall, liveCall, paidCharge } from './objects.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('owner'));

/** The demo's caller. */
const PHONE = '+15550101234';
const PAGE = '/test/callers?number=%2B15550101234';

const readable = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const LINK = 'href="/dashboard/test/callers?number=%2B15550101234"';
const openCheckout = (caller_phone: string) =>
  dashboard.api.checkout({ merchant_id: 'mer_demo_diner', amount_cents: 700, caller_phone });

test('shows calls, payments, refunds, texts, saved cards and open checkouts of one number', async () => {
  const { api } = dashboard;
  const { charge, session } = await paidCharge(api, 'A-7');
  const call = await endedCall(api, session);
  const { body: refund } = await api.post('/v1/refunds', { charge, amount_cents: 1_000 });
  const { checkout_session_id: open } = await openCheckout(PHONE);
  await api.post('/v1/send_link', { checkout_session_id: open });
  const { html } = await dashboard.get(PAGE);
  for (const path of [`charges/${charge}`, `calls/${call}`, `refunds/${refund.refund_id}`, `checkouts/${open}`]) {
    expect(html, path).toContain(`href="/dashboard/test/${path}"`);
  }
  expect(html).toContain(`href="/dashboard/test/charges/${charge}/refund"`);
  expect(html).toMatch(new RegExp(`class="button" href="/dashboard/test/charges/${charge}/refund">Refund latest`));
  const text = readable(html);
  for (const words of ['Can be paid now', 'The pay link', 'Saved cards', 'Visa ···· 4242', 'Demo Caller'])
    expect(text).toContain(words);
});

test('is linked from search, from the lists and pages of calls, charges and checkouts, and from Now', async () => {
  const { api } = dashboard;
  const { charge, session } = await paidCharge(api);
  const call = await endedCall(api, session);
  await liveCall(api, (await openCheckout(PHONE)).checkout_session_id, 'expiry');
  const paths = [
    'search?q=555-010-1234',
    'calls',
    `calls/${call}`,
    'charges',
    `charges/${charge}`,
    'checkouts',
    `checkouts/${session}`,
    'now',
  ];
  for (const path of paths) expect((await dashboard.get(`/test/${path}`)).html, path).toContain(LINK);
});

test('filters the list of texts by the number of the caller', async () => {
  const [one, other] = [await openCheckout('+12125550161'), await openCheckout('+12125550162')];
  for (const { checkout_session_id } of [one, other])
    await dashboard.api.post('/v1/send_link', { checkout_session_id });
  const { html } = await dashboard.get('/test/texts?caller_phone=(212)%20555-0161');
  expect(html).toContain(`href="/dashboard/test/checkouts/${one.checkout_session_id}"`);
  expect(html).not.toContain(other.checkout_session_id);
});

test('opens the page of a caller from the list of texts', async () => {
  const { checkout_session_id: checkout } = await openCheckout('+12125550163');
  await dashboard.api.post('/v1/send_link', { checkout_session_id: checkout });
  const { html } = await dashboard.get('/test/texts');
  expect(html).toContain(`href="/dashboard/test/callers?checkout=${checkout}">…63</a>`);
  const { headers } = await dashboard.get(`/test/callers?checkout=${checkout}`);
  expect(headers.get('location')).toBe('/dashboard/test/callers?number=%2B12125550163');
});

test('opens the search for callers from the text of an erased caller', async () => {
  const { checkout_session_id: checkout } = await openCheckout('+12125550164');
  await dashboard.api.post('/v1/callers/erase', { caller_phone: '+12125550164' });
  const { headers } = await dashboard.get(`/test/callers?checkout=${checkout}`);
  expect(headers.get('location')).toBe('/dashboard/test/callers');
  expect((await dashboard.get('/test/callers?checkout=cs_1')).status).toBe(404);
});

test('asks which caller is meant if several numbers end in the digits', async () => {
  await openCheckout('+12125550142');
  await openCheckout('+13105550142');
  const { html } = await dashboard.get('/test/callers?number=5550142');
  expect(html).toContain('href="/dashboard/test/callers?number=%2B12125550142"');
  expect(html).toContain('href="/dashboard/test/callers?number=%2B13105550142"');
  const one = await dashboard.get('/test/callers?number=(212)%20555-0142');
  expect(readable(one.html)).toContain('Caller +12125550142');
  for (const none of ['', '99', 'nobody', '4480000'])
    expect((await dashboard.get(`/test/callers?number=${none}`)).status, none).toBe(200);
});

test('lets the role support write a note and text a pay link', async () => {
  const { checkout_session_id: checkout } = await openCheckout(PHONE);
  await dashboard.as('support');
  const noted = await dashboard.submit(PAGE, '/test/callers/note', { number: PHONE, note: 'Prefers to pay by link.' });
  expect([noted.status, noted.headers.get('location')]).toEqual([303, `/dashboard${PAGE}&notice=note`]);
  expect((await dashboard.get(PAGE)).html).toContain('Prefers to pay by link.</textarea>');
  const card = await dashboard.submit(PAGE, '/test/callers/note', { number: PHONE, note: '4242 4242 4242 4242' });
  expect(card.status).toBe(422);
  expect(card.html).not.toContain('4242 4242 4242 4242');
  expect(readable(card.html)).toContain(`Caller`);
  const first = await dashboard.submit(PAGE, '/test/callers/link', { number: PHONE, checkout });
  expect(first.headers.get('location')).toBe(`/dashboard${PAGE}&notice=link`);
  expect(readable((await dashboard.get(`${PAGE}&notice=link`)).html)).toContain(
    'A text with the pay link is on its way',
  );
});

test('says that no text was sent to a number that answered STOP', async () => {
  const number = '+12125550188';
  const { checkout_session_id: checkout } = await openCheckout(number);
  await dashboard.api.database.query(`insert into text_opt_outs (phone, keyword) values ($1, 'STOP')`, [number]);
  const path = '/test/callers?number=%2B12125550188';
  const sent = await dashboard.submit(path, '/test/callers/link', { number, checkout });
  expect(sent.headers.get('location')).toBe(`/dashboard${path}&notice=no_link`);
  expect(readable((await dashboard.get(`${path}&notice=no_link`)).html)).toContain('No text was sent');
});

test('says why no pay link can be texted for a merchant whose processor has no fields on the page', async () => {
  const number = '+12125550189';
  const { checkout_session_id: checkout } = await openCheckout(number);
  const { database } = dashboard.api;
  await database.query(`update merchants set processor = 'checkoutcom' where id = 'mer_demo_diner'`);
  const path = '/test/callers?number=%2B12125550189';
  const refused = await dashboard.submit(path, '/test/callers/link', { number, checkout });
  await database.query(`update merchants set processor = 'sandbox' where id = 'mer_demo_diner'`);
  expect(refused.status).toBe(422);
  expect(readable(refused.html)).toContain('has no card fields on the pay page');
});

test('shows a viewer everything but no buttons, and refuses the forms of a viewer', async () => {
  const { charge } = await paidCharge(dashboard.api);
  await dashboard.as('viewer');
  const { html } = await dashboard.get(PAGE);
  expect(html).toContain(`href="/dashboard/test/charges/${charge}"`);
  expect(html).not.toMatch(/charges\/ch_\w+\/refund|Save note|Text pay link|>Erase</);
  for (const action of ['note', 'link', 'erase']) {
    const sent = await dashboard.submit('/test/calls', `/test/callers/${action}`, {
      number: PHONE,
      note: 'x',
      checkout: 'cs_1',
    });
    expect(sent.status, action).toBe(403);
  }
});

test('erases a caller after a confirmation that says what stays', async () => {
  const phone = '+12125550177';
  const { checkout_session_id: checkout } = await openCheckout(phone);
  const path = '/test/callers/erase?number=%2B12125550177';
  await dashboard.as('support');
  expect((await dashboard.get(path)).status).toBe(403);
  await dashboard.as('developer');
  expect((await dashboard.get('/test/callers?number=%2B12125550177')).html).toContain(`href="/dashboard${path}"`);
  const confirm = await dashboard.get(path);
  expect(readable(confirm.html)).toContain('Payments, refunds and consents stay');
  const done = await dashboard.submit(path, '/test/callers/erase', { number: phone });
  expect(done.headers.get('location')).toBe('/dashboard/test/callers?notice=erased');
  expect((await dashboard.api.get(`/v1/checkout_sessions/${checkout}`)).body.caller_phone).toBeNull();
  expect((await dashboard.get('/live/callers/erase?number=%2B12125550177')).html).toContain('Erase +12125550177');
});
