/** The processor port: what an adapter for a payment processor implements. Each adapter is one folder. */
import type { z } from 'zod';
import type { PageTokens } from '../contract/resources.ts';
import type { ChargeSource, DeclineCode, Wallet } from '../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, InstrumentId, RefundId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { RefundFailure, RefundReason } from '../domain/refund.ts';
import { Secret } from '../domain/secret.ts';
import type { Mode } from '../domain/session.ts';
import type { KeyedCard } from '../flow/types.ts';

/** A merchant's credentials at a processor in the clear, by name: as they come in, and as they are encrypted. */
export type PlainCredentials = Readonly<Record<string, string>>;

/** The same, decrypted for use: the values do not show in a log or an error. */
export type Credentials = Readonly<Record<string, Secret>>;

/** How to reach a merchant's account. */
export interface ProcessorAccess {
  mode: Mode;
  credentials: Credentials;
}

export function secretCredentials(plain: PlainCredentials): Credentials {
  return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, Secret.of(value)]));
}

/** A card keyed on this call, the processor's handle of a saved one, or a token that its script made on our page. */
export type PayableCard =
  | { kind: 'keyed'; card: KeyedCard }
  | { kind: 'saved'; handle: string }
  | { kind: 'token'; token: string };

/**
 * Where the payer is. `phone`: keys the card on a call. `page`: on our page, and can do what the bank asks for.
 * `agent`: an integrator charges a saved card for a payer who cannot.
 */
export type Channel = 'phone' | 'page' | 'agent';

export interface ChargeRequest {
  /** Our charge id: the processor's idempotency key. */
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
  /**
   * The caller agreed that the card be kept: the charge is made such that it can, and its answer says how it was kept
   * where that is known by then; else {@link CardWallet.saveCharged} is asked.
   */
  keepsCard: boolean;
  credentials: Credentials;
}

/** The facts of a card that only the processor has seen. `brand` as in `CardBrand.label`. */
export interface CardFacts {
  brand: string;
  lastFour: string;
}

/** A card as the processor keeps it. */
export interface KeptCard extends CardFacts {
  /** The processor's name of the card, to charge it and to remove it. */
  handle: string;
  /** The processor's fingerprint of the card's number, the same for the same number only. Null where it has none. */
  fingerprint: string | null;
  /** 1 … 12. */
  expiryMonth: number;
  /** Four digits. */
  expiryYear: number;
}

/**
 * `kept`: of a charge with `keepsCard`, where the card is kept with the charge itself. `wallet`: which the payment came
 * from, null for none; not given where the processor does not say.
 */
export interface Succeeded {
  status: 'succeeded';
  processorPaymentId: string;
  /**
   * What was taken, in minor units and by ISO 4217 code, where the processor says so: another amount is no answer to
   * us.
   */
  taken?: { amountCents: number; currency: string };
  card?: CardFacts;
  wallet?: Wallet | null;
  kept?: KeptCard;
}

export interface Declined {
  status: 'declined';
  declineCode: DeclineCode;
  processorCode: string | null;
  processorPaymentId: string | null;
  /** The processor did not say so; it does not have the charge. */
  isInferred?: true;
}

/**
 * Refused, and nothing was taken: the merchant's account at the processor, its credentials or our request is at fault,
 * not the card. So it is no decline: another card would be refused, too.
 */
export interface Refused {
  status: 'refused';
  processorCode: string | null;
}

/** Not a clear yes or no: the money may have moved. `cause`: for the log. */
export interface Unknown {
  status: 'unknown';
  cause: string;
}

/** Of a look-up: the processor never saw it. `never`: nor ever will, for its idempotency key is used up. */
export interface NotFound {
  status: 'not_found';
  never?: true;
}

/**
 * What the bank asks of the payer, for the processor's script on our page. It goes to the payer only: it is neither
 * stored nor logged. `clientSecret`: of the PaymentIntent. `ends`: what comes of the sandbox's own dialog.
 */
export type CardAction =
  | { kind: 'stripe'; clientSecret: string }
  | { kind: 'sandbox'; paymentId: string; ends: 'approved' | 'declined' | 'refused' | 'abandoned' };

/**
 * Of the channel `page` only: the bank asks the payer for something (3-D Secure). No money has moved, and none will
 * unless it is ordered by {@link CardActions.confirm}. `action`: null where the payer has done it.
 */
export interface ActionRequired {
  status: 'action_required';
  processorPaymentId: string;
  action: CardAction | null;
}

/** A clear yes or no. */
export type Settlement = Succeeded | Declined | Refused;

/** The processor's answer to a charge. */
export type ProcessorAnswer = Settlement | Unknown | ActionRequired;

/** Of {@link CardActions.confirm}: the processor could not be asked how the charge stands, so nothing was ordered. */
export interface NotOrdered {
  status: 'not_ordered';
  cause: string;
}

/** The charge that waits for its payer. */
export interface ActionRequest {
  /** Names the idempotency keys. */
  chargeId: ChargeId;
  processorPaymentId: string;
  mode: Mode;
  credentials: Credentials;
}

/**
 * What becomes of charges that wait for their payer. No function throws; each may be repeated, also at the same time.
 */
export interface CardActions {
  /** How the charge stands. Changes nothing. */
  read(request: ActionRequest, signal: AbortSignal): Promise<ProcessorAnswer>;
  /** Takes the money, if the payer has done what the bank asked for; `action_required` while that is not so. */
  confirm(request: ActionRequest, signal: AbortSignal): Promise<ProcessorAnswer | NotOrdered>;
  /** Makes sure that the money never will be taken: a decline. `succeeded` where it was taken before. */
  cancel(request: ActionRequest, signal: AbortSignal): Promise<Settlement | Unknown>;
}

export function unknown(cause: string): Unknown {
  return { status: 'unknown', cause };
}

export function refused(processorCode: string | null): Refused {
  return { status: 'refused', processorCode };
}

/** The decline of a charge whose payer was asked by the bank and did not confirm. */
export function notAuthenticated(processorCode: string | null, processorPaymentId: string | null): Declined {
  return { status: 'declined', declineCode: 'authentication_required', processorCode, processorPaymentId };
}

/** A decline of which the processor has no payment. */
export function declinedUnpaid(processorCode: string | null, declineCode: DeclineCode = 'processing_error'): Declined {
  return { status: 'declined', declineCode, processorCode, processorPaymentId: null };
}

/** `processorCode` of a charge that was refused because the merchant's credentials were. Nothing was taken. */
export const CREDENTIALS_REJECTED = 'credentials_rejected';

/** The earlier charge to look up. */
export interface LookUpRequest {
  chargeId: ChargeId;
  mode: Mode;
  /** When it was begun, by our clock: where to look in the processor's lists. */
  begunAt: Date;
  /** Now, by the same clock. If it differs from the processor's, the answer is `unknown` instead of `not_found`. */
  askedAt?: Date;
  credentials: Credentials;
  /**
   * Where the charge is not found: make sure, if the processor lets us, that it never will be taken (`NotFound.never`).
   * Given while the charge is pending; null for a mere look.
   */
  settles?: Money | null;
}

/** A refund, whole or in part. The charge need not be settled: the adapter voids where its processor requires that. */
export interface RefundRequest {
  /** Our refund id: the processor's idempotency key. */
  refundId: RefundId;
  chargeId: ChargeId;
  processorPaymentId: string;
  mode: Mode;
  amount: Money;
  reason: RefundReason | null;
  credentials: Credentials;
}

/** The earlier refund to look up. */
export interface RefundLookUpRequest extends Omit<RefundRequest, 'amount' | 'reason'> {
  /** When it was begun, by our clock. It may have been sent once more up to {@link REPEATABLE_MS} later. */
  begunAt: Date;
  /** As in {@link LookUpRequest}. */
  askedAt?: Date;
  /** The processor's id of the refund, where it is known. */
  processorRefundId: string | null;
}

/**
 * `pending`: taken on, and as good as certain; look up later how it ended. `unknown`: it may have been taken on.
 * `failed`: it was not, and nothing goes back; what may pass by itself (too many requests) is `unknown` instead.
 */
export type RefundAnswer =
  | { status: 'succeeded'; processorRefundId: string }
  | { status: 'pending'; processorRefundId: string }
  | { status: 'failed'; reason: Exclude<RefundFailure, 'not_received'>; processorCode: string | null }
  | Unknown;

/** The refunds of a processor. Neither function throws. */
export interface Refunds {
  /**
   * Sends at most once a call; the same request again within {@link REPEATABLE_MS} gives no more money back, for there
   * is no card in it and the processor knows its key.
   */
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundAnswer>;
  /** Looks up an earlier {@link refund}. */
  lookUp(request: RefundLookUpRequest, signal: AbortSignal): Promise<RefundAnswer | NotFound>;
}

/**
 * Half of what Stripe promises to know a key for (docs.stripe.com/api/idempotent_requests); Square publishes no end.
 * Who repeats looks the refund up first, so that nothing hangs on the key alone.
 */
export const REPEATABLE_MS = 12 * 60 * 60 * 1_000;

/** Where and when to read a processor's own lists: by the time at which it made its entries. */
export interface BooksRequest extends ProcessorAccess {
  accountId: AccountId;
  from: Date;
  /** Not included. */
  until: Date;
}

/** A payment of ours as its processor lists it. */
export interface BookedPayment {
  /** As the processor's reference has it. Whether it is a charge of the merchant is for the reader to judge. */
  chargeId: ChargeId;
  /** What the processor's entry says of the session; null where it says nothing. */
  origin: { sessionId: CheckoutSessionId; source: ChargeSource } | null;
  createdAt: Date;
  /** Null: it was never confirmed, and never will be. A success says what was `taken`. */
  answer: ProcessorAnswer | null;
}

/** A refund as its processor lists it. */
export interface BookedRefund {
  processorRefundId: string;
  processorPaymentId: string;
  /** Ours; null: it was made elsewhere, such as in the vendor's dashboard. */
  refundId: RefundId | null;
  /**
   * The payment's reference, which some processors must be asked for; null where it is none of ours. @throws
   * BooksUnreadable
   */
  readChargeId(): Promise<ChargeId | null>;
  status: 'pending' | 'succeeded' | 'failed';
  amountCents: number;
  currency: string;
  createdAt: Date;
}

/** The processor could not be asked, or its list not be read to the end. */
export class BooksUnreadable extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super('the list of a processor could not be read');
    this.name = 'BooksUnreadable';
    this.reason = reason;
  }
}

/**
 * The processor's own lists, for the comparison with ours. Entries of others are left out. Both throw {@link
 * BooksUnreadable}.
 */
export interface Books {
  payments(request: BooksRequest, signal: AbortSignal): AsyncIterable<BookedPayment>;
  refunds(request: BooksRequest, signal: AbortSignal): AsyncIterable<BookedRefund>;
}

/** What the pay page's script needs of the processor. All of it is public. `environment`: the processor's own value. */
export type Tokenization = PageTokens;

/**
 * What the processor must still allow for cards that are keyed on the phone: MOTO payments, and card numbers in its
 * API.
 */
export type Hindrance = 'moto_disabled' | 'card_numbers_disabled';

/**
 * `hindrances`: as far as they can be found out without a payment.
 * `account`: the processor's name of the account that keeps the cards: merchants that share it can charge each other's.
 * Not given: a card is of the merchant that it was kept at, and of no other. `invalid`: the processor does not know the
 * credentials. `not_provisioned`: it does, but the account can't take payments yet.
 */
export type ConnectionCheck =
  | { status: 'ok'; account?: string; hindrances?: readonly Hindrance[] }
  | { status: 'invalid' | 'not_provisioned' | 'unavailable' };

/** A card to save, as a token that the processor's own page or SDK made of it. */
export interface SaveCardRequest {
  /** Our id of the card: the processor's idempotency key. */
  instrumentId: InstrumentId;
  mode: Mode;
  token: string;
  credentials: Credentials;
}

/** Saves the card of a charge that succeeded and was made with `keepsCard`. */
interface SaveChargedRequest extends Omit<SaveCardRequest, 'token'> {
  processorPaymentId: string;
}

/** `refused`: no such token, or no card that can be kept. */
export type SavedCardAnswer = ({ status: 'saved' } & KeptCard) | { status: 'refused' | 'unavailable' };

/** The saved cards of a processor. No function throws: a broken connection is `unavailable`. */
export interface CardWallet {
  save(request: SaveCardRequest, signal: AbortSignal): Promise<SavedCardAnswer>;
  saveCharged(request: SaveChargedRequest, signal: AbortSignal): Promise<SavedCardAnswer>;
  /** Idempotent: a card that is gone already is `gone`. */
  forget(request: ForgetCardRequest, signal: AbortSignal): Promise<{ status: 'gone' | 'unavailable' }>;
}

export interface ForgetCardRequest {
  handle: string;
  mode: Mode;
  credentials: Credentials;
}

/** Other origins that the pay page loads from or connects to, by directive of the Content-Security-Policy. */
export interface PageSources {
  script: readonly string[];
  frame: readonly string[];
  connect: readonly string[];
  img: readonly string[];
  style: readonly string[];
  font: readonly string[];
}

/** What the pay page loads for a processor, in one mode. Hosts are as its vendor publishes them. */
export interface ProcessorPage {
  /** Name of our browser module: `payments/<module>/browser/<module>.ts`. */
  module: string;
  /** The vendor's scripts, in the order in which they are loaded, each with why the page needs it (PCI DSS 6.4.3). */
  scripts: readonly { url: string; why: string }[];
  sources: PageSources;
}

/** Which wallets' buttons the processor shows on the pay page. */
export interface LiveWallets {
  applePay: boolean;
  googlePay: boolean;
}

export const NO_WALLETS: LiveWallets = { applePay: false, googlePay: false };

export interface PageDomainRequest extends ProcessorAccess {
  /** The pay page's host name. */
  domain: string;
}

export interface Capabilities {
  /** Takes a card keyed on the phone. Without: the line offers the pay link. */
  keypad: boolean;
  savedCards: boolean;
  /** Its script makes tokens of cards on our page. */
  pageTokens: boolean;
  /** The page may offer Apple Pay and Google Pay; they come as tokens too. */
  wallets: boolean;
  /** Its answers say which wallet a payment came from. Without: the page's word is believed. */
  namesWallets: boolean;
  /** Takes a card that is typed into fields of our own page: where money is fake only. */
  pageKeypad: boolean;
}

export interface Processor {
  /** The folder's name, e.g. `sandbox`. */
  readonly name: string;
  readonly can: Capabilities;
  /** Fake money must not meet a live merchant, nor real money a test. */
  readonly modes: readonly Mode[];
  /** How long after a charge was received {@link lookUp} may still miss it: 0 for one that reads its own writes. */
  readonly lookUpLagMs: number;
  /** The credentials that it needs of a merchant in this mode; strict, so that a typing error is found at once. */
  credentialsSchema(mode: Mode): z.ZodType<PlainCredentials>;
  /** Whether a charge cannot be made without any. */
  readonly needsCredentials: boolean;
  /** Null where it saves no cards. */
  readonly wallet: CardWallet | null;
  /** Null where it makes no refunds through this port. */
  readonly refunds: Refunds | null;
  /** Null where it has no lists. */
  readonly books: Books | null;
  /** Null where no charge ever waits for its payer. */
  readonly actions: CardActions | null;
  /** The form of the tokens that its script makes; anything else is not sent. */
  readonly tokenForm: RegExp;
  /** Null where the page needs no script of the processor's, or the credentials say too little. */
  tokenization(mode: Mode, credentials: Credentials): Tokenization | null;
  /** Null where the page has fields of its own for it, and needs nothing of a vendor. */
  page(mode: Mode): ProcessorPage | null;
  /**
   * Registers the pay page's host, so that wallets are shown there; where it is registered already, only asks. Not
   * given where there are no wallets. Never throws. @returns null where the processor could not be asked
   */
  registerPageDomain?(request: PageDomainRequest, signal: AbortSignal): Promise<LiveWallets | null>;
  /** Loads the vendor's package, so that no caller waits for it. May be repeated. */
  prepare?(): Promise<void>;
  /** Whether payments can be taken with these. Never throws. */
  checkConnection(mode: Mode, credentials: Credentials, signal: AbortSignal): Promise<ConnectionCheck>;
  /**
   * Never throws: a broken connection, a timeout, a 5xx are `unknown`; a connection that was never made is a clear no.
   * Sends at most one request that is carried out; what the processor put off (429) is sent again, under the same key.
   * The same charge id again gets the first answer and moves no more money. `signal` ends the wait (soon, as
   * `unknown`), not the charge. Wipes a keyed card's `securityCode` as soon as it is sent; the caller wipes the rest.
   */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ProcessorAnswer>;
  /**
   * Looks up an earlier {@link charge}: `not_found` when the processor never saw it, `unknown` when it is still
   * working on it or can't be asked. Never throws.
   */
  lookUp(request: LookUpRequest, signal: AbortSignal): Promise<ProcessorAnswer | NotFound>;
}
