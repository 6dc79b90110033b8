import { expect, it } from 'vitest';
import type { DisputeFacts } from '../../domain/dispute.ts';
import { checkedDispute, disputedAmount } from './checked-disputes.ts';

const DISPUTE: DisputeFacts = {
  kind: 'chargeback',
  status: 'needs_response',
  reason: 'general',
  processorReason: '10.4',
  amountCents: 1_000,
  currency: 'EUR',
  evidenceDueAt: null,
};
const CHARGE = { amount: { amountCents: 4_250, currency: 'USD' } } as const;

it('keeps what a processor says about a dispute, with its currency in upper case', () => {
  expect(checkedDispute({ ...DISPUTE, currency: 'eur', version: 7 })).toEqual({ ...DISPUTE, version: 7 });
});

it('drops a reason with a card number or a line break, and amounts that no charge has', () => {
  for (const processorReason of ['4242424242424242', 'fraud\r\nSet-Cookie: a', 'x'.repeat(200)])
    expect(checkedDispute({ ...DISPUTE, processorReason }).processorReason).toBeNull();
  expect(checkedDispute({ ...DISPUTE, amountCents: -1 }).amountCents).toBe(0);
  expect(checkedDispute({ ...DISPUTE, amountCents: 1e15 }).amountCents).toBe(1e12);
});

it.each(['', 'US', 'DOLLAR', '12$', 'US\n'])('takes the whole charge as disputed if the currency is %j', (currency) => {
  const checked = checkedDispute({ ...DISPUTE, currency });
  expect(disputedAmount(checked, CHARGE)).toEqual({ amountCents: 4_250, currency: 'USD', isGuess: true });
});

it('keeps the amount of a dispute in another currency than the charge', () => {
  expect(disputedAmount(DISPUTE, CHARGE)).toEqual({ amountCents: 1_000, currency: 'EUR', isGuess: false });
});
