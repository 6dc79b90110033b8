/** `/v1/webhook_endpoints` and `/v1/events`, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { EVENT_TYPES } from '../../src/db/events/events.ts';
import { EventList, EventResource } from '../../src/http/api/routes/events.ts';
import {
  NewWebhookEndpointResource,
  WebhookEndpointList,
  WebhookEndpointResource,
} from '../../src/http/api/routes/webhook-endpoint-shapes.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { relayBatch } from '../../src/notifications/outbox/relay.ts';
import { bearer, CALLER, expectError, insertTestKeys, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

const HOOK = { url: 'https://hooks.example.com/ringkey', events: ['checkout.completed'] };
const PATH = '/v1/webhook_endpoints';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await insertTestKeys(api);
});
afterAll(() => api.close());

async function create(body: Record<string, unknown> = {}, headers = {}) {
  const answer = await api.post(PATH, { ...HOOK, ...body }, headers);
  expect(answer).toMatchObject({ status: 200 });
  return NewWebhookEndpointResource.strict().parse(answer.body);
}
const remove = (id: string, headers = {}) => api.send('DELETE', `${PATH}/${id}`, undefined, headers);
const secretsOf = async (id: string) =>
  (
    await api.database.query(
      'select signing_secret, previous_secret, previous_secret_until from webhook_endpoints where id = $1',
      [id],
    )
  ).rows[0];

describe('webhook endpoints', () => {
  test('shows the secret once, and stores it encrypted', async () => {
    const { signing_secret, ...endpoint } = await create();
    expect(signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toMatchObject({ ...HOOK, disabled: false });
    const listed = await api.get(PATH);
    expect(WebhookEndpointList.strict().parse(listed.body).webhook_endpoints).toContainEqual(endpoint);
    expect(listed.text + JSON.stringify(await secretsOf(endpoint.webhook_endpoint_id))).not.toContain(signing_secret);
    await remove(endpoint.webhook_endpoint_id);
  });

  test('changes only the fields that are sent', async () => {
    const { signing_secret: _, ...endpoint } = await create();
    const change = async (body: unknown) => {
      const answer = await api.send('PATCH', `${PATH}/${endpoint.webhook_endpoint_id}`, body);
      return WebhookEndpointResource.strict().parse(answer.body);
    };
    expect(await change({ disabled: true })).toEqual({ ...endpoint, disabled: true });
    expect(await change({ events: [...EVENT_TYPES] })).toEqual({
      ...endpoint,
      disabled: true,
      events: [...EVENT_TYPES],
    });
    const url = 'https://other.example.com/';
    expect(await change({ url, disabled: false })).toEqual({ ...endpoint, url, events: [...EVENT_TYPES] });
    await remove(endpoint.webhook_endpoint_id);
  });

  test('rolls the secret, with or without a time for the old one', async () => {
    const { webhook_endpoint_id: id, signing_secret } = await create();
    const roll = (body: unknown) => api.post(`${PATH}/${id}/roll_secret`, body);
    const rolled = NewWebhookEndpointResource.strict().parse((await roll({})).body);
    expect(rolled.signing_secret).toMatch(/^whsec_/);
    expect(rolled.signing_secret).not.toBe(signing_secret);
    expect((await secretsOf(id)).previous_secret).not.toBeNull();
    await roll({ expires_in_seconds: 0 });
    expect(await secretsOf(id)).toMatchObject({ previous_secret: null, previous_secret_until: null });
    for (const expires_in_seconds of [-1, 604_801, '5', 1.5]) {
      expectError(await roll({ expires_in_seconds }), 'invalid_value', 'expires_in_seconds');
    }
    expect((await api.send('POST', `${PATH}/${id}/roll_secret`)).status).toBe(200);
    await remove(id);
  });

  test('sends a test event to one endpoint only', async () => {
    const { webhook_endpoint_id: id } = await create();
    const answer = await api.send('POST', `${PATH}/${id}/test`);
    const event = EventResource.strict().parse(answer.body);
    expect(event).toMatchObject({ type: 'test', mode: 'test', data: { checkout_session: null, charge: null } });
    const { rows } = await api.database.query(
      'select webhook_endpoint_id, relayed_at, account_id, mode from events where id = $1',
      [event.id],
    );
    expect(rows).toEqual([{ webhook_endpoint_id: id, relayed_at: null, account_id: DEMO_ACCOUNT, mode: 'test' }]);
    await remove(id);
  });

  test('deletes an endpoint and its secret', async () => {
    const { webhook_endpoint_id: id } = await create();
    expect((await remove(id)).body).toEqual({ webhook_endpoint_id: id, deleted: true });
    expect(await secretsOf(id)).toMatchObject({ signing_secret: '' });
    const { body } = await api.get(PATH);
    expect(JSON.stringify(body)).not.toContain(id);
  });

  test.each(['http://127.0.0.1:9000/x', 'http://localhost/', 'http://[::1]:9000/'])(
    'of a test may be at %s',
    async (url) => {
      await remove((await create({ url })).webhook_endpoint_id);
    },
  );
});

describe('a wrong endpoint', () => {
  const CASES: [Record<string, unknown>, ErrorCode, string][] = [
    [{ events: ['checkout.completed', 'checkout.completed'] }, 'invalid_events', 'events'],
    [{ events: ['checkout.completed', 'checkout.nothing'] }, 'invalid_events', 'events.1'],
    [{ events: ['test'] }, 'invalid_events', 'events.0'],
    [{ secret: 'mine' }, 'invalid_value', 'secret'],
    ...[
      '',
      'hooks',
      'http://hooks.example.com/',
      'ftp://hooks.example.com/',
      'https://',
      'https://a:b@hooks.example.com/',

      'javascript:alert(1)',
      `https://hooks.example.com/${'x'.repeat(2_048)}`,
      'http://10.0.0.1/',
      5,
      null,
      ['https://a.com'],
    ].map((url): [Record<string, unknown>, ErrorCode, string] => [{ url }, 'invalid_url', 'url']),
    ...[[], 'checkout.completed', null, {}].map((events): [Record<string, unknown>, ErrorCode, string] => [
      { events },
      'invalid_events',
      'events',
    ]),
  ];
  test.each(CASES)('rejects %j', async (body, code, param) => {
    expectError(await api.post(PATH, { ...HOOK, ...body }), code, param);
    const { webhook_endpoint_id: id } = await create();
    const changed = await api.send('PATCH', `${PATH}/${id}`, body);
    // There every field is optional, and one that says nothing absent.
    if (Object.values(body).some((value) => value === null || value === '')) expect(changed.status).toBe(200);
    else expectError(changed, code, param);
    await remove(id);
  });

  test.each(['url', 'events'])('requires %s', async (field) => {
    expectError(await api.post(PATH, { ...HOOK, [field]: undefined }), 'missing_required_fields', field);
  });

  test.each([
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/',
    'https://intranet/',
  ])('rejects %s in live mode', async (url) => {
    expectError(await api.post(PATH, { ...HOOK, url }, bearer(LIVE_KEY)), 'invalid_url', 'url');
  });

  test('does not find or change endpoints of others', async () => {
    const { webhook_endpoint_id: id } = await create();
    const asks: ((path: string, headers?: Record<string, string>) => Promise<Answer>)[] = [
      (path, headers) => api.send('PATCH', path, {}, headers),
      (path, headers) => api.send('POST', `${path}/roll_secret`, {}, headers),
      (path, headers) => api.send('POST', `${path}/test`, undefined, headers),
      (path, headers) => api.send('DELETE', path, undefined, headers),
    ];
    for (const ask of asks) {
      expectNotFound(await ask(`${PATH}/${id}`, bearer(OTHER_KEY)), 'webhook_endpoint_id');
      expectError(await ask(`${PATH}/${id}`, bearer(LIVE_KEY)), 'invalid_key');
      for (const none of ['we_nobody', 'evt_1', 'we_%00'])
        expectNotFound(await ask(`${PATH}/${none}`), 'webhook_endpoint_id');
    }
    await remove(id);
  });
});

test('limits an account to sixteen endpoints per mode, also at once', async () => {
  const headers = bearer(OTHER_KEY);
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(PATH, HOOK, headers)));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(4);
  for (const answer of refused) expectError(answer, 'invalid_value');
  const { webhook_endpoints, has_more } = WebhookEndpointList.parse((await api.get(`${PATH}?limit=10`, headers)).body);
  expect([webhook_endpoints.length, has_more]).toEqual([10, true]);
  const last = webhook_endpoints.at(-1)?.webhook_endpoint_id;
  const restOf = async () => WebhookEndpointList.parse((await api.get(`${PATH}?starting_after=${last}`, headers)).body);
  const rest = await restOf();
  expect([rest.webhook_endpoints.length, rest.has_more]).toEqual([6, false]);
  await remove(last ?? '', headers);
  // Paging continues after an endpoint that was deleted in the meantime.
  expect(await restOf()).toEqual(rest);
  await create({}, headers);
});

test('rejects endpoints without encryption keys', async () => {
  const own = await startTestApi({ vault: null });
  try {
    expectError(await own.post(PATH, HOOK), 'not_configured');
  } finally {
    await own.close();
  }
});

describe('events', () => {
  const METADATA = { b: '1', a: 'é' };

  async function paid(): Promise<string> {
    const body = { merchant_id: 'mer_demo_diner', amount_cents: 700, caller_phone: CALLER, metadata: METADATA };
    const { checkout_session_id } = await api.checkout(body);
    await api.post('/v1/charge', { checkout_session_id, instrument_id: 'card_demo_visa' });
    return checkout_session_id;
  }

  test('lists the events of a payment, newest first, with metadata', async () => {
    const id = await paid();
    const answer = await api.get(`/v1/events?checkout_session_id=${id}`);
    const { events, has_more } = EventList.strict().parse(answer.body);
    expect(has_more).toBe(false);
    expect(events.map(({ type }) => type)).toEqual(['checkout.completed', 'checkout.succeeded']);
    expect(events[0]?.data).toMatchObject({
      outcome: 'succeeded',
      charge: { status: 'succeeded', amount_cents: 700 },
      checkout_session: {
        checkout_session_id: id,
        session_status: 'complete',
        environment: 'test',
        metadata: METADATA,
      },
    });
    expect(events[0]?.sequence).toBeGreaterThan(events[1]?.sequence ?? Number.NaN);
  });

  test('shows delivered events byte for byte, also after later changes', async () => {
    const { body: merchant } = await api.post('/v1/merchants', { business_name: 'Old Name' });
    const { merchant_id } = merchant;
    await api.post(`/v1/merchants/${merchant_id}/processor`, { processor: 'sandbox' });
    const { checkout_session_id: id } = await api.checkout({ merchant_id, amount_cents: 700, caller_phone: CALLER });
    const card = { merchant_id, caller_phone: CALLER, token: 'tok_visa' };
    const { instrument_id } = (await api.post('/v1/cards', card)).body;
    expect((await api.post('/v1/charge', { checkout_session_id: id, instrument_id })).status).toBe(200);
    while ((await relayBatch({ database: api.database, docsUrl: 'https://docs.example.com' })).more);
    await api.send('PATCH', `/v1/merchants/${merchant_id}`, { business_name: 'New Name' });
    const { rows } = await api.database.query<{ id: string; body: string }>(
      'select id, body from events where session_id = $1 order by sequence desc',
      [id],
    );
    const { text } = await api.get(`/v1/events?checkout_session_id=${id}`);
    expect(text).toBe(`{"events":[${rows.map(({ body }) => body).join(',')}],"has_more":false}`);
    expect(text).toContain('"business_name":"Old Name"');
    expect((await api.send('POST', `/v1/events/${rows[0]?.id}/resend`)).text).toBe(rows[0]?.body);
  });

  test('shows the failure in the events of a decline', async () => {
    const { body: card } = await api.post('/v1/cards', {
      merchant_id: 'mer_demo_diner',
      caller_phone: CALLER,
      token: 'tok_lost_card',
    });
    const { checkout_session_id } = await api.checkout({
      merchant_id: 'mer_demo_diner',
      amount_cents: 1,
      caller_phone: CALLER,
    });
    await api.post('/v1/charge', { checkout_session_id, instrument_id: card.instrument_id });
    const { events } = EventList.parse((await api.get(`/v1/events?checkout_session_id=${checkout_session_id}`)).body);
    expect(events).toMatchObject([
      {
        type: 'checkout.failed',
        data: {
          outcome: 'failed',
          charge: { status: 'failed' },
          failure: { code: 'card_declined', decline_code: 'lost_card' },
          checkout_session: { session_status: 'open' },
        },
      },
    ]);
  });

  test('lists the account’s own events in pages, by type', async () => {
    await paid();
    await paid();
    const seen: string[] = [];
    for (let after = ''; ; after = `&starting_after=${seen.at(-1)}`) {
      const page = EventList.parse((await api.get(`/v1/events?type=checkout.succeeded&limit=1${after}`)).body);
      seen.push(...page.events.map(({ id }) => id));
      if (!page.has_more) break;
    }
    const { rows } = await api.database.query<{ id: string }>(
      `select id from events where type = 'checkout.succeeded' order by sequence desc`,
    );
    expect(seen).toEqual(rows.map(({ id }) => id));
    expect(seen.length).toBeGreaterThanOrEqual(2);
    for (const key of [OTHER_KEY, LIVE_KEY]) {
      expect((await api.get('/v1/events', bearer(key))).body).toEqual({ events: [], has_more: false });
    }
  });

  test.each<[string, ErrorCode, string]>([
    ['type=checkout.nothing', 'invalid_value', 'type'],
    ['limit=0', 'invalid_value', 'limit'],
    ['starting_after=evt_nobody', 'invalid_value', 'starting_after'],
    ['checkout_session_id=1', 'session_not_found', 'checkout_session_id'],
  ])('rejects a list of events for %s', async (query, code, param) => {
    expectError(await api.get(`/v1/events?${query}`), code, param);
  });

  test('sends an event again on request', async () => {
    const id = await paid();
    const { events } = EventList.parse((await api.get(`/v1/events?checkout_session_id=${id}`)).body);
    const event = events[0]?.id;
    await api.database.query('update events set relayed_at = now() where session_id = $1', [id]);
    const path = `/v1/events/${event}/resend`;
    expect(EventResource.strict().parse((await api.send('POST', path)).body).id).toBe(event);
    const { rows } = await api.database.query(
      'select id, relayed_at is null as waits, resend_requested_at is not null as asked from events where session_id = $1',
      [id],
    );
    expect(rows.filter(({ waits }) => waits)).toEqual([{ id: event, waits: true, asked: true }]);
    expectNotFound(await api.send('POST', path, undefined, bearer(OTHER_KEY)), 'event_id');
    expectError(await api.send('POST', path, undefined, bearer(LIVE_KEY)), 'invalid_key');
    expectNotFound(await api.send('POST', '/v1/events/evt_nobody/resend'), 'event_id');
  });
});

function expectNotFound(answer: Answer, param: string): void {
  expectError(answer, 'not_found', param);
}
