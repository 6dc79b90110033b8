/** The page's live part: the event stream, the state that the page's script reads, and the line about the call. */
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { CALL_STAGES, type CallStage } from '../../src/domain/call.ts';
import { newId } from '../../src/domain/ids.ts';
import { languageFor } from '../../src/languages/index.ts';
import { createMetrics } from '../../src/lib/observability/metrics.ts';
import { startTestApi } from '../contract/test-api.ts';
import { EventLog } from '../integration/phone/event-log.ts';
import { useFixture } from '../support/fixtures.ts';
import { getPage, openTestPage, payOnPage, type TestPage, VISA } from './pages.ts';

const metrics = createMetrics();
const api = useFixture(() => startTestApi({ metrics }));

const requests: ClientRequest[] = [];
afterEach(() => {
  for (const request of requests.splice(0)) request.destroy();
});

interface Stream {
  response: IncomingMessage;
  received: EventLog<string>;
  close(): void;
}

async function openStream(path: string, url = api.url): Promise<Stream> {
  const request = get(`${url}${path}/events`, { agent: false });
  requests.push(request);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const received = new EventLog<string>();
  response.setEncoding('utf8');
  response.on('data', (text: string) => received.push(text));
  response.on('error', () => undefined);
  return { response, received, close: () => request.destroy() };
}

/** Gives the session a live call at this stage. */
async function callAt({ sessionId, merchant }: TestPage, stage: CallStage | null): Promise<void> {
  await api.database.query(
    `insert into calls (id, account_id, mode, session_id, instance, lease_id, sip_call_id, source_address, sip_dialogs, stage)
     values ($1, $2, 'test', $3, 'test', 1, 'x', '127.0.0.1', '{}', $4)
     on conflict (session_id) where ended_at is null do update set stage = excluded.stage`,
    [newId('Call'), merchant.accountId, sessionId, stage],
  );
}

async function stateOf(path: string, query = '') {
  const answer = await fetch(`${api.url}${path}/state${query}`);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return (await answer.json()) as { state: string; version: string; on_call: string };
}

describe('the stream', () => {
  test('sends an event when something changes', async () => {
    const { path, longPath } = await openTestPage(api.database);
    const stream = await openStream(path);
    expect(stream.response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    await stream.received.waitFor((text) => text.includes('retry: 3000'));
    // From now on it receives news from other processes.
    await stream.received.waitFor((text) => text.includes('data: changed'));
    const before = stream.received.entries.length;
    await payOnPage(api.url + longPath);
    await stream.received.waitFor(() => stream.received.entries.slice(before).includes('data: changed\n\n'));
  });

  test('lasts longer than a request may take', async () => {
    const handlerLimitMs = 200;
    const hurried = await startTestApi({ handlerLimitMs });
    const { path, sessionId } = await openTestPage(hurried.database);
    let stream = await openStream(path, hurried.url);
    // On a busy machine the request may exceed its limit before the stream starts.
    while (stream.response.statusCode === 503) stream = await openStream(path, hurried.url);
    await delay(3 * handlerLimitMs);
    const before = stream.received.entries.length;
    hurried.progress.publish(sessionId, 'charge_changed');
    await stream.received.waitFor(() => stream.received.entries.slice(before).some((text) => text.includes('changed')));
    expect(stream.response.complete).toBe(false);
    await hurried.close();
  });

  test('counts neither in the latency histogram nor as an abandoned request', async () => {
    const { path } = await openTestPage(api.database);
    const stream = await openStream(path);
    stream.close();
    const isOver = (line: string) => line.includes('/p/:code/events') && line.includes('abandoned');
    while (!api.log.some(isOver)) await delay(10);
    await getPage(api.url + path);
    const { text } = await metrics.read();
    expect(text).toContain('route="/p/:code",status="200"');
    // Status 200 only: another test sends a wrong code.
    expect(text).not.toMatch(/\/events",status="200"|abandoned[^\n]*\/events/);
  });

  test('opens at most four times per session, and again once one is closed', async () => {
    const { path, longPath } = await openTestPage(api.database);
    const streams = await Promise.all([path, path, longPath, longPath].map((each) => openStream(each)));
    expect(streams.map(({ response }) => response.statusCode)).toEqual([200, 200, 200, 200]);
    expect((await openStream(path)).response.statusCode).toBe(429);
    const other = await openTestPage(api.database);
    expect((await openStream(other.path)).response.statusCode).toBe(200);
    streams[0]?.close();
    for (;;) if ((await openStream(longPath)).response.statusCode === 200) break;
  });

  test('returns 404 for a wrong code', async () => {
    expect((await openStream('/p/abcdefghjkmn')).response.statusCode).toBe(404);
    expect((await fetch(`${api.url}/p/abcdefghjkmn/state`)).status).toBe(404);
  });

  test('ends when the server closes', async () => {
    const closing = await startTestApi();
    const { path } = await openTestPage(closing.database);
    const request = get(`${closing.url}${path}/events`, { agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    const ended = once(response, 'end');
    await Promise.all([closing.close(), ended]);
  });
});

describe('the state', () => {
  test('changes after a payment, at both URLs', async () => {
    const { path, longPath } = await openTestPage(api.database);
    const ready = await stateOf(path);
    expect(ready).toMatchObject({ state: 'ready', on_call: '' });
    expect((await getPage(api.url + path)).html).toContain(`data-state="ready" data-version="${ready.version}"`);
    await payOnPage(api.url + path);
    const paid = await stateOf(longPath);
    expect(paid.state).toBe('paid');
    expect(paid.version).not.toBe(ready.version);
  });

  test.each(['en', 'es', 'fr', 'de'] as const)('describes every stage of the call (%s)', async (language) => {
    const page = await openTestPage(api.database);
    const said = new Set<string>();
    const versions = new Set<string>();
    for (const stage of [null, ...CALL_STAGES]) {
      await callAt(page, stage);
      const { on_call: text, version } = await stateOf(page.path, `?lang=${language}`);
      said.add(text);
      versions.add(version);
      const { html } = await getPage(`${api.url}${page.path}?lang=${language}`);
      expect(/<p id="live"[^>]*>([^<]*)</.exec(html)?.[1]?.replaceAll('&#39;', "'")).toBe(text);
    }
    const { onCall } = languageFor(language).page;
    expect([...said].sort()).toEqual(['', ...Object.values(onCall)].sort());
    // No call and the first stage have the same text.
    expect(versions.size).toBe(CALL_STAGES.length);
  });

  test('does not mention the call once the session is paid', async () => {
    const page = await openTestPage(api.database);
    await callAt(page, 'waiting');
    await payOnPage(api.url + page.path);
    expect(await stateOf(page.path)).toMatchObject({ state: 'paid', on_call: '' });
  });
});

test('publishes each beacon of an opened page', async () => {
  const { path, sessionId } = await openTestPage(api.database);
  const received = new EventLog<string>();
  const stop = api.progress.subscribe(sessionId, (news) => received.push(news));
  const open = () =>
    fetch(`${api.url}${path}/opened`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });
  expect((await open()).status).toBe(204);
  expect((await open()).status).toBe(204);
  await received.waitForCount('page_opened', 2);
  stop();
});

test('limits beacons per session, and does not publish those above the limit', async () => {
  const [{ path, sessionId }, other] = [await openTestPage(api.database), await openTestPage(api.database)];
  const received: string[] = [];
  const stop = api.progress.subscribe(sessionId, (news) => received.push(news));
  const opened = (of: string) =>
    fetch(`${api.url}${of}/opened`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });
  const answers = [];
  for (let times = 0; times < 30; times += 1) answers.push(await opened(path));
  const accepted = answers.filter(({ status }) => status === 204).length;
  expect(accepted).toBeLessThan(30);
  expect(answers.at(-1)?.status).toBe(429);
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(received.filter((news) => news === 'page_opened')).toHaveLength(accepted);
  expect((await opened(other.path)).status).toBe(204);
  expect((await fetch(api.url + path)).status).toBe(200);
  stop();
});

test.each([
  ['waits for its payer', '4000000000003220', 'action'],
  ['has an unknown outcome', '4000000000006702', 'pending'],
])('notifies other windows of a charge that %s', async (_name, number, state) => {
  const { path, sessionId } = await openTestPage(api.database);
  const received = new EventLog<string>();
  const stop = api.progress.subscribe(sessionId, (news) => received.push(news));
  await payOnPage(api.url + path, { ...VISA, number });
  // One for the start of the charge, and one for its state now.
  await received.waitForCount('charge_changed', 2);
  expect(await stateOf(path)).toMatchObject({ state });
  stop();
});
