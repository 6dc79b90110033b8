/** What an adapter provides for the processor contract. */
import type { ChargeSource, DeclineCode } from '../../src/domain/charge.ts';
import { newId } from '../../src/domain/ids.ts';
import type { ChargeRequest, PayableCard } from '../../src/payments/port/charges.ts';
import { type PlainCredentials, secretCredentials } from '../../src/payments/port/credentials.ts';
import type { Processor } from '../../src/payments/port/processor.ts';

export interface ProcessorUnderTest {
  processor: Processor;
  /** Credentials of a merchant who can take payments in test mode. */
  credentials: PlainCredentials;
  /** Well-formed credentials of no merchant. Null for a processor without credentials. */
  wrongCredentials: PlainCredentials | null;
  /** The processor's name of the account that stores the cards; null when each merchant stores its own. */
  account: string | null;
  /** What its records are of, if that is a part of the account. */
  recordsOf?: string;
  /** A new token of a good card, as the processor's web SDK makes it. */
  token(): string;
  /** False if a token cannot be saved a second time with the same ID. */
  tokenSavedOnce?: false;
  /** A card that is approved, with new Secrets in each call. */
  approved(): PayableCard;
  /** A card that is declined for lack of money. */
  withoutMoney(): PayableCard;
  /** For a processor that does not say why a bank declined. */
  withoutMoneyIs?: DeclineCode;
  /** A card whose charge is not answered in time, though the money is taken. */
  takenUnanswered(): PayableCard;
  /** A card whose charge never arrives and gets no answer. Null if the vendor cannot simulate it. */
  lost: (() => PayableCard) | null;
  /** True if the card of a hold is saved only after its capture. */
  savesAfterCapture?: true;
  /** True if a lookup does not find a verification that was declined. */
  forgetsDeclinedCards?: true;
  /** False for a processor whose lookup never says that a charge is missing. */
  saysNotFound?: false;
  /** A card answered with a server error; later it turns out to have been paid. */
  broken(): PayableCard;
  /** Lets the processor finish its pending work. */
  letSettle(request: ChargeRequest): Promise<void>;
  /** The number of payments that the processor has for this charge. */
  countPayments(request: ChargeRequest): Promise<number>;
  /**
   * A card that is approved. A refund of its payment right after {@link muteRefund} is made but not answered in time.
   */
  refundedUnanswered(): PayableCard;
  muteRefund(): void;
  /** The number of refunds that the processor has for this payment. */
  countRefunds(processorPaymentId: string): Promise<number>;
  /**
   * A card that is approved. A capture or void of its hold right after {@link muteRefund} is made but not answered in
   * time.
   */
  heldUnanswered(): PayableCard;
  /** Whether the processor still holds the amount, without a request to it. */
  isHeld(processorPaymentId: string): Promise<boolean>;
  /** The processor releases a hold whose time is over. Null if it does not say so. */
  expireHold: ((processorPaymentId: string) => Promise<void>) | null;
  /** False if the processor does not say when a hold expires. */
  saysCaptureBefore?: false;
  /** False if the processor has no idempotency key, and makes two equal refunds that arrive at once. */
  refundsOnceAtOnce?: false;
  /** Refunds a payment in the vendor's dashboard, and returns the refund's ID. Null if the vendor has none. */
  refundElsewhere: ((processorPaymentId: string, amountCents: number) => string) | null;
  /** The vendor's list entry for a payment with {@link approved}. Null if it has no session. */
  listedSource: ChargeSource | null;
  /** False for a processor that has no fingerprints of card numbers. */
  hasFingerprints?: false;
  /** Null where no charge ever waits for its payer. */
  asking: CardsThatAsk | null;
  /** How many hosts the processor shows wallets on; null for a processor that registers none. */
  countDomains: (() => number) | null;
  close(): Promise<void>;
}

/** Tokens of cards that the payer has to confirm on the page. */
export interface CardsThatAsk {
  /** Approved once the payer has done it, and declined all the same. */
  thenApproved(): PayableCard;
  thenDeclined(): PayableCard;
  /** The payer is not recognized. */
  thenRefused(): PayableCard;
  /** The payer ends the bank's dialog on the page. */
  endDialog(request: ChargeRequest, result: 'done' | 'refused'): void;
  /** The dialog is shown by the vendor, who knows whether it has ended: a confirmation before is too early. */
  knowsDialog: boolean;
}

export function chargeRequest(bench: ProcessorUnderTest, card: PayableCard): ChargeRequest {
  return {
    chargeId: newId('Charge'),
    sessionId: newId('CheckoutSession'),
    accountId: newId('Account'),
    mode: 'test',
    amount: { amountCents: 4_250, currency: 'USD' },
    card,
    channel: card.kind === 'keyed' ? 'phone' : card.kind === 'saved' ? 'agent' : 'page',
    orderId: 'order_1',
    keepsCard: false,
    credentials: secretCredentials(bench.credentials),
  };
}
