/** What the vendors' fakes have in common for the processor contract. An adapter's test replaces what differs. */
import { expect } from 'vitest';
import type { PayableCard } from '../../src/payments/port/charges.ts';
import type { FakeVendor } from '../support/fake-vendor-server.ts';
import type { ProcessorUnderTest } from './processor-under-test.ts';

interface Fake extends FakeVendor {
  isHeld?(processorPaymentId: string): boolean;
  expireHold?(processorPaymentId: string): void;
  countRefunds?(processorPaymentId: string): number;
}

/** The numbers of the fake's cards, by outcome. */
type Cards = Readonly<Record<'good' | 'noMoney' | 'unanswered' | 'lost' | 'broken', string>>;

/** @param card a card with this number, with new Secrets in each call */
export function fakeUnderTest(
  fake: Fake,
  cards: Cards,
  card: (number: string) => PayableCard,
): Omit<ProcessorUnderTest, 'processor' | 'credentials' | 'wrongCredentials'> {
  return {
    account: null,
    token: () => 'none',
    approved: () => card(cards.good),
    withoutMoney: () => card(cards.noMoney),
    takenUnanswered: () => card(cards.unanswered),
    lost: () => card(cards.lost),
    broken: () => card(cards.broken),
    letSettle: async () => undefined,
    countPayments: async ({ chargeId }) => fake.countPayments(chargeId),
    refundedUnanswered: () => card(cards.good),
    muteRefund: () => fake.failNext('hang'),
    countRefunds: async (id) => fake.countRefunds?.(id) ?? 0,
    heldUnanswered: () => card(cards.good),
    isHeld: async (id) => fake.isHeld?.(id) ?? false,
    expireHold: fake.expireHold === undefined ? null : async (id) => fake.expireHold?.(id),
    refundElsewhere: null,
    listedSource: null,
    countDomains: null,
    asking: null,
    async close() {
      await fake.close();
      expect(fake.violations).toEqual([]);
    },
  };
}
