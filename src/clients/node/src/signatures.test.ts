/** The signatures of this library against what the product sends. */
import { expect, test } from 'vitest';
import { newId } from '../../../domain/ids.ts';
import { outcomeHeaders } from '../../../domain/outcome.ts';
import { eventExample, SIP_SECRET, WEBHOOK_SECRET } from '../../../http/docs/examples.ts';
import { newSigningSecret, signatureHeaders } from '../../../lib/http-client/signature.ts';
import { SignatureVerificationError } from './errors.ts';
import { verifySipHeaders } from './sip-headers.ts';
import { verifyWebhook } from './webhooks.ts';

const now = new Date();
const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

const body = eventExample('checkout.completed', 'https://docs.example.com');
const delivery = (secrets = [WEBHOOK_SECRET]) => signatureHeaders('evt_1', now, body, secrets);

test('returns the event of a delivery, as text or bytes, with the headers of any library', () => {
  const headers = delivery();
  const secret = WEBHOOK_SECRET;
  const event = verifyWebhook({ body, headers, secret });
  expect(event).toEqual(JSON.parse(body));
  expect(verifyWebhook({ body: Buffer.from(body), headers: new Headers(headers), secret })).toEqual(event);
  const inCapitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  expect(verifyWebhook({ body, headers: inCapitals, secret })).toEqual(event);
});

test('accepts either secret of an endpoint while both are valid', () => {
  const headers = delivery([newSigningSecret(), WEBHOOK_SECRET]);
  expect(verifyWebhook({ body, headers, secret: WEBHOOK_SECRET })).toHaveProperty('type', 'checkout.completed');
});

test.each([
  { name: 'another ID', change: { headers: { ...delivery(), 'webhook-id': 'evt_2' } } },
  { name: 'another body', change: { body: body.replace('succeeded', 'failed') } },
  { name: 'another secret', change: { secret: newSigningSecret() } },
  { name: 'no headers', change: { headers: {} } },
  { name: 'two times', change: { headers: { ...delivery(), 'Webhook-Timestamp': '1' } } },
  { name: 'a signature of another version', change: { headers: { ...delivery(), 'webhook-signature': 'v2,QUJD' } } },
  { name: 'a time six minutes ago', change: { now: minutesLater(6) } },
  { name: 'a time in six minutes', change: { now: minutesLater(-6) } },
])('rejects a delivery with $name', ({ change }) => {
  const request = { body, headers: delivery(), secret: WEBHOOK_SECRET, now };
  expect(() => verifyWebhook({ ...request, ...change })).toThrow(SignatureVerificationError);
});

const facts = {
  sessionId: newId('CheckoutSession'),
  amount: { amountCents: 4_250, currency: 'USD' as const },
  orderId: 'Büro 7',
  platformCallId: null,
  outcome: {
    kind: 'failed',
    reason: 'declined',
    chargeId: newId('Charge'),
    declineCode: 'insufficient_funds',
  },
} as const;
const sent = outcomeHeaders(facts, SIP_SECRET, now);
const { 'User-to-User': userToUser = '', ...headers } = sent;
const outcome = {
  outcome: 'failed',
  checkoutSessionId: facts.sessionId,
  chargeId: facts.outcome.chargeId,
  amountCents: 4_250,
  currency: 'USD',
  orderId: 'Büro 7',
  declineCode: 'insufficient_funds',
  platformCallId: null,
  reason: 'declined',
};

test.each([
  { name: 'the X-Ringkey- headers', given: headers },
  { name: 'User-to-User alone', given: { 'user-to-user': userToUser } },
])('reads the outcome of a returned call from $name', ({ given }) => {
  expect(verifySipHeaders({ headers: given, secret: SIP_SECRET })).toEqual(outcome);
});

test.each([
  { name: 'another outcome', change: { headers: { ...headers, 'X-Ringkey-Outcome': 'succeeded' } } },
  { name: 'a missing amount', change: { headers: { ...headers, 'X-Ringkey-Amount': '' } } },
  { name: 'two outcomes', change: { headers: { ...headers, 'x-ringkey-outcome': 'succeeded' } } },
  { name: 'no headers', change: { headers: {} } },
  { name: 'another User-to-User', change: { headers: { 'user-to-user': userToUser.replace('6f3d', '6f3e') } } },
  { name: 'another secret', change: { secret: Buffer.from('other').toString('base64') } },
  { name: 'a time six minutes ago', change: { now: minutesLater(6) } },
])('rejects SIP headers with $name', ({ change }) => {
  expect(() => verifySipHeaders({ headers, secret: SIP_SECRET, now, ...change })).toThrow(SignatureVerificationError);
});

test('an empty secret is an error of the caller, and verifies nothing', () => {
  expect(() => verifySipHeaders({ headers, secret: '' })).toThrow(TypeError);
  expect(() => verifyWebhook({ body, headers: delivery(), secret: 'whsec_' })).toThrow(TypeError);
});
