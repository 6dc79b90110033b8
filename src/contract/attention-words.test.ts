import { expect, test } from 'vitest';
import { attentionWords } from './attention-words.ts';

test.each([
  ['authorizenet', 'Authorize.net is slow at Bakery'],
  ['checkoutcom', 'Checkout.com is slow at Bakery'],
  ['worldpay', 'Worldpay is slow at Bakery'],
  ['adyen', 'Adyen is slow at Bakery'],
  ['payconnector', 'The pay connector is slow at Bakery'],
  ['stripe', 'Stripe is slow at Bakery'],
])('shows the name of the processor %s in an attention item', (processor, title) => {
  const item = { subject: 'mer_bakery:x', merchantId: null, businessName: 'Bakery', facts: { processor, seconds: 9 } };
  expect(attentionWords({ kind: 'processor_slow', ...item }).title).toBe(title);
});
