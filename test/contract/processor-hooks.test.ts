/** Signed notifications of processors over HTTP. */
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { handleDueNotifications } from '../../src/payments/notifications/handle-notifications.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { expectError } from './fixtures.ts';
import { type MerchantsApi, startMerchantsApi } from './merchants-api.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

const SECRET = 'the-secret-of-the-first-merchant';
const OTHER_SECRET = 'the-secret-of-another-merchant';

let merchants: MerchantsApi;
let api: TestApi;
beforeAll(async () => {
  merchants = await startMerchantsApi();
  ({ api } = merchants);
});
afterAll(() => api.close());

/** A merchant at the sandbox whose notifications are signed with this secret. */
async function createNotified(secret: string | null = SECRET): Promise<string> {
  const { merchant_id } = await merchants.create();
  const notification_secret = secret ?? undefined;
  expect((await merchants.connect(merchant_id, { processor: 'sandbox', notification_secret })).status).toBe(200);
  return merchant_id;
}

interface Sent {
  secret?: string;
  id?: string;
  type?: string;
  payment?: string | null;
  /** Seconds before now. */
  age?: number;
  body?: string;
  processor?: string;
}

function notify(merchant: string, sent: Sent = {}): Promise<Answer> {
  const { secret = SECRET, id = randomUUID(), type = 'payment.updated', payment = null, age = 0, processor } = sent;
  const body = sent.body ?? JSON.stringify({ id, type, payment_id: payment });
  const time = Math.floor(Date.now() / 1_000) - age;
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return api.send('POST', `/hooks/processors/${processor ?? 'sandbox'}/${merchant}`, body, {
    authorization: '',
    'sandbox-signature': `t=${time},v1=${signature}`,
  });
}

async function inboxOf(merchant: string) {
  const { rows } = await api.database.query<{ event_id: string; isDone: boolean; attempts: number }>(
    `select event_id, due_at is null as "isDone", attempts from processor_notifications
      where merchant_id = $1 order by id`,
    [merchant],
  );
  return rows;
}

const NEVER = new AbortController().signal;
const log = createLog({ level: 'fatal', instance: 'test' });

/** Handles all notifications, as a worker does. */
async function handleAll(): Promise<void> {
  const deps = { database: api.database, processors: [createSandbox(api.database)], log };
  await api.database.query('update processor_notifications set due_at = now() where due_at is not null');
  while ((await handleDueNotifications(deps, NEVER)).more);
}

describe('the secret of notifications', () => {
  test('is set when connecting or later, is stored encrypted, and is never shown', async () => {
    const merchant = await createNotified('a-secret-set-when-connecting');
    const path = `/v1/merchants/${merchant}/processor`;
    expect((await api.get(`${path}/notifications`)).body).toMatchObject({ processor: 'sandbox', has_secret: true });
    const set = await api.post(`${path}/notification_secret`, { notification_secret: 'a-secret-that-was-set-later' });
    expect(set).toMatchObject({ status: 200, body: { merchant_id: merchant, has_secret: true } });
    const { rows } = await api.database.query('select * from merchant_processors where merchant_id = $1', [merchant]);
    expect(rows[0]).toMatchObject({ notification_secret: expect.stringMatching(/^[0-9a-f]{8}\./) });
    const audit = (await api.get('/v1/audit_events?limit=10')).text;
    expect(audit).toContain('merchant.notification_secret_set');
    const shown = JSON.stringify([rows, set.text, audit, api.log]);
    expect(shown).not.toMatch(/a-secret-set-when-connecting|a-secret-that-was-set-later/);
  });

  test('is stored for a merchant of the test data, which was never connected', async () => {
    const path = '/v1/merchants/mer_demo_books/processor/notification_secret';
    expect((await api.post(path, { notification_secret: SECRET })).body).toMatchObject({ has_secret: true });
    expect((await notify('mer_demo_books')).status).toBe(200);
    expect((await api.post(path, { notification_secret: null })).body).toMatchObject({ has_secret: false });
  });

  test('is kept when the processor is connected again', async () => {
    const merchant = await createNotified();
    await merchants.connect(merchant, { processor: 'sandbox' });
    expect((await notify(merchant)).status).toBe(200);
  });

  test('is replaced without losing notifications: the former one is accepted for a day', async () => {
    const merchant = await createNotified();
    const path = `/v1/merchants/${merchant}/processor/notification_secret`;
    await api.post(path, { notification_secret: OTHER_SECRET });
    expect((await notify(merchant)).status).toBe(200);
    expect((await notify(merchant, { secret: OTHER_SECRET })).status).toBe(200);
    await api.database.query(
      `update merchant_processors set previous_secret_until = now() - interval '1 second' where merchant_id = $1`,
      [merchant],
    );
    expectError(await notify(merchant), 'invalid_key');
    expect((await notify(merchant, { secret: OTHER_SECRET })).status).toBe(200);
  });

  test('is removed with null, and then no notification is accepted', async () => {
    const merchant = await createNotified();
    const path = `/v1/merchants/${merchant}/processor/notification_secret`;
    expect((await api.post(path, { notification_secret: null })).body).toMatchObject({ has_secret: false });
    expectError(await notify(merchant), 'invalid_key');
  });

  test('is rejected in another form, and without a processor', async () => {
    const merchant = await createNotified();
    const { merchant_id: unconnected } = await merchants.create();
    const set = (id: string, notification_secret: unknown) =>
      api.post(`/v1/merchants/${id}/processor/notification_secret`, { notification_secret });
    expectError(await set(merchant, 'too short'), 'invalid_value', 'notification_secret');
    expectError(await set(merchant, 'fourteen-chars'), 'invalid_value', 'notification_secret');
    expectError(await set(unconnected, SECRET), 'invalid_processor');
  });
});

test('a flood of one sender is limited, and another merchant of the same processor is not', async () => {
  const own = await startTestApi({ rateLimits: { failure: { requests: 3, windowSeconds: 600 } } });
  try {
    const send = (merchant: string) =>
      own.send('POST', `/hooks/processors/sandbox/${merchant}`, '{}', { authorization: '' });
    const [first, second] = [newId('Merchant'), newId('Merchant')];
    for (let count = 0; count < 3; count += 1) expectError(await send(first), 'invalid_key');
    expectError(await send(first), 'rate_limit');
    expectError(await send(second), 'invalid_key');
  } finally {
    await own.close();
  }
});

test('a flood of signed notifications is limited', async () => {
  const own = await startTestApi({ rateLimits: { key: { requests: 2, windowSeconds: 600 } } });
  try {
    const send = () => own.send('POST', `/hooks/processors/sandbox/mer_demo_diner`, '{}', { authorization: '' });
    expectError(await send(), 'invalid_key');
    expectError(await send(), 'invalid_key');
    expectError(await send(), 'rate_limit');
  } finally {
    await own.close();
  }
});

describe('a notification', () => {
  test('is committed before the response, and a replay changes nothing', async () => {
    const merchant = await createNotified();
    const sent = { id: 'evt_replayed', payment: 'sandbox_unknown' };
    expect((await notify(merchant, sent)).status).toBe(200);
    await handleAll();
    expect((await notify(merchant, sent)).status).toBe(200);
    expect(await inboxOf(merchant)).toEqual([{ event_id: 'evt_replayed', isDone: true, attempts: 1 }]);
  });

  test('is rejected alike if forged, expired, unsigned, of another merchant, or for an unknown address', async () => {
    const [merchant, other] = [await createNotified(), await createNotified(OTHER_SECRET)];
    const withoutSecret = await createNotified(null);
    const rejected = [
      await notify(merchant, { secret: OTHER_SECRET }),
      await notify(merchant, { age: 301 }),
      await notify(merchant, { age: -301 }),
      await notify(other, { secret: SECRET }),
      await notify(withoutSecret),
      await notify('mer_unknown'),
      await notify('mer_g83dnep6khxdgajgzbep2jsyz8'),
      await notify(merchant, { processor: 'stripe' }),
      await notify(merchant, { processor: 'nobody' }),
      await api.send('POST', `/hooks/processors/sandbox/${merchant}`, '{}', { authorization: '' }),
    ];
    for (const answer of rejected) expectError(answer, 'invalid_key');
    expect(new Set(rejected.map(({ body }) => body.error.message)).size).toBe(1);
    expect(await inboxOf(merchant)).toEqual([]);
    expect(await inboxOf(other)).toEqual([]);
  });

  test('of a type that we do not know is acknowledged and recorded', async () => {
    const merchant = await createNotified();
    expect((await notify(merchant, { type: 'invoice.created' })).status).toBe(200);
    expect(await inboxOf(merchant)).toMatchObject([{ isDone: true }]);
  });

  test.each(['', 'no JSON', '{"type":"payment.updated"}', '[]'])(
    'with the signed body %j is rejected',
    async (body) => {
      expectError(await notify(await createNotified(), { body }), 'invalid_json');
    },
  );

  test('that is too large is rejected', async () => {
    const merchant = await createNotified();
    const body = JSON.stringify({ id: 'x', type: 'y', more: 'x'.repeat(300_000) });
    const answer = await notify(merchant, { body });
    expectError(answer, 'invalid_value', 'body');
    expect(answer.text).toContain('The body is larger than 256 KiB.');
    expect(await inboxOf(merchant)).toEqual([]);
  });

  test('about a payment that is not ours is ignored', async () => {
    const merchant = await createNotified();
    await notify(merchant, { payment: 'sandbox_unknown' });
    await handleAll();
    expect(await inboxOf(merchant)).toMatchObject([{ isDone: true, attempts: 1 }]);
  });

  test('does not store or log the body', async () => {
    const merchant = await createNotified();
    const body = JSON.stringify({ id: 'evt_card', type: 'payment.updated', note: 'canary-in-the-body' });
    await notify(merchant, { body });
    const { rows } = await api.database.query('select * from processor_notifications where merchant_id = $1', [
      merchant,
    ]);
    expect(JSON.stringify([rows, api.log])).not.toContain('canary-in-the-body');
  });
});
