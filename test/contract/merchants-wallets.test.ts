/** Wallets on the pay page: connecting a merchant registers the host, and the status shows active wallets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe.ts';
import { STRIPE_CREDENTIALS, stripeProcessorAt } from '../support/vendor-processors.ts';
import { startTestApi } from './test-api.ts';

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startFakeStripe();
});
afterAll(() => stripe.close());

test.each([
  ['https://pay.example.com', ['pay.example.com'], { apple_pay: true, google_pay: true }],
  ['http://pay.example.com', [], { apple_pay: false, google_pay: false }],
  ['https://192.0.2.7', [], { apple_pay: false, google_pay: false }],
  [null, [], { apple_pay: false, google_pay: false }],
])('with pay links at %s', async (base, domains, wallets) => {
  stripe.domains.length = 0;
  const api = await startTestApi({ processors: [stripeProcessorAt(stripe)], linkBase: () => base });
  try {
    const { body } = await api.post('/v1/merchants', { business_name: 'Diner' });
    const path = `/v1/merchants/${body.merchant_id}`;
    const connected = await api.post(`${path}/processor`, { processor: 'stripe', credentials: STRIPE_CREDENTIALS });
    expect(connected.status).toBe(200);
    expect(stripe.domains.map(({ domain_name }) => domain_name)).toEqual(domains);
    expect((await api.get(`${path}/status`)).body.wallets).toEqual(wallets);
    expect(stripe.domains).toHaveLength(domains.length);
    expect(stripe.violations).toEqual([]);
  } finally {
    await api.close();
  }
});
