/** `POST /v1/calls/{call_id}/end`: what it stores, answers and rejects. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CallWithTimelineResource } from '../../src/contract/calls.ts';
import { findEndRequests } from '../../src/db/calls/calls.ts';
import { phoneProcess } from '../../src/notifications/progress/ports.ts';
import { endedCall, liveCall } from '../dashboard/objects.ts';
import { EventLog } from '../integration/phone/event-log.ts';
import { bearer, expectError, insertTestKeys, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

/** The process of the call that {@link liveCall} inserts. */
const LEASE = 1;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await insertTestKeys(api);
});
afterAll(() => api.close());

async function call(): Promise<string> {
  const { checkout_session_id } = await api.checkout({ merchant_id: 'mer_demo_diner', amount_cents: 900 });
  return liveCall(api, checkout_session_id, 'card_number');
}

const end = (id: string, headers: Record<string, string> = {}) => api.post(`/v1/calls/${id}/end`, undefined, headers);
const auditOf = async (id: string) => (await api.get(`/v1/audit_events?object=${id}`)).body.audit_events;
const change = (id: string, what: string) => api.database.query(`update calls set ${what} where id = $1`, [id]);

test('marks a live call as ending and notifies its process', async () => {
  const id = await call();
  const news = new EventLog<string>();
  const stop = api.progress.subscribe(phoneProcess(LEASE), (type) => news.push(type));
  const { status, body } = await end(id);
  stop();
  expect(status).toBe(200);
  const { end_requested_at: at } = CallWithTimelineResource.strict().parse(body);
  expect(body).toMatchObject({ call_id: id, status: 'live', ended_at: null, end_requested_at: expect.any(String) });
  expect(Math.abs(Date.parse(at ?? '') - Date.now())).toBeLessThan(60_000);
  expect(news.entries).toContain('end_requested');
  expect(await findEndRequests(api.database, LEASE)).toContain(id);
  expect(await findEndRequests(api.database, LEASE + 1)).toEqual([]);
  expect((await api.get(`/v1/calls/${id}`)).body).toEqual(body);
});

test('treats two requests as one, and records who made it', async () => {
  const id = await call();
  const [first, second] = await Promise.all([end(id), end(id)]);
  const third = await end(id);
  expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
  expect(new Set([first, second, third].map(({ body }) => body.end_requested_at)).size).toBe(1);
  expect(await auditOf(id)).toEqual([
    expect.objectContaining({ action: 'call.end_requested', object_type: 'call', actor: 'key', changes: {} }),
  ]);
  await change(id, 'ended_at = now()');
  // Its answer was lost, say: what it asked for is so.
  expect((await end(id)).body).toMatchObject({ status: 'ended', end_requested_at: first.body.end_requested_at });
  expect(await findEndRequests(api.database, LEASE)).not.toContain(id);
});

test('rejects a call that has ended or is back with the agent', async () => {
  const { checkout_session_id } = await api.checkout({ merchant_id: 'mer_demo_diner', amount_cents: 900 });
  const over = await endedCall(api, checkout_session_id);
  expectError(await end(over), 'invalid_value', 'call_id');
  const bridged = await call();
  await change(bridged, `return_mode = 'bridge', stage = 'returning'`);
  expectError(await end(bridged), 'invalid_value', 'call_id');
  for (const id of [over, bridged]) {
    expect(await auditOf(id)).toEqual([]);
    expect((await api.get(`/v1/calls/${id}`)).body.end_requested_at).toBeNull();
  }
});

test('does not end a call of another account or of the other mode', async () => {
  const id = await call();
  expectError(await end(id, bearer(OTHER_KEY)), 'not_found', 'call_id');
  expectError(await end(id, bearer(LIVE_KEY)), 'invalid_key');
  for (const forged of ['call_nobody', 'x', '%00', 'cs_1']) expectError(await end(forged), 'not_found', 'call_id');
  expect((await api.get(`/v1/calls/${id}`)).body.end_requested_at).toBeNull();
  expect(await auditOf(id)).toEqual([]);
});
