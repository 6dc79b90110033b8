/**
 * An operator's view of a paid call with OpenTelemetry: docker/otel.mjs is preloaded into the product, as its first
 * comment explains, and sends real spans to a collector.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { testCard } from '../../src/payments/sandbox/cards.ts';
import { findCardData, type KeyedCard } from '../support/card-data-search.ts';
import { listCharges, waitForEndedCall } from '../support/checkouts.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import { TestCaller } from '../support/test-caller.ts';
import { type CollectedSpan, TraceCollector, treesOf } from '../support/trace-collector.ts';

const CARD: KeyedCard = { number: testCard('amex').number, expiry: '0931', securityCode: '0371' };
const PRELOAD = new URL('../../docker/otel.mjs', import.meta.url).pathname;
/** The trace ID of the system that requests the checkout. */
const TRACE_ID = randomBytes(16).toString('hex');
const ASKING_SPAN = randomBytes(8).toString('hex');

let collector: TraceCollector;
let endpoint: Server;
const deliveries: IncomingHttpHeaders[] = [];
let product: TestProduct;
let caller: TestCaller;

beforeAll(async () => {
  collector = await TraceCollector.start();
  endpoint = createServer((request, response) => {
    deliveries.push(request.headers);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  product = await startProduct({
    NODE_OPTIONS: `--import ${PRELOAD}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    RINGKEY_LOG_LEVEL: 'debug',
  });
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  await post('/v1/webhook_endpoints', { url, events: ['checkout.completed'] });
  caller = await pay();
});

afterAll(async () => {
  await caller?.close();
  await product?.close();
  endpoint?.close();
  collector?.close();
});

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(product.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function pay(): Promise<TestCaller> {
  const payer = await TestCaller.create(product);
  await payer.dial();
  await payer.press(`${CARD.number}${CARD.expiry}${CARD.securityCode}`);
  await payer.outcomeHeadersAfterCall();
  await waitForEndedCall(product.testDatabase, payer.checkout.id);
  return payer;
}

/** Waits for the span, which is exported after its children. */
async function collected(wanted: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
  await expect.poll(() => collector.spans.some(wanted)).toBe(true);
  const span = collector.spans.find(wanted);
  if (span === undefined) throw new Error('a span was collected and is gone');
  return span;
}

/** The log line with the message and the ID; lines arrive late. */
async function logged(message: string, id: string): Promise<object> {
  const find = () =>
    product
      .output()
      .split('\n')
      .find((line) => line.includes(`"msg":"${message}"`) && line.includes(id));
  await expect.poll(find).toBeDefined();
  return JSON.parse(find() ?? '') as object;
}

const isCall = ({ name, attributes }: CollectedSpan) =>
  name === 'call' && attributes['ringkey.session_id'] === caller.checkout.id;

test('a paid call is one trace: its answer, each stage, the charge and the request to the processor', async () => {
  const call = await collected(isCall);
  expect(treesOf(collector.trace(call.traceId))).toEqual([
    [
      'call',
      ['answer'],
      ['step greeting'],
      ['step card_number'],
      ['step expiry'],
      ['step security_code'],
      ['step paying', ['charge', ['processor charge']]],
      ['step leaving'],
      ['step returning'],
    ],
  ]);
});

test('the spans of a paid call have the IDs and the outcome of its records', async () => {
  const { traceId, attributes } = await collected(isCall);
  const [charge] = await listCharges(product.testDatabase, caller.checkout.id);
  const { id: callId } = await waitForEndedCall(product.testDatabase, caller.checkout.id);
  expect(attributes).toMatchObject({
    'ringkey.call_id': callId,
    'ringkey.merchant_id': 'mer_demo_diner',
    'ringkey.mode': 'test',
    'ringkey.outcome': 'succeeded',
    'ringkey.charge_id': charge?.id,
  });
  const processor = collector.trace(traceId).find(({ name }) => name === 'processor charge');
  expect(processor?.attributes).toEqual({
    'ringkey.processor': 'sandbox',
    'ringkey.operation': 'charge',
    'ringkey.charge_id': charge?.id,
    'ringkey.mode': 'test',
    'ringkey.outcome': 'succeeded',
  });
});

test('the log line about the end of a call has the trace ID', async () => {
  const { traceId } = await collected(isCall);
  expect(await logged('call ended', caller.checkout.id)).toMatchObject({ trace_id: traceId });
});

test('a request continues the trace of its traceparent header, and so does its log line', async () => {
  const body = { merchant_id: 'mer_demo_diner', amount_cents: 4_250 };
  const created = await post('/v1/create_checkout', body, { traceparent: `00-${TRACE_ID}-${ASKING_SPAN}-01` });
  const requestId = created.headers.get('x-request-id') ?? '';
  const span = await collected(({ traceId }) => traceId === TRACE_ID);
  expect(span).toMatchObject({ name: 'POST /v1/create_checkout', parentSpanId: ASKING_SPAN });
  expect(span.attributes['http.response.status_code']).toBe(200);
  expect(span.attributes['ringkey.request_id']).toBe(requestId);
  expect(await logged('request answered', requestId)).toMatchObject({ trace_id: TRACE_ID, span_id: span.spanId });
});

test('a request with a wrong key is not traced', async () => {
  const strangersTrace = randomBytes(16).toString('hex');
  const headers = { authorization: `Bearer ${DEMO_KEY}x`, traceparent: `00-${strangersTrace}-${ASKING_SPAN}-01` };
  expect((await post('/v1/create_checkout', {}, headers)).status).toBe(401);
  const after = await post('/v1/create_checkout', { merchant_id: 'mer_none' });
  const requestId = after.headers.get('x-request-id');
  await collected(({ attributes }) => attributes['ringkey.request_id'] === requestId);
  expect(collector.trace(strangersTrace)).toEqual([]);
});

test('the receiver of a webhook gets the trace ID of its delivery', async () => {
  const delivery = await collected(({ name }) => name === 'webhook delivery');
  expect(delivery).toMatchObject({ parentSpanId: '', attributes: { 'ringkey.outcome': 'delivered' } });
  const received = deliveries.find((headers) => headers['webhook-id'] === delivery.attributes['ringkey.event_id']);
  expect(received?.traceparent).toBe(`00-${delivery.traceId}-${delivery.spanId}-01`);
});

test('no span has card data, a phone number or a Call-ID', async () => {
  const { traceId } = await collected(isCall);
  const { rows } = await product.testDatabase.database.query<{ sip_call_id: string }>('select sip_call_id from calls');
  const texts = collector.bodies.map((text, place) => ({ place: `export ${place}`, text }));
  expect(collector.trace(traceId).length).toBeGreaterThan(8);
  expect(findCardData(texts, [CARD])).toEqual([]);
  expect(rows).toHaveLength(1);
  for (const leaked of ['5550101234', ...rows.map(({ sip_call_id: callId }) => callId)]) {
    expect(texts.filter(({ text }) => text.includes(leaked)).map(({ place }) => place)).toEqual([]);
  }
});
