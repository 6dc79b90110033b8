/** How often signatures are computed. What they cover is in notifications.test.ts. */
import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { newId } from '../domain/ids.ts';
import { Secret } from '../domain/secret.ts';
import { createBraintree } from './braintree/index.ts';
import type { SignedRequest } from './notification-port.ts';
import type { Processor } from './ports.ts';
import { createStripe } from './stripe/index.ts';
import { createWorldpay } from './worldpay/index.ts';

vi.mock('node:crypto', { spy: true });

const NOW = new Date('2026-11-26T10:00:00Z');
const TIME = NOW.getTime() / 1_000;
const HEX = 'ab'.repeat(32);
const many = (one: string, separator: string) => Array.from({ length: 500 }, () => one).join(separator);

const requestWith = (body: string, header: string): SignedRequest => ({
  body: Buffer.from(body),
  header: () => header,
  url: `https://ringkey.example.com/hooks/processors/x/${newId('Merchant')}`,
  receivedAt: NOW,
});

// Braintree's payload is also tried with a line feed.
test.each<[string, Processor, string, SignedRequest, number]>([
  ['Stripe', createStripe(), 'whsec_0123456789abcdef', requestWith('{}', `t=${TIME},${many(`v1=${HEX}`, ',')}`), 1],
  ['Worldpay', createWorldpay(), 'a'.repeat(32), requestWith('{}', many(`1/SHA256/${HEX}`, ',')), 1],
  [
    'Braintree',
    createBraintree(),
    'a'.repeat(32),
    requestWith(`bt_payload=YQ==&bt_signature=${many(`k|${HEX.slice(0, 40)}`, '%26')}`, ''),
    2,
  ],
])(
  'computes the signature of a request from %s once, however many it names',
  (_, processor, secret, request, times) => {
    const { notifications } = processor;
    vi.mocked(createHmac).mockClear();
    expect(notifications?.isSigned(Secret.of(secret), request)).toBe(false);
    expect(createHmac).toHaveBeenCalledTimes(times);
  },
);
