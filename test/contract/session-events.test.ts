/** `GET /v1/checkout_sessions/{id}/events`: server-sent events, over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CallEventResource } from '../../src/contract/call-events.ts';
import { insertKey } from '../../src/db/keys/keys.ts';
import type { CallEvent, CallEventType } from '../../src/domain/call-progress.ts';
import { type CheckoutSessionId, newId, parseId } from '../../src/domain/ids.ts';
import { newKey } from '../../src/domain/key.ts';
import { DEMO_ACCOUNT, DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { bearer } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const DINER = { merchant_id: 'mer_demo_diner', amount_cents: 4250 };
const MERCHANT = parseId('Merchant', 'mer_demo_diner');

async function open(from: TestApi = api): Promise<CheckoutSessionId> {
  return (await from.checkout(DINER)).checkout_session_id as CheckoutSessionId;
}

function eventOf(sessionId: CheckoutSessionId, type: CallEventType, sequence: number): CallEvent {
  if (MERCHANT === null) throw new Error('no merchant');
  return {
    id: newId('Event'),
    type,
    at: new Date().toISOString(),
    sequence,
    accountId: DEMO_ACCOUNT,
    mode: 'test',
    callId: newId('Call'),
    sessionId,
    merchantId: MERCHANT,
    platformCallId: null,
    step: type === 'call.step' ? { name: 'expiry', attempt: 2 } : null,
    returnRoute: type === 'call.returned' ? 'refer' : null,
    outcome: type === 'call.ended' ? { kind: 'canceled', reason: null, chargeId: null } : null,
  };
}

class Stream {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #text = '';
  ended = false;

  constructor(response: Response) {
    this.response = response;
    this.#reader = response.body?.getReader();
    void this.#read();
  }

  /** The frames so far, without comments and `retry`. */
  get frames(): string[] {
    return this.#text.split('\n\n').filter((frame) => frame.startsWith('id: '));
  }

  get ids(): (string | undefined)[] {
    return this.frames.map((frame) => /^id: (.*)$/m.exec(frame)?.[1]);
  }

  close(): Promise<void> | undefined {
    return this.#reader?.cancel();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = (await this.#reader?.read().catch(() => undefined)) ?? { done: true, value: undefined };
      if (done) break;
      this.#text += decoder.decode(value, { stream: true });
    }
    this.ended = true;
  }
}

async function follow(id: string, headers: Record<string, string> = {}, from: TestApi = api): Promise<Stream> {
  const answer = await fetch(`${from.url}/v1/checkout_sessions/${id}/events`, {
    headers: { authorization: `Bearer ${DEMO_KEY}`, ...headers },
  });
  return new Stream(answer);
}

test('sends the events of the session’s calls, each as a webhook has it', async () => {
  const [id, other] = [await open(), await open()];
  const stream = await follow(id);
  expect(stream.response.status).toBe(200);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  const events = (['call.answered', 'call.step', 'call.returned', 'call.ended'] as const).map((type, place) =>
    eventOf(id, type, place + 1),
  );
  api.progress.publishCall(eventOf(other, 'call.answered', 1));
  for (const event of events) api.progress.publishCall(event);
  await expect.poll(() => stream.ids).toEqual(events.map((event) => event.id));
  const bodies = stream.frames.map((frame) => JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '') as unknown);
  for (const body of bodies) expect(() => CallEventResource.strict().parse(body)).not.toThrow();
  expect(bodies[1]).toMatchObject({ type: 'call.step', data: { call: { step: 'expiry', attempt: 2 } } });
  expect(stream.frames[1]).toMatch(/^event: call\.step$/m);
  await stream.close();
});

test('starts after the event that the client has named, and with new events for an unknown one', async () => {
  const id = await open();
  const events = [1, 2, 3].map((sequence) => eventOf(id, 'call.step', sequence));
  for (const event of events) api.progress.publishCall(event);
  const again = await follow(id, { 'last-event-id': events[0]?.id ?? '' });
  await expect.poll(() => again.ids).toEqual(events.slice(1).map((event) => event.id));
  const unknown = await follow(id, { 'last-event-id': 'evt_unknown' });
  const next = eventOf(id, 'call.step', 4);
  api.progress.publishCall(next);
  await expect.poll(() => unknown.ids).toEqual([next.id]);
  await Promise.all([again.close(), unknown.close()]);
});

test('ends when the session is final and no call is live, and answers 204 after that', async () => {
  const id = await open();
  const stream = await follow(id);
  await api.database.query(`update checkout_sessions set expires_at = now() where id = $1`, [id]);
  const ended = eventOf(id, 'call.ended', 1);
  api.progress.publishCall(ended);
  api.progress.publish(id, 'session_expired');
  await expect.poll(() => stream.ended).toBe(true);
  expect(stream.ids).toEqual([ended.id]);
  expect((await follow(id)).response.status).toBe(204);
});

test('follows a session that is paid while its call is live', async () => {
  const id = await open();
  await api.database.query(
    `insert into calls (id, account_id, mode, session_id, merchant_id, instance, lease_id, sip_call_id, source_address,
                        sip_dialogs, allows_refer, answered_at)
     values ($1, $2, 'test', $3, 'mer_demo_diner', 'test', 1, $1, '192.0.2.1', '{}', true, now())`,
    [newId('Call'), DEMO_ACCOUNT, id],
  );
  await api.database.query(`update checkout_sessions set status = 'complete' where id = $1`, [id]);
  const stream = await follow(id);
  expect(stream.response.status).toBe(200);
  await api.database.query(`update calls set ended_at = now() where session_id = $1`, [id]);
  api.progress.publish(id, 'call_stage');
  await expect.poll(() => stream.ended).toBe(true);
});

test('tells a client of an earlier process how the call ended, once', async () => {
  const id = await open();
  const callId = newId('Call');
  await api.database.query(
    `insert into calls (id, account_id, mode, session_id, merchant_id, instance, lease_id, sip_call_id, source_address,
                        sip_dialogs, allows_refer, answered_at, ended_at, outcome, reason)
     values ($1, $2, 'test', $3, 'mer_demo_diner', 'test', 1, $1, '192.0.2.1', '{}', true, now(), now(), 'failed', 'error')`,
    [callId, DEMO_ACCOUNT, id],
  );
  const stream = await follow(id, { 'last-event-id': newId('Event') });
  await expect.poll(() => stream.frames.length).toBe(1);
  const [frame = ''] = stream.frames;
  const body = CallEventResource.strict().parse(JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? ''));
  expect(body).toMatchObject({
    type: 'call.ended',
    data: { call: { call_id: callId, checkout_session_id: id, outcome: 'failed', reason: 'error', charge_id: null } },
  });
  await stream.close();

  await api.database.query(`update checkout_sessions set status = 'complete' where id = $1`, [id]);
  const last = await follow(id, { 'last-event-id': 'evt_unknown' });
  await expect.poll(() => last.ended).toBe(true);
  expect(last.ids).toEqual([body.id]);
  expect((await follow(id, { 'last-event-id': body.id })).response.status).toBe(204);
  expect((await follow(id)).response.status).toBe(204);
});

test('needs a key of the account and mode, and takes one with the scope agent', async () => {
  const id = await open();
  const [agent, live] = [newKey('test'), newKey('live')];
  await insertKey(api.database, { accountId: DEMO_ACCOUNT, mode: 'test', key: agent, scope: 'agent' });
  await insertKey(api.database, { accountId: DEMO_ACCOUNT, mode: 'live', key: live });
  const streamed = await follow(id, bearer(agent));
  expect(streamed.response.status).toBe(200);
  await streamed.close();
  expect((await follow(id, bearer(live))).response.status).toBe(401);
  expect((await follow('cs_unknown')).response.status).toBe(404);
  const head = await api.send('HEAD', `/v1/checkout_sessions/${id}/events`);
  expect(head.status).toBe(404);
});

test('a shutdown ends the streams', async () => {
  const own = await startTestApi();
  const stream = await follow(await open(own), {}, own);
  expect(stream.response.status).toBe(200);
  await own.close();
  await expect.poll(() => stream.ended).toBe(true);
});
