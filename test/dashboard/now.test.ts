/** The page Now: what its stream of live calls contains, who may read it, and what the page does without it. */
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import type { NewsType } from '../../src/notifications/progress/ports.ts';
import { EventLog } from '../integration/phone/event-log.ts';
import { startTestBrowser } from '../support/browser.ts';
import { createCheckout, waitForEndedCall } from '../support/checkouts.ts';
import { useFixture } from '../support/fixtures.ts';
import { startProduct } from '../support/product.ts';
import { cardKeys } from '../support/sipp-calls.ts';
import { TestCaller } from '../support/test-caller.ts';
import { startDashboard } from './dashboard.ts';
import { liveCall, paidCharge } from './objects.ts';
import { newAccount, signedInUser } from './users.ts';

const NO_CALLS = 'No live calls';

const requests: ClientRequest[] = [];
afterEach(() => {
  for (const request of requests.splice(0)) request.destroy();
});

/**
 * Opens the stream of live calls.
 * @param url up to the mode
 * @param reopens opens the stream again when it ends, as browsers do: it ends after a minute, and a call can last longer
 */
async function openStream(url: string, cookie: string, reopens = false, shown = new EventLog<string>()) {
  const request = get(`${url}/now/events`, { agent: false, headers: { cookie } });
  requests.push(request);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let unread = '';
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const events = (unread + text).split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) if (event.startsWith('event: calls\n')) shown.push(event);
  });
  response.on('error', () => undefined);
  if (reopens) response.once('end', () => void openStream(url, cookie, reopens, shown));
  const shows = (text: string | RegExp) => shown.waitFor((html) => html.search(text) >= 0);
  return { response, shown: shown.entries, shows, close: () => request.destroy() };
}

describe('a live call', () => {
  const product = useFixture(() => startProduct());

  test('is shown step by step until it ends, without what the caller enters', async () => {
    const { cookie } = await signedInUser(product.testDatabase.database, 'viewer', DEMO_ACCOUNT);
    const stream = await openStream(`${product.baseUrl}/dashboard/test`, cookie, true);
    await stream.shows(NO_CALLS);
    const checkout = await createCheckout(product);
    const caller = await TestCaller.create(product, { checkout });
    await caller.dial();
    await stream.shows(/Hearing the greeting|Entering the card number/);
    const keys = cardKeys('visa');
    await caller.press(keys.slice(0, 16));
    await stream.shows('Entering the expiry date');
    await caller.press(keys.slice(16, 20));
    await stream.shows('Entering the security code');
    await caller.press(keys.slice(20));
    // The sandbox charges at once, so this step may already be over, and on a busy machine the next one, too.
    await stream.shows(/Card is being charged|Hearing the outcome|Returning to the agent/);
    await caller.hangUp();
    await waitForEndedCall(product.testDatabase, checkout.id);
    await expect.poll(() => stream.shown.at(-1)).toContain(NO_CALLS);
    expect(stream.shown.join('')).toMatch(/\$\d+\.\d\d<.*Demo Diner/);
    expect(stream.shown.join('')).not.toMatch(/4242|\b1230\b|digit/);
    await caller.close();
  });
});

describe('the stream', () => {
  const dashboard = useFixture(startDashboard);
  afterEach(() => dashboard.api.database.query('update calls set ended_at = now() where ended_at is null'));
  const base = () => `${dashboard.api.url}/dashboard/test`;
  const checkout = async () => (await paidCharge(dashboard.api)).session;

  test('tells phone processes that a user is watching, and rereads the calls when they report a change', async () => {
    const { api, user } = dashboard;
    const call = await liveCall(api, await checkout(), 'card_number');
    const received = new EventLog<NewsType>();
    const stop = api.progress.subscribe(DEMO_ACCOUNT, (news) => received.push(news));
    const stream = await openStream(base(), user.cookie);
    await stream.shows('Entering the card number');
    await received.waitFor((news) => news === 'calls_watched');
    await api.database.query(`update calls set stage = 'security_code' where id = $1`, [call]);
    api.progress.publish(DEMO_ACCOUNT, 'call_stage');
    await stream.shows('Entering the security code');
    stop();
  });

  test('tells phone processes that a user is watching also when the page is loaded without scripts', async () => {
    const { api, user } = dashboard;
    const received = new EventLog<NewsType>();
    const stop = api.progress.subscribe(DEMO_ACCOUNT, (news) => received.push(news));
    const answer = await fetch(`${base()}/now`, { headers: { cookie: user.cookie } });
    expect(await answer.text()).toContain(NO_CALLS);
    await received.waitFor((news) => news === 'calls_watched');
    stop();
  });

  test('shows a call that no phone process has reported', async () => {
    const stream = await openStream(base(), dashboard.user.cookie);
    await stream.shows(NO_CALLS);
    await liveCall(dashboard.api, await checkout(), null);
    await stream.shows('On the line');
  });

  test('shows no calls of another account or of the other mode', async () => {
    const { api, user } = dashboard;
    const call = await liveCall(api, await checkout(), 'expiry');
    const stranger = await signedInUser(api.database, 'owner', await newAccount(api.database));
    const streams = await Promise.all([
      openStream(base(), stranger.cookie),
      openStream(`${api.url}/dashboard/live`, user.cookie),
    ]);
    await Promise.all(streams.map((stream) => stream.shows(NO_CALLS)));
    // The account's own stream has shown the call in the meantime.
    const own = await openStream(base(), user.cookie);
    await own.shows(call);
    api.progress.publish(DEMO_ACCOUNT, 'call_stage');
    const answer = await fetch(`${base()}/now/calls`, { headers: { cookie: stranger.cookie } });
    expect(await answer.text()).toContain(NO_CALLS);
    for (const { shown } of streams) expect(shown.join('')).not.toContain(call);
  });

  test('allows a user four streams over both modes, and another one when one is closed', async () => {
    const user = await signedInUser(dashboard.api.database, 'viewer', DEMO_ACCOUNT);
    const live = `${dashboard.api.url}/dashboard/live`;
    const streams = await Promise.all([base(), base(), live, live].map((url) => openStream(url, user.cookie)));
    expect(streams.map(({ response }) => response.statusCode)).toEqual([200, 200, 200, 200]);
    expect((await openStream(base(), user.cookie)).response.statusCode).toBe(429);
    expect((await openStream(base(), dashboard.user.cookie)).response.statusCode).toBe(200);
    streams[0]?.close();
    for (;;) if ((await openStream(base(), user.cookie)).response.statusCode === 200) break;
  });

  test('requires a signed-in user, and ends with the server', async () => {
    const outside = { cookie: 'ringkey=guess', 'x-forwarded-for': '198.51.100.9' };
    expect((await dashboard.get('/test/now/events', outside)).status).toBe(303);
    expect((await dashboard.get('/test/now/calls', outside)).status).toBe(303);
    const closing = await startDashboard();
    const { response } = await openStream(`${closing.api.url}/dashboard/test`, closing.user.cookie);
    await Promise.all([closing.close(), once(response, 'end')]);
  });

  describe('in a browser', () => {
    const chrome = useFixture(startTestBrowser);

    test('is replaced by polling while it is broken, and resumes', async () => {
      const { api, user } = dashboard;
      const call = await liveCall(api, await checkout(), 'card_number');
      const context = await chrome.browser.newContext();
      const [name = '', value = ''] = user.cookie.split('=');
      await context.addCookies([{ name, value, url: api.url }]);
      const page = await context.newPage();
      await page.route('**/now/events', (route) => route.abort());
      await page.goto(`${base()}/now`);
      await page.getByText('Updates every 3 s').waitFor();
      await page.locator(`#${call}`).focus();
      await api.database.query(`update calls set stage = 'expiry' where id = $1`, [call]);
      await page.getByText('Entering the expiry date').waitFor();
      expect(await page.evaluate('document.activeElement.id')).toBe(call);
      await page.unroute('**/now/events');
      await page.getByText('Up to date').waitFor();
      await api.database.query(`update calls set ended_at = now() where id = $1`, [call]);
      await page.getByText(NO_CALLS).waitFor();
      await context.close();
    });
  });
});
