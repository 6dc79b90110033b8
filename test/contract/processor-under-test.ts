/** What an adapter gives the processor contract to test it with. */
import { newId } from '../../src/domain/ids.ts';
import {
  type ChargeRequest,
  type PayableCard,
  type PlainCredentials,
  type Processor,
  secretCredentials,
} from '../../src/payments/ports.ts';

export interface ProcessorUnderTest {
  processor: Processor;
  /** Of a merchant who can take payments in test mode. */
  credentials: PlainCredentials;
  /** Of the right form, and of no merchant; null for a processor that needs none. */
  wrongCredentials: PlainCredentials | null;
  /** What the processor calls the account that keeps the cards; null where they are each merchant's own. */
  account: string | null;
  /** What the processor's script on the page makes of a good card: a fresh one each call. */
  token(): string;
  /** A card that is approved; each call gives Secrets of its own. */
  approved(): PayableCard;
  /** A card that is declined for lack of money. */
  withoutMoney(): PayableCard;
  /** A card whose charge is not answered in time, though the money is taken. */
  takenUnanswered(): PayableCard;
  /** A card whose charge is not answered and never arrives; null where the vendor can't be made to do so. */
  lost: (() => PayableCard) | null;
  /** A card answered with a server error; later it turns out to have been paid. */
  broken(): PayableCard;
  /** Lets the processor finish what it works on. */
  letSettle(request: ChargeRequest): Promise<void>;
  /** Payments it has on its books for this charge. */
  countPayments(request: ChargeRequest): Promise<number>;
  /** A card that is approved; a refund of its payment right after {@link muteRefund} is made, and not answered in time. */
  refundedUnanswered(): PayableCard;
  muteRefund(): void;
  /** Refunds it has on its books for this payment. */
  countRefunds(processorPaymentId: string): Promise<number>;
  close(): Promise<void>;
}

export const PATIENCE_MS = 10_000;

export function chargeRequest(bench: ProcessorUnderTest, card: PayableCard): ChargeRequest {
  return {
    chargeId: newId('Charge'),
    sessionId: newId('CheckoutSession'),
    accountId: newId('Account'),
    mode: 'test',
    amount: { amountCents: 4_250, currency: 'USD' },
    card,
    orderId: 'order_1',
    keepsCard: false,
    credentials: secretCredentials(bench.credentials),
  };
}
