/** Unusual HTTP that Node.js or Fastify would answer itself: all errors have an error object. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { expectError } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const BODY = '{"merchant_id":"mer_demo_diner","amount_cents":5}';
const AUTHORIZATION = `Authorization: Bearer ${DEMO_KEY}`;

/** Sends lines and a body on a new connection. Returns all answers until the server closes it. */
async function raw(lines: readonly string[], body: string | Buffer = ''): Promise<Answer[]> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
  });
  await once(socket, 'connect');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  await once(socket, 'close');
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .map(answerOf)
    .filter(({ status }) => status !== 100);
}

function answerOf(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)] as const);
  const body = rest.join('\r\n\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: new Headers(pairs.map(([name, value]): [string, string] => [name, value.trim()])),
    text: body,
    body: body === '' ? {} : JSON.parse(body),
  };
}

const post = (...lines: string[]) => [
  'POST /v1/create_checkout HTTP/1.1',
  AUTHORIZATION,
  'Connection: close',
  `Content-Length: ${BODY.length}`,
  ...lines,
];
const JSON_TYPE = 'Content-Type: application/json';

describe('requests', () => {
  test('rejects a request without a Host header', async () => {
    const [answer] = await raw(post(JSON_TYPE), BODY);
    expectError(answer as Answer, 'invalid_value', 'Host');
  });

  test('accepts a request of HTTP/1.0 without a Host header', async () => {
    const [first = '', ...lines] = post(JSON_TYPE);
    const [answer] = await raw([first.replace('1.1', '1.0'), ...lines], BODY);
    expect(answer).toMatchObject({ status: 200, body: { merchant_id: 'mer_demo_diner' } });
  });

  test('ignores an unknown Expect header', async () => {
    const [answer] = await raw(post('Host: localhost', JSON_TYPE, 'Expect: a miracle'), BODY);
    expect(answer?.status).toBe(200);
  });

  test('answers CONNECT with 404', async () => {
    const [answer] = await raw(['CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443']);
    expectError(answer as Answer, 'not_found');
  });

  test.each(['OPTIONS', 'TRACE', 'PUT', 'PROPFIND'])('answers %s with an error object', async (method) => {
    const [answer] = await raw([`${method} /v1/create_checkout HTTP/1.1`, 'Host: localhost', 'Connection: close']);
    expectError(answer as Answer, 'not_found');
  });

  test.each(['/v1/create_checkout//', '//v1/create_checkout', '/v1//create_checkout', '/V1/create_checkout', '*'])(
    'answers the path %s with 404',
    async (path) => {
      const [answer] = await raw([`POST ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close']);
      expectError(answer as Answer, 'not_found');
    },
  );

  test('answers four pipelined requests in order', async () => {
    const one = ['POST /v1/create_checkout HTTP/1.1', 'Host: localhost', AUTHORIZATION, JSON_TYPE];
    const pipelined = `${[...one, `Content-Length: ${BODY.length}`].join('\r\n')}\r\n\r\n${BODY}`;
    const last = `GET /v1/keys?limit=1 HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZATION}\r\nConnection: close\r\n\r\n`;
    const answers = await raw([...one, 'Content-Length: 2'], `{}${pipelined}${pipelined}${last}`);
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200, 200]);
    expect(answers.at(-1)?.body).toHaveProperty('keys');
  });
});

describe('bodies', () => {
  test('rejects a compressed body', async () => {
    const body = gzipSync(BODY);
    const [line = '', ...lines] = post('Host: localhost', JSON_TYPE, 'Content-Encoding: gzip');
    const head = [line, ...lines.map((text) => text.replace(/^Content-Length.*/, `Content-Length: ${body.length}`))];
    const [answer] = await raw(head, body);
    expectError(answer as Answer, 'invalid_value', 'Content-Encoding');
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=iso-8859-1'])(
    'accepts JSON with the content type %s',
    async (type) => {
      const [answer] = await raw(post('Host: localhost', `Content-Type: ${type}`), BODY);
      expect(answer?.status).toBe(200);
    },
  );

  test.each([
    '',
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Type: application/jsonx',
    'Content-Type: ;;',
  ])('rejects a body with the header line “%s”', async (line) => {
    const [answer] = await raw(post('Host: localhost', ...(line === '' ? [] : [line])), BODY);
    expectError(answer as Answer, 'invalid_value', 'Content-Type');
  });

  test('rejects a request with both Content-Length and Transfer-Encoding', async () => {
    const [answer] = await raw(post('Host: localhost', JSON_TYPE, 'Transfer-Encoding: chunked'), '0\r\n\r\n');
    expectError(answer as Answer, 'invalid_value');
  });
});

test('returns 404 for an ID as long as the header limit allows', async () => {
  const answer = await api.get(`/v1/checkout_sessions/cs_${'x'.repeat(14_000)}`);
  expectError(answer, 'session_not_found', 'checkout_session_id');
});

test.each(['a\u0000b', 'a\r\n b'])('rejects an Idempotency-Key that would inject a header: %j', async (key) => {
  const [answer] = await raw(post('Host: localhost', JSON_TYPE, `Idempotency-Key: ${key}`), BODY);
  expectError(answer as Answer, 'invalid_value');
});
