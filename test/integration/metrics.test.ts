/** The metrics of a running product: payments, calls, webhooks, texts, and what waits for delivery. */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import type { PaymentRequest, PaymentResult } from '../../src/payments/charges/take-payment.ts';
import { withMetrics } from '../../src/payments/observability/with-metrics.ts';
import { createCheckout } from '../support/checkouts.ts';
import { startProduct, type TestProduct } from '../support/product.ts';

let product: TestProduct;
let endpoint: Server;
beforeAll(async () => {
  endpoint = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  product = await startProduct({ RINGKEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64') });
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  await post('/v1/webhook_endpoints', { url, events: ['checkout.completed'] });
});
afterAll(async () => {
  await product.close();
  endpoint.close();
});

async function post(path: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(product.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, string>;
}

/** All Ringkey samples by name and labels. */
async function samples(): Promise<Map<string, number>> {
  const text = await (await fetch(`${product.baseUrl}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('ringkey_'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

async function pay(token: string): Promise<void> {
  const card = { merchant_id: 'mer_demo_diner', caller_phone: '+15550101234', token };
  const { instrument_id } = await post('/v1/cards', card);
  const { id } = await createCheckout(product);
  await post('/v1/charge', { checkout_session_id: id, instrument_id });
}

test('counts charges by outcome, with their webhooks and texts, until nothing waits', async () => {
  await pay('tok_visa');
  await pay('tok_do_not_honor');
  const charges = (outcome: string) =>
    `ringkey_charges_total{outcome="${outcome}",processor="sandbox",source="saved_card"}`;
  const now = await samples();
  expect([now.get(charges('succeeded')), now.get(charges('failed'))]).toEqual([1, 1]);
  const delivered = 'ringkey_webhook_attempt_duration_seconds_count{result="delivered"}';
  await expect.poll(async () => (await samples()).get(delivered)).toBe(1);
  await expect.poll(async () => (await samples()).get('ringkey_texts_total{carrier="log",status="sent"}')).toBe(1);
  await expect
    .poll(async () => {
      const all = await samples();
      const kinds = ['events', 'webhooks', 'texts', 'charges'];
      return kinds.flatMap((kind) => [
        all.get(`ringkey_waiting{kind="${kind}"}`),
        all.get(`ringkey_oldest_waiting_seconds{kind="${kind}"}`),
      ]);
    })
    .toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

test('counts the characters that a synthesizer renders', async () => {
  // No other test uses this amount, so its sentence is not in the shared cache.
  await createCheckout(product, { amount_cents: 98_761 });
  const characters = 'ringkey_speech_characters_total{synthesizer="espeak-ng"}';
  await expect.poll(async () => (await samples()).get(characters) ?? 0).toBeGreaterThan(0);
});

test('counts what waits for delivery, with the age of the oldest', async () => {
  const { database } = product.testDatabase;
  const { id } = await createCheckout(product);
  await database.query(
    `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, created_at, next_attempt_at)
     select 'txt_' || n, s.account_id, s.mode, s.id, 'receipt', '+15550101234', 'x', 1, now() - n * interval '1 hour', 'infinity'
       from generate_series(1, 2) n, checkout_sessions s where s.id = $1`,
    [id],
  );
  const all = await samples();
  expect(all.get('ringkey_waiting{kind="texts"}')).toBe(2);
  expect(all.get('ringkey_oldest_waiting_seconds{kind="texts"}')).toBeGreaterThanOrEqual(7_200);
  await database.query("delete from texts where id in ('txt_1', 'txt_2')");
});

test('counts a refused call by its status', async () => {
  if (product.config.RINGKEY_ENGINE !== 'builtin') return;
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const refused = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      if (data.toString().startsWith('SIP/2.0 404')) resolve();
    });
  });
  const { port } = socket.address();
  socket.send(invite(port), product.config.RINGKEY_SIP_PORT, '127.0.0.1');
  await refused;
  socket.close();
  const all = await samples();
  expect(all.get('ringkey_calls_refused_total{status="404"}')).toBe(1);
  for (const cause of ['event_loop', 'media_server', 'database']) {
    expect(all.get(`ringkey_calls_overloaded_total{cause="${cause}"}`)).toBe(0);
  }
  // The call's session was looked up in the database.
  expect(all.get('ringkey_database_answer_seconds')).toBeGreaterThan(0);
  expect(all.get('ringkey_event_loop_use')).toBeGreaterThan(0);
  expect(all.get('ringkey_calls_total{outcome="succeeded"}')).toBe(0);
  await expect.poll(async () => (await samples()).get('ringkey_calls_live')).toBe(0);
});

function invite(port: number): string {
  const at = `127.0.0.1:${port}`;
  return [
    'INVITE sip:cs_nobody-token@127.0.0.1 SIP/2.0',
    `Via: SIP/2.0/UDP ${at};branch=z9hG4bKmetrics`,
    'Max-Forwards: 70',
    `From: <sip:caller@${at}>;tag=1`,
    'To: <sip:cs_nobody-token@127.0.0.1>',
    'Call-ID: metrics',
    'CSeq: 1 INVITE',
    `Contact: <sip:caller@${at}>`,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}

describe('a payment', () => {
  const request = { source: 'page', card: { kind: 'saved', instrumentId: 'card_1' } } as PaymentRequest;
  const charge = { processor: 'stripe', source: 'page', instrumentId: 'card_1' };

  test.each<[Partial<PaymentResult>, unknown[]]>([
    [{ type: 'pending', charge } as never, [['pending', { processor: 'stripe', source: 'page' }]]],
    [{ type: 'refused', charge: null }, [['refused', { processor: 'none', source: 'page' }]]],
    [
      { type: 'refused', charge: { ...charge, instrumentId: 'card_2' } } as never,
      [['refused', { processor: 'none', source: 'page' }]],
    ],
    // A repeated request that returns an earlier charge.
    [{ type: 'refused', charge } as never, []],
    [{ type: 'refused', reason: 'repeated', charge: { ...charge, instrumentId: null } } as never, []],
    [{ type: 'action_required', charge } as never, []],
    [{ type: 'succeeded', charge } as never, []],
    [{ type: 'declined', charge } as never, []],
  ])('with the result %j is counted here only if nothing else counts it', async (result, expected) => {
    const seen: unknown[] = [];
    const pay = withMetrics(async () => result as PaymentResult, { charge: (...counted) => seen.push(counted) });
    expect(await pay(request)).toBe(result);
    expect(seen).toEqual(expected);
  });
});
