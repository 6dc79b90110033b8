import { expect, test } from 'vitest';
import { paidWords } from './next-steps.tsx';

const PAID = { amount_cents: 4_000, currency: 'USD', refunded_cents: 0 };

test.each<[string, object, string]>([
  ['a payment', {}, 'Nothing. The payment is complete.'],
  ['a part', { remaining_cents: 2_500 }, 'A part was paid. Create another checkout for the remaining $25.00.'],
  ['a saved card', { amount_cents: 0 }, 'Nothing. The card is saved.'],
  ['a refunded payment', { refunded_cents: 4_000 }, 'Nothing. The payment was refunded.'],
  ['a pending refund', { refunded_cents: 4_000, refund_pending_cents: 1_000 }, 'Nothing. The refund is pending.'],
  ['a refunded capture', { captured_cents: 3_000, refunded_cents: 3_000 }, 'Nothing. The payment was refunded.'],
  ['a late payment', { was_late: true }, 'The payment succeeded late. Keep or refund it.'],
])('says what is left to do about %s', (_, facts, words) => {
  expect(paidWords({ ...PAID, ...facts })).toBe(words);
});
