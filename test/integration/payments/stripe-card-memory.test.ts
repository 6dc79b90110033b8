/**
 * After a charge of a keyed card at Stripe, no string of the process contains its number: checked in a heap snapshot.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { getHeapSnapshot } from 'node:v8';
import { afterAll, expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { ChargeRequest } from '../../../src/payments/port/charges.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import { createStripe } from '../../../src/payments/stripe/index.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { STRIPE_CREDENTIALS } from '../../support/vendor-processors.ts';

/**
 * Runs in its own process, because it reads the card. Answers "paid", with a hash of the number as the payment's ID.
 */
const VENDOR = `
  const { createHash } = require('node:crypto');
  const server = require('node:http').createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const number = new URLSearchParams(body).get('payment_method_data[card][number]') ?? '';
    const id = 'pi_' + createHash('sha256').update(number).digest('hex');
    response.setHeader('content-type', 'application/json');
    const paid = { id, object: 'payment_intent', status: 'succeeded', amount_received: 500, currency: 'usd' };
    response.end(JSON.stringify({ ...paid, metadata: {}, payment_method: null }));
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;
/** Reversed, so that this file does not contain the numbers. */
const CHARGED = '2382806058336194';
const PLANTED = '6848370260338354';

const vendor = spawn(process.execPath, ['-e', VENDOR], { stdio: ['ignore', 'pipe', 'inherit'] });
afterAll(() => void vendor.kill());

const forwards = (text: string) => Buffer.from(text).reverse();

/** A Secret built key by key, as on the phone. */
function keyed(backwards: string): Secret {
  return [...forwards(backwards)].reduce(
    (number, key) => number.append(Secret.of(String.fromCharCode(key))),
    Secret.empty(),
  );
}

/** Whether each reversed text is in the heap. */
async function inHeap(backwards: readonly string[]): Promise<boolean[]> {
  const found = backwards.map(() => false);
  let rest = Buffer.alloc(0);
  for await (const chunk of getHeapSnapshot()) {
    const text = Buffer.concat([rest, Buffer.from(chunk as Buffer)]);
    for (const [place, needle] of backwards.entries()) found[place] ||= text.includes(forwards(needle));
    rest = text.subarray(-CHARGED.length);
  }
  return found;
}

test('no string contains a charged number, and the check finds one that is kept', { timeout: 400_000 }, async () => {
  const [port] = (await once(vendor.stdout, 'data')) as [Buffer];
  const stripe = createStripe({ address: { host: '127.0.0.1', port: Number(port), protocol: 'http' } });
  const number = keyed(CHARGED);
  const card = { number, expiry: Secret.of('0931'), securityCode: Secret.of('987'), postalCode: null };
  const request: ChargeRequest = {
    chargeId: newId('Charge'),
    sessionId: newId('CheckoutSession'),
    accountId: newId('Account'),
    mode: 'test',

    amount: { amountCents: 500, currency: 'USD' },
    card: { kind: 'keyed', card },
    channel: 'phone',
    orderId: null,
    keepsCard: false,
    credentials: secretCredentials(STRIPE_CREDENTIALS),
  };
  const answer = await stripe.charge(request, requestTimeout());
  const text = forwards(PLANTED).toString();

  expect(await inHeap([CHARGED, PLANTED])).toEqual([false, true]);
  expect(text).toHaveLength(PLANTED.length);
  // The whole number was sent.
  const hash = createHash('sha256').update(forwards(CHARGED)).digest('hex');
  expect(answer).toMatchObject({ status: 'succeeded', processorPaymentId: `pi_${hash}` });
});
