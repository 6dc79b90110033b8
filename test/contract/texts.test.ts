/** Carrier webhooks about replies and deliveries, the demo's texts, and the log of webhook deliveries. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertTexts } from '../../src/db/texts/texts.ts';
import { parseId } from '../../src/domain/ids.ts';
import { DeliveryList } from '../../src/http/api/routes/webhook-deliveries.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { countSegments } from '../../src/notifications/sms/segments.ts';
import { isFromTwilio } from '../../src/notifications/sms/twilio/incoming.ts';
import { bearer, expectError, insertTestKeys, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { LINK_BASE, startTestApi, type TestApi } from './test-api.ts';

const PUBLIC_URL = 'https://pay.example.com';
const AUTH_TOKEN = '12345';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const CALLER = '+15550107777';

let api: TestApi;
beforeAll(async () => {
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
  const twilio = { authToken: AUTH_TOKEN, publicUrl: PUBLIC_URL };
  api = await startTestApi({ textReplies: { twilio, telnyx: { publicKey: raw } } });
  await insertTestKeys(api);
});
afterAll(() => api.close());

async function optedOut(): Promise<boolean> {
  const { rowCount } = await api.database.query('select 1 from text_opt_outs where phone = $1', [CALLER]);
  return rowCount === 1;
}

async function send(path: string, body: string, headers: Record<string, string>) {
  const response = await fetch(`${api.url}/hooks/sms/${path}`, { method: 'POST', body, headers });
  return { status: response.status, text: await response.text() };
}

describe('Twilio', () => {
  const TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
  const say = (body: string, token = AUTH_TOKEN, optOutType = '') => {
    const form = { From: CALLER, To: '+15550109999', Body: body, MessageSid: 'SM1', OptOutType: optOutType };
    const signed = Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1));
    const text = `${PUBLIC_URL}/hooks/sms/twilio${signed.map((pair) => pair.join('')).join('')}`;
    const signature = createHmac('sha1', token).update(text).digest('base64');
    return send('twilio', new URLSearchParams(form).toString(), { ...TYPE, 'x-twilio-signature': signature });
  };

  test('takes over STOP and START', async () => {
    expect(await say('STOP')).toEqual({ status: 200, text: expect.stringContaining('<Response/>') });
    expect(await optedOut()).toBe(true);
    expect((await say('Start')).status).toBe(200);
    expect(await optedOut()).toBe(false);
  });

  test('uses OptOutType of Twilio for custom STOP and START words', async () => {
    await say('ARRÊT', AUTH_TOKEN, 'STOP');
    expect(await optedOut()).toBe(true);
    await say('Oui', AUTH_TOKEN, 'START');
    expect(await optedOut()).toBe(false);
  });

  test('rejects requests with a wrong signature', async () => {
    expect((await say('STOP', 'guessed')).status).toBe(401);
    expect((await send('twilio', `From=${CALLER}&Body=STOP`, TYPE)).status).toBe(401);
    expect(await optedOut()).toBe(false);
  });

  test('verifies signatures like the official package', () => {
    const form = new URLSearchParams({
      Digits: '1234',
      To: '+18005551212',
      From: '+14158675309',
      Caller: '+14158675309',
      CallSid: 'CA1234567890ABCDE',
    });
    // What `getExpectedTwilioSignature` of the package twilio 6.2.0 answers for these.
    const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';
    expect(isFromTwilio(AUTH_TOKEN, 'https://mycompany.com/myapp.php?foo=1&bar=2', form, signature)).toBe(true);
    expect(isFromTwilio(AUTH_TOKEN, 'https://mycompany.com/myapp.php?foo=1', form, signature)).toBe(false);
  });

  test.each([
    ['https://mycompany.com:443/a?b=1', 'https://mycompany.com/a?b=1', true],
    ['https://mycompany.com/a?b=1', 'https://mycompany.com:443/a?b=1', true],
    ['http://mycompany.com:80/a', 'http://mycompany.com/a', true],
    ['https://mycompany.com:8443/a?b=1', 'https://mycompany.com:8443/a?b=1', true],
    ['https://mycompany.com/a?b=1', 'https://mycompany.com:8443/a?b=1', true],
    ['https://mycompany.com:8443/a', 'https://mycompany.com/a', false],
    ['https://other.com:8443/a', 'https://mycompany.com:8443/a', false],
  ])('accepts a signature with or without the port: %s for %s', (signed, url, expected) => {
    const form = new URLSearchParams({ Body: 'STOP' });
    const signature = createHmac('sha1', AUTH_TOKEN).update(`${signed}BodySTOP`).digest('base64');
    expect(isFromTwilio(AUTH_TOKEN, url, form, signature)).toBe(expected);
  });
});

describe('Telnyx', () => {
  const say = (text: string, { key = privateKey, ageSeconds = 0, type = 'message.received' } = {}) => {
    const payload = { from: { phone_number: CALLER, carrier: '' }, to: [{ phone_number: '+15550109999' }], text };
    const body = JSON.stringify({ data: { record_type: 'event', event_type: type, payload }, meta: { attempt: 1 } });
    const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), key).toString('base64');
    const headers = { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature };
    return send('telnyx', body, { 'content-type': 'application/json', ...headers });
  };

  test('tells of STOP and START', async () => {
    expect((await say('stop')).status).toBe(200);
    expect(await optedOut()).toBe(true);
    expect((await say('UNSTOP')).status).toBe(200);
    expect(await optedOut()).toBe(false);
    expect((await say('STOP', { type: 'message.sent' })).status).toBe(200);
    expect(await optedOut()).toBe(false);
  });

  test('rejects a wrong signature and a replayed request', async () => {
    const { privateKey: other } = generateKeyPairSync('ed25519');
    expect((await say('STOP', { key: other })).status).toBe(401);
    expect((await say('STOP', { ageSeconds: 400 })).status).toBe(401);
    expect((await send('telnyx', '{}', { 'content-type': 'application/json' })).status).toBe(401);
    expect(await optedOut()).toBe(false);
  });
});

describe('delivery reports', () => {
  let count = 0;

  /** Taken by a carrier, or left in doubt. @returns its id */
  async function text(status: 'sent' | 'sending', carrier: string, carrierMessageId: string | null): Promise<string> {
    const { checkout_session_id } = await api.checkout({ merchant_id: 'mer_demo_diner', amount_cents: 100 });
    const id = `txt_status${++count}`;
    await api.database.query(
      `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status, carrier, carrier_message_id,
                          next_attempt_at)
       values ($1, $2, 'live', $3, 'receipt', $4, 'you paid', 1, $5, $6, $7, 'infinity')`,
      [id, DEMO_ACCOUNT, checkout_session_id, CALLER, status, carrier, carrierMessageId],
    );
    return id;
  }

  async function recorded(id: string) {
    const { rows } = await api.database.query(
      'select status, carrier, carrier_message_id as "messageId", delivery, delivery_code as code from texts where id = $1',
      [id],
    );
    return rows[0];
  }

  const twilio = (id: string, fields: Record<string, string>, token = AUTH_TOKEN) => {
    const path = `twilio/status${id === '' ? '' : `?text=${id}`}`;
    const pairs = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
    const signed = `${PUBLIC_URL}/hooks/sms/${path}${pairs.map((pair) => pair.join('')).join('')}`;
    const signature = createHmac('sha1', token).update(signed).digest('base64');
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
    return send(path, new URLSearchParams(fields).toString(), headers);
  };

  const telnyx = (id: string, messageId: string, status: string, errors: { code: string }[] = []) => {
    const payload = { id: messageId, direction: 'outbound', to: [{ phone_number: CALLER, status }], errors };
    const body = JSON.stringify({ data: { record_type: 'event', event_type: 'message.finalized', payload } });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString('base64');
    const headers = { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature };
    return send(`telnyx?text=${id}`, body, { 'content-type': 'application/json', ...headers });
  };

  test('stores Twilio’s reports, and keeps a delivered text delivered', async () => {
    const id = await text('sent', 'twilio', 'SM7');
    expect((await twilio(id, { MessageSid: 'SM7', MessageStatus: 'sent' })).status).toBe(204);
    expect(await recorded(id)).toMatchObject({ delivery: null });
    await twilio(id, { MessageSid: 'SM7', MessageStatus: 'undelivered', ErrorCode: '30003' });
    expect(await recorded(id)).toMatchObject({ status: 'sent', delivery: 'undelivered', code: '30003' });
    expect(api.log.join('')).toContain('text not delivered');
    await twilio(id, { MessageSid: 'SM7', MessageStatus: 'delivered' });
    await twilio(id, { MessageSid: 'SM7', MessageStatus: 'undelivered', ErrorCode: '30005' });
    expect(await recorded(id)).toMatchObject({ delivery: 'delivered', code: null });
  });

  test('finds the text by Twilio’s ID if the URL is configured at Twilio', async () => {
    const id = await text('sent', 'twilio', 'SM8');
    await twilio('', { MessageSid: 'SM8', MessageStatus: 'failed', ErrorCode: '30008' });
    expect(await recorded(id)).toMatchObject({ delivery: 'undelivered', code: '30008' });
  });

  test('stores Telnyx’s reports', async () => {
    const id = await text('sent', 'telnyx', 'msg-1');
    await telnyx(id, 'msg-1', 'delivery_unconfirmed');
    expect(await recorded(id)).toMatchObject({ delivery: 'unconfirmed' });
    await telnyx(id, 'msg-1', 'delivery_failed', [{ code: '40008' }]);
    expect(await recorded(id)).toMatchObject({ delivery: 'undelivered', code: '40008' });
    await telnyx(id, 'msg-of-another', 'delivered');
    expect(await recorded(id)).toMatchObject({ delivery: 'undelivered' });
  });

  test('marks an unknown text as sent after a report', async () => {
    const id = await text('sending', 'telnyx', null);
    await telnyx(id, 'msg-2', 'delivered');
    expect(await recorded(id)).toEqual({
      status: 'sent',
      carrier: 'telnyx',
      messageId: 'msg-2',
      delivery: 'delivered',
      code: null,
    });
  });

  test('rejects reports with a wrong signature', async () => {
    const id = await text('sent', 'twilio', 'SM9');
    expect((await twilio(id, { MessageSid: 'SM9', MessageStatus: 'delivered' }, 'guessed')).status).toBe(401);
    expect(await recorded(id)).toMatchObject({ delivery: null });
    expect((await twilio('txt_NOBODY', { MessageSid: 'SM', MessageStatus: 'delivered' })).status).toBe(204);
  });
});

describe("the demo's texts", () => {
  test('shows the demo’s texts, escaped', async () => {
    const { checkout_session_id } = await api.checkout({ merchant_id: 'mer_demo_diner', amount_cents: 100 });
    const sessionId = parseId('CheckoutSession', checkout_session_id);
    if (sessionId === null) throw new Error('no session');
    const body = '<script>alert(1)</script> you paid';
    const { segments } = countSegments(body);
    const about = { accountId: DEMO_ACCOUNT, mode: 'test' as const, sessionId, chargeId: null, kind: 'receipt' };
    await insertTexts(api.database, [{ ...about, recipient: CALLER, body, segments }]);
    const page = await fetch(`${api.url}/demo/texts`);
    const html = await page.text();
    expect(html).toContain('&lt;script>alert(1)&lt;/script> you paid');
    expect(html).not.toContain('<script>');
  });

  test('links only to the pay page', async () => {
    const businessName = `x" onclick="a ${LINK_BASE}/p/u4jhvmgnzgedx`;
    await api.database.query(`update merchants set business_name = $1 where id = 'mer_demo_books'`, [businessName]);
    const { checkout_session_id } = await api.checkout({
      merchant_id: 'mer_demo_books',
      amount_cents: 4_250,
      caller_phone: CALLER,
    });
    const { short_url } = (await api.post('/v1/send_link', { checkout_session_id })).body;
    const html = await (await fetch(`${api.url}/demo/texts`)).text();
    expect(html.match(/<a .*?<\/a>/g)).toEqual([
      `<a href="${short_url}" target="_blank" rel="noopener">${short_url}</a>`,
    ]);
    expect(html).toContain('x&quot; onclick=&quot;a https://');
  });

  test('does not exist without the demo', async () => {
    const live = await startTestApi({ demoAccount: null });
    try {
      expect((await fetch(`${live.url}/demo/texts`)).status).toBe(404);
      expect((await fetch(`${live.url}/hooks/sms/twilio`, { method: 'POST' })).status).toBe(404);
    } finally {
      await live.close();
    }
  });
});

describe('the delivery log', () => {
  const path = (id: unknown, query = '') => `/v1/webhook_endpoints/${id}/deliveries${query}`;

  test('lists deliveries in pages, newest first, by status', async () => {
    const { body } = await api.post('/v1/webhook_endpoints', {
      url: 'https://hooks.example.com/',
      events: ['checkout.completed'],
    });
    const id = body.webhook_endpoint_id;
    const events: unknown[] = [];
    for (let count = 0; count < 3; count += 1)
      events.push((await api.send('POST', `/v1/webhook_endpoints/${id}/test`)).body.id);
    await api.database.query(
      `insert into webhook_deliveries (endpoint_id, event_id, sequence, status, attempts, attempted_at, latency_ms, status_code, answer)
       select $1, id, sequence, 'delivered', 1, now(), 12, 200, 'thanks' from events where id = any($2)`,
      [id, events],
    );
    await api.database.query(
      "update webhook_deliveries set status = 'waiting', status_code = 500 where event_id = $1",
      [events[2]],
    );
    const read = async (query: string) => DeliveryList.strict().parse((await api.get(path(id, query))).body);
    const first = await read('?limit=2');
    expect(first.deliveries.map(({ event_id }) => event_id)).toEqual([events[2], events[1]]);
    expect(first.deliveries[0]).toMatchObject({
      status: 'waiting',
      next_attempt_at: expect.any(String),
      status_code: 500,
    });
    expect(first.deliveries[1]).toMatchObject({ type: 'test', status: 'delivered', answer: 'thanks', latency_ms: 12 });
    expect(first.has_more).toBe(true);
    const rest = await read(`?starting_after=${events[1]}`);
    expect(rest.deliveries.map(({ event_id }) => event_id)).toEqual([events[0]]);
    expect((await read('?status=waiting')).deliveries.length).toBe(1);
    expectError(await api.get(path(id, '?starting_after=evt_none')), 'invalid_value', 'starting_after');
    expectError(await api.get(path(id), bearer(OTHER_KEY)), 'not_found', 'webhook_endpoint_id');
    expectError(await api.get(path(id), bearer(LIVE_KEY)), 'invalid_key');
    expectError(await api.get(path('we_none')), 'not_found', 'webhook_endpoint_id');
  });
});
