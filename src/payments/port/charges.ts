/** Requests to charge, to look up a charge, and to confirm or cancel one that waits for its payer. See processor.ts. */
import type { AccountId, ChargeId, CheckoutSessionId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { Mode } from '../../domain/session.ts';
import type { KeyedCard } from '../../flow/effects.ts';
import type { NotOrdered, ProcessorAnswer, Settlement, Unknown } from './answers.ts';
import type { Credentials } from './credentials.ts';
import type { CardWallet } from './saved-cards.ts';

/** A keyed card, the processor's handle of a saved card, or a token from its script on our page. */
export type PayableCard =
  | { kind: 'keyed'; card: KeyedCard }
  | { kind: 'saved'; handle: string }
  | { kind: 'token'; token: string };

/**
 * Where the payer is. `phone`: keys the card on a call. `page`: on our page, and can authenticate with the bank.
 * `agent`: an integrator charges a saved card that the payer chose, and the payer cannot authenticate. `merchant`: the
 * merchant charges a saved card without its owner, by an earlier agreement (merchant-initiated transaction).
 */
export type Channel = 'phone' | 'page' | 'agent' | 'merchant';

export interface ChargeRequest {
  /** Our charge ID: the processor's idempotency key. */
  chargeId: ChargeId;
  /** For the processor's own records, like the order. */
  sessionId: CheckoutSessionId;
  accountId: AccountId;
  mode: Mode;
  amount: Money;
  card: PayableCard;
  channel: Channel;
  /** The merchant's order. */
  orderId: string | null;
  /** Channel `page` only: our page, to which the payer can be sent back, and the payer's address. */
  payer?: { pageUrl: string; ip: string };
  /**
   * The caller agreed to save the card, so the charge is made such that it can be saved. If the answer already says how
   * it was saved, it is; otherwise {@link CardWallet.saveCharged} is asked.
   */
  keepsCard: boolean;
  /**
   * Takes nothing: the amount is 0, and the card is verified and saved (`keepsCard`). A success has `savedCard`. Only with
   * `can.verifiesCards`, for a token with `can.verifiesTokens`.
   */
  isVerification?: boolean;
  /** Only authorizes the amount, to be captured later (`Processor.holds`). By default, it is taken at once. */
  isHold?: boolean;
  /**
   * Channel `merchant` only: the processor's ID of the payment with which the owner agreed, for processors that need it.
   * Null if the card was saved without a payment.
   */
  agreedPaymentId?: string | null;
  credentials: Credentials;
}

/** The charge that waits for its payer. */
export interface ActionRequest {
  /** The idempotency keys derive from it. */
  chargeId: ChargeId;
  processorPaymentId: string;
  /** As in {@link ChargeRequest}. */
  isHold?: boolean;
  isVerification?: boolean;
  /** What the processor's page has given to the payer's browser. Not to be trusted. */
  result?: string;
  mode: Mode;
  credentials: Credentials;
}

/** Charges that wait for their payer. These functions never throw. Each can be repeated, also concurrently. */
export interface CardActions {
  /** The state of the charge. Changes nothing. */
  read(request: ActionRequest, signal: AbortSignal): Promise<ProcessorAnswer>;
  /** Takes the money if the payer has authenticated; otherwise returns `action_required`. */
  confirm(request: ActionRequest, signal: AbortSignal): Promise<ProcessorAnswer | NotOrdered>;
  /**
   * Makes sure that the money is never taken, which is a decline. `succeeded` or `authorized` if it was taken or held
   * before: a hold is not released.
   */
  cancel(request: ActionRequest, signal: AbortSignal): Promise<Settlement | Unknown>;
}

/** The earlier charge to look up. */
export interface LookupRequest {
  chargeId: ChargeId;
  mode: Mode;
  /** When it was created, by our clock: where to look in the processor's lists. */
  createdAt: Date;
  /** Now, by the same clock. If it differs from the processor's, the answer is `unknown` instead of `not_found`. */
  askedAt?: Date;
  credentials: Credentials;
  /** As in {@link ChargeRequest}. */
  isVerification?: boolean;
  /** The processor's ID of the payment, if known. A processor with lists by time can read the payment itself. */
  processorPaymentId?: string | null;
  /**
   * If the charge is not found: make sure, if the processor supports it, that it is never taken (`NotFound.never`).
   * Null to change nothing, and for a charge that is not pending.
   */
  settles?: Money | null;
}
