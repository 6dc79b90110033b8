/** Every log line of a request has the request ID of its answer. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLER } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

const MERCHANT = 'mer_demo_diner';
const TWILIO = { authToken: '12345', publicUrl: 'https://pay.example.com' };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    textReplies: { twilio: TWILIO },
    speech: { prepare: () => Promise.reject(new Error('no voice')) },
    checks: { engine: () => Promise.reject(new Error('no engine')) },
  });
});
// Fails, as that of all contract tests does, if a line was written without its request.
afterAll(() => api.close());

/** The log messages of a request, in alphabetical order. */
function said(requestId: string): string[] {
  const lines = api.log.map((line): { msg: string; request_id?: string } => JSON.parse(line));
  return lines.flatMap(({ msg, request_id }) => (request_id === requestId ? [msg] : [])).sort();
}

async function session(): Promise<string> {
  return (await api.checkout({ merchant_id: MERCHANT, amount_cents: 700, caller_phone: CALLER })).checkout_session_id;
}

/** @param card one of the test cards, by its name */
async function charge(card: string): Promise<Answer> {
  const saved = await api.post('/v1/cards', { merchant_id: MERCHANT, caller_phone: CALLER, token: `tok_${card}` });
  return api.post('/v1/charge', {
    checkout_session_id: await session(),
    instrument_id: saved.body.instrument_id,
  });
}

async function refund(card: string): Promise<Answer> {
  return api.post('/v1/refunds', { charge: (await charge(card)).body.charge_id });
}

/** A carrier's POST, signed as Twilio does. */
function fromTwilio(path: string, fields: Record<string, string>): Promise<Response> {
  const signed = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const words = `${TWILIO.publicUrl}/hooks/sms/${path}${signed.map((pair) => pair.join('')).join('')}`;
  const signature = createHmac('sha1', TWILIO.authToken).update(words).digest('base64');
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
  return fetch(`${api.url}/hooks/sms/${path}`, { method: 'POST', body: new URLSearchParams(fields), headers });
}

test.each<[string, string[], () => Promise<Pick<Answer, 'headers'>>]>([
  ['a charge', ['charge settled', 'request answered'], () => charge('visa')],
  ['a decline', ['charge settled', 'request answered'], () => charge('do_not_honor')],
  ['a charge in doubt', ['charge outcome unknown', 'request answered'], () => charge('hangs_taken')],
  ['a refund', ['refund settled', 'request answered'], () => refund('visa')],
  ['a refund in doubt', ['refund is pending', 'request answered'], () => refund('refund_hangs')],
  [
    'a checkout, and what it leaves to be done',
    ['background work failed', 'request answered'],
    () => api.post('/v1/create_checkout', { merchant_id: MERCHANT, amount_cents: 700 }),
  ],
  ['a health check', ['health check failed', 'request answered'], () => api.get('/readyz')],
  [
    "a caller's answer to a text",
    ['request answered', 'text answered'],
    () => fromTwilio('twilio', { From: CALLER, Body: 'STOP' }),
  ],
])('%s', async (_name, lines, request) => {
  const { headers } = await request();
  await expect.poll(() => said(String(headers.get('x-request-id')))).toEqual(lines);
});
