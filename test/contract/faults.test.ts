/** Faults and shutdown: answers are errors of the catalogue and do not reveal the implementation. */
import { EventEmitter, once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { OrderSource } from '../../src/checkout/orders/amount.ts';
import { ErrorObject } from '../../src/contract/error-object.ts';
import { createServer } from '../../src/http/api/server.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

const fine = () => Promise.resolve();
const DINER = { merchant_id: 'mer_demo_diner', amount_cents: 4250 };

describe('the database', () => {
  test('returns session_create_failed if the database rejects the session, with the cause in the log only', async () => {
    api = await startTestApi();
    await api.database.query('alter table checkout_sessions add constraint no_more check (false) not valid');
    const { status, body, text } = await api.post('/v1/create_checkout', DINER);
    expect({ status, code: body.error.code }).toEqual({ status: 500, code: 'session_create_failed' });
    expect(text).not.toMatch(/checkout_sessions|constraint|stack|\.ts/);
    expect(api.log.join('')).toContain('violates check constraint \\"no_more\\"');
  });

  test('returns a retryable internal_error if the database is unavailable', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' });
    api = await startTestApi({ database: { query: () => Promise.reject(away) } as never });
    const { status, body, headers, text } = await api.post('/v1/create_checkout', DINER);
    expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'internal_error' });
    expect([headers.get('retry-after'), body.error.advice_code]).toEqual(['1', 'try_again_later']);
    expect(text).not.toContain('10.1.2.3');
  });

  test('returns internal_error for an unexpected database error', async () => {
    api = await startTestApi({ database: { query: () => Promise.reject(new Error('at 10.1.2.3')) } as never });
    const { status, body, headers, text } = await api.post('/v1/create_checkout', DINER);
    expect({ status, code: body.error.code }).toEqual({ status: 500, code: 'internal_error' });
    expect(headers.get('retry-after')).toBeNull();
    expect(text).not.toContain('10.1.2.3');
  });
});

describe('an order source', () => {
  test.each<[OrderSource['lookUp'], string]>([
    [async () => ({ status: 'unavailable', why: 'late' }), 'order_lookup_failed'],
    [async () => ({ status: 'unknown' }), 'order_lookup_failed'],
    [async () => ({ status: 'unsupported' }), 'order_lookup_unsupported'],
    [() => Promise.reject(new Error('a bug')), 'internal_error'],
  ])('%s', async (lookUp, code) => {
    api = await startTestApi({ orders: { lookUp } });
    const { body } = await api.post('/v1/create_checkout', { merchant_id: 'mer_demo_diner', order_id: 'order_1001' });
    expect(body.error.code).toBe(code);
  });
});

describe('speech', () => {
  test('does not wait for slow or failing speech, but close does', async () => {
    const speaking = new EventEmitter();
    let finished = false;
    const answers = [
      () => Promise.reject(new Error('no voice')),
      () =>
        once(speaking, 'finish').then(() => {
          finished = true;
        }),
    ];
    api = await startTestApi({ speech: { prepare: () => answers.shift()?.() ?? Promise.resolve() } });
    await api.checkout(DINER);
    await api.checkout(DINER);
    expect(finished).toBe(false);
    expect(api.log.join('')).toContain('background work failed');
    const closed = api.close();
    speaking.emit('finish');
    await closed;
    api = undefined;
    expect(finished).toBe(true);
  });
});

describe('health', () => {
  test('answers /healthz without any component', async () => {
    api = await startTestApi({ checks: { postgres: () => Promise.reject(new Error('down')) } });
    const response = await fetch(`${api.url}/healthz`, { headers: { authorization: 'Bearer nonsense' } });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  });

  test('answers /readyz with ready if all components work', async () => {
    api = await startTestApi({ checks: { postgres: fine, redis: fine, engine: fine } });
    const { status, body } = await api.get('/readyz');
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ready', checks: { postgres: 'ok', redis: 'ok', engine: 'ok' } });
  });

  test('answers /readyz with 200 and degraded without an optional component', async () => {
    api = await startTestApi({
      checks: { postgres: fine },
      optionalChecks: { redis: () => Promise.reject(new Error('away')) },
    });
    const { status, body } = await api.get('/readyz');
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'degraded', checks: { postgres: 'ok', redis: 'failed' } });
  });

  test('checks each component for /readyz at most once a second', async () => {
    let requests = 0;
    const postgres = async () => {
      requests += 1;
    };
    api = await startTestApi({ checks: { postgres } });
    const { get } = api;
    const answers = await Promise.all(Array.from({ length: 10 }, () => get('/readyz')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(requests).toBe(1);
  });

  test('does not cache the states that the process knows itself', async () => {
    let connected = true;
    api = await startTestApi({ checks: { postgres: fine }, states: { engine: () => connected } });
    expect((await api.get('/readyz')).status).toBe(200);
    connected = false;
    expect(await api.get('/readyz')).toMatchObject({ status: 503, body: { checks: { engine: 'failed' } } });
    connected = true;
    expect((await api.get('/readyz')).body).toEqual({ status: 'ready', checks: { postgres: 'ok', engine: 'ok' } });
  });

  test('names failing components in /readyz, and limits the wait for each', async () => {
    api = await startTestApi({
      checks: {
        postgres: fine,
        redis: () => {
          throw new Error('redis://:secret@10.0.0.1 refused');
        },
        engine: () => new Promise(() => undefined),
      },
    });
    const { status, body, text } = await api.get('/readyz');
    expect(status).toBe(503);
    expect(body).toMatchObject({
      status: 'not_ready',
      checks: { postgres: 'ok', redis: 'failed', engine: 'timeout' },
      error: { code: 'internal_error' },
    });
    expect(() => ErrorObject.strict().parse(body.error)).not.toThrow();
    expect(text).not.toContain('secret');
  });
});

describe('large bodies', () => {
  test('answers a body of 10 MB instead of resetting the connection', async () => {
    api = await startTestApi();
    const { status, body } = await api.post('/v1/create_checkout', { ...DINER, pad: 'x'.repeat(10_000_000) });
    expect({ status, code: body.error.code, param: body.error.param }).toEqual({
      status: 400,
      code: 'invalid_value',
      param: 'body',
    });
  });

  test('answers a large body of unknown length', async () => {
    api = await startTestApi();
    const { url } = api;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(`${url}/v1/create_checkout`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      request.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      request.write('{"pad":"');
      request.write('x'.repeat(70_000));
    });
    expect(status).toBe(400);
  });
});

describe('stopping', () => {
  test('finishes requests in progress, refuses new ones, and does not wait for idle connections', async () => {
    const lookups = new EventEmitter();
    const arrived = once(lookups, 'arrived');
    api = await startTestApi({
      orders: {
        lookUp: async () => {
          const answered = once(lookups, 'answer');
          lookups.emit('arrived');
          await answered;
          return { status: 'found', amountCents: 5 };
        },
      },
    });
    const { app, url } = api;
    const connection = await openConnection(url);
    const checkout = api.checkout({ merchant_id: 'mer_demo_diner', order_id: 'order_1' });
    await arrived;
    // The next request has begun before we stop (a later one's answer shows that its bytes are read): not an idle
    // connection.
    connection.write('GET /healthz HTTP/1.1\r\n');
    await api.get('/healthz');
    const stopping = once(app.server, 'close');
    const closed = app.close();
    connection.write('Host: a\r\n\r\n');
    const answer = await connection.answer;
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer).toMatch(/retry-after: 1/i);
    expect(answer).toContain('"code":"internal_error"');
    lookups.emit('answer');
    expect(await checkout).toMatchObject({ amount_cents: 5 });
    await Promise.all([closed, stopping]);
  });
});

async function openConnection(url: string): Promise<{ write(text: string): void; answer: Promise<string> }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { write: (data) => socket.write(data), answer: once(socket, 'close').then(() => text) };
}

test('answers only health checks without the role api', async () => {
  const { app } = createServer({
    log: createLog({ level: 'silent', instance: 'test' }),
    docsUrl: null,
    checks: { postgres: fine },
  });
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const answer = await fetch(`${url}/v1/checkout_sessions/cs_1`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      error: { code: 'not_found', doc_url: `${url}/docs/api-reference/error-codes#not_found` },
    });
  } finally {
    await app.close();
  }
});
