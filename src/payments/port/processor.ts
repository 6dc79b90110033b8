/** The processor port: what an adapter for a payment processor implements. Each adapter is one folder. See answers.ts. */
import type { z } from 'zod';
import type { PageTokens } from '../../contract/resources.ts';
import type { ChargeSource } from '../../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, InstrumentId, RefundId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { RefundFailure, RefundReason } from '../../domain/refund.ts';
import { Secret } from '../../domain/secret.ts';
import type { Mode } from '../../domain/session.ts';
import type { KeyedCard } from '../../flow/effects.ts';
import type { VendorPackage } from '../../lib/vendor-packages.ts';
import type { NotFound, NotOrdered, ProcessorAnswer, ProcessorCard, Settlement, Unknown } from './answers.ts';
import type { BankDebits } from './debits.ts';
import type { Disputes } from './disputes.ts';
import type { Holds } from './holds.ts';
import type { ProcessorNotifications } from './notifications.ts';
import type { Payouts } from './payouts.ts';
import type { TestData } from './test-data.ts';

/** A merchant's credentials at a processor as plain text, by name: as received, and as they are encrypted. */
export type PlainCredentials = Readonly<Record<string, string>>;

/** Decrypted credentials. Logs and errors do not show the values. */
export type Credentials = Readonly<Record<string, Secret>>;

/** How to reach a merchant's account at the processor. */
export interface ProcessorAccess {
  mode: Mode;
  credentials: Credentials;
}

export function secretCredentials(plain: PlainCredentials): Credentials {
  return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, Secret.of(value)]));
}

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
  /** Only authorizes the amount, to be captured later ({@link Processor.holds}). By default, it is taken at once. */
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

/** A full or partial refund. The charge need not be settled: the adapter voids it if its processor requires that. */
export interface RefundRequest {
  /** Our refund ID: the processor's idempotency key. */
  refundId: RefundId;
  chargeId: ChargeId;
  processorPaymentId: string;
  mode: Mode;
  amount: Money;
  reason: RefundReason | null;
  credentials: Credentials;
}

/** The earlier refund to look up. */
export interface RefundLookupRequest extends Omit<RefundRequest, 'reason'> {
  /** When it was created, by our clock. It may have been resent up to {@link REPEATABLE_MS} later. */
  createdAt: Date;
  /** As in {@link LookupRequest}. */
  askedAt?: Date;
  /** The processor's ID of the refund, if known. */
  processorRefundId: string | null;
}

/**
 * `pending`: accepted and almost certain; a later lookup returns the outcome. `unknown`: maybe accepted. `failed`: not
 * accepted, and nothing is refunded. A temporary error (too many requests) is `unknown` instead.
 */
export type RefundAnswer =
  | { status: 'succeeded'; processorRefundId: string }
  | { status: 'pending'; processorRefundId: string }
  | { status: 'failed'; reason: Exclude<RefundFailure, 'not_received'>; processorCode: string | null }
  | Unknown;

/** The refunds of a processor. These functions never throw. */
export interface Refunds {
  /**
   * Sends one request per call. The same request again within {@link REPEATABLE_MS} refunds nothing more, because it
   * contains no card and the processor knows its key.
   */
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundAnswer>;
  /** Looks up an earlier {@link refund}. */
  lookUp(request: RefundLookupRequest, signal: AbortSignal): Promise<RefundAnswer | NotFound>;
}

/**
 * Half of the time that Stripe promises to remember a key (docs.stripe.com/api/idempotent_requests); Square publishes
 * none. A refund is looked up before it is resent, so it does not depend on the key alone.
 */
export const REPEATABLE_MS = 12 * 60 * 60 * 1_000;

/** Which of a processor's own records to read, by their creation time there. */
export interface RecordsRequest extends ProcessorAccess {
  accountId: AccountId;
  from: Date;
  /** Exclusive. */
  until: Date;
}

/** A payment of ours in the processor's records. */
export interface RecordedPayment {
  /** From the processor's reference. The reader must check that it is a charge of the merchant. */
  chargeId: ChargeId;
  /** The session, if the record names it; otherwise null. */
  origin: { sessionId: CheckoutSessionId; source: ChargeSource } | null;
  createdAt: Date;
  /** Null: it was never confirmed and never will be. A success has `taken`. */
  answer: ProcessorAnswer | null;
}

/** A refund in the processor's records. */
export interface RecordedRefund {
  processorRefundId: string;
  processorPaymentId: string;
  /** Our ID. Null if it was made elsewhere, such as in the vendor's dashboard. */
  refundId: RefundId | null;
  /**
   * The charge ID in the payment's reference, which some processors must be asked for. Null if the payment is not ours.
   * @throws RecordsUnreadable
   */
  readChargeId(): Promise<ChargeId | null>;
  status: 'pending' | 'succeeded' | 'failed';
  amountCents: number;
  currency: string;
  createdAt: Date;
}

/** The processor could not be asked, or its list could not be read to the end. */
export class RecordsUnreadable extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super('the list of a processor could not be read');
    this.name = 'RecordsUnreadable';
    this.reason = reason;
  }
}

/**
 * The processor's own records, to compare with ours. Payments of other systems are left out. Both functions throw
 * {@link RecordsUnreadable}.
 */
export interface ProcessorRecords {
  payments(request: RecordsRequest, signal: AbortSignal): AsyncIterable<RecordedPayment>;
  refunds(request: RecordsRequest, signal: AbortSignal): AsyncIterable<RecordedRefund>;
}

/**
 * What the pay page's script needs from the processor. All of it is public. `environment`: the processor's own value.
 */
export type Tokenization = PageTokens;

/**
 * What the processor does not allow yet, but cards and accounts keyed on the phone need: MOTO payments, card numbers in its
 * API, and bank debits.
 */
export type Restriction = 'moto_disabled' | 'card_numbers_disabled' | 'bank_debits_disabled';

/**
 * `restrictions`: as far as can be checked without a payment. `account`: the processor's name for the account that stores
 * the cards. Merchants that share it can charge each other's cards; without it, a card belongs to its merchant alone.
 * `recordsOf`: what {@link ProcessorRecords} lists, if that is only a part of the account, such as a location. `invalid`: the processor rejects the credentials. `not_provisioned`: it accepts them, but the account cannot take
 * payments yet.
 */
export type ConnectionCheck =
  | { status: 'ok'; account?: string; recordsOf?: string; restrictions?: readonly Restriction[] }
  | { status: 'invalid' | 'not_provisioned' | 'unavailable' };

/** A card to save, as a token from the processor's own page or SDK. */
export interface SaveCardRequest {
  /** Our ID of the card: the processor's idempotency key. */
  instrumentId: InstrumentId;
  mode: Mode;
  token: string;
  credentials: Credentials;
}

/** Saves the card of a succeeded charge with `keepsCard`. */
interface SaveChargedRequest extends Omit<SaveCardRequest, 'token'> {
  processorPaymentId: string;
}

/** `refused`: an unknown token, or a card that cannot be saved. */
export type SavedCardAnswer = ({ status: 'saved' } & ProcessorCard) | { status: 'refused' | 'unavailable' };

/** The saved cards of a processor. These functions never throw: a broken connection is `unavailable`. */
export interface CardWallet {
  save(request: SaveCardRequest, signal: AbortSignal): Promise<SavedCardAnswer>;
  saveCharged(request: SaveChargedRequest, signal: AbortSignal): Promise<SavedCardAnswer>;
  /** Idempotent: a card that was deleted before is `gone`. */
  forget(request: ForgetCardRequest, signal: AbortSignal): Promise<{ status: 'gone' | 'unavailable' }>;
}

export interface ForgetCardRequest {
  handle: string;
  mode: Mode;
  credentials: Credentials;
}

/** Other origins that the pay page loads from or connects to, by Content-Security-Policy directive. */
export interface PageSources {
  script: readonly string[];
  frame: readonly string[];
  connect: readonly string[];
  img: readonly string[];
  style: readonly string[];
  font: readonly string[];
}

/** What the pay page loads for a processor, in one mode. Hosts are the ones that the vendor publishes. */
export interface ProcessorPage {
  /** Name of our browser module: `payments/<module>/browser/<module>.ts`. */
  module: string;
  /** The vendor's scripts in loading order, each with the reason why the page needs it (PCI DSS 6.4.3). */
  scripts: readonly { url: string; why: string }[];
  sources: PageSources;
  /**
   * What the page prepares for our module, as the template `card-inputs`, with labels in its language. `inputs`: the
   * vendor has a script and no fields, so the card is typed into inputs of the page. They have no names, so no form
   * contains them. `boxes`: elements into which the script puts a field each. If absent, the vendor shows a form of its own.
   */
  template?: 'inputs' | 'boxes';
}

/** The wallet buttons that the processor shows on the pay page. */
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
  /** Accepts cards keyed on the phone. Otherwise the line offers the pay link. */
  keypad: boolean;
  savedCards: boolean;
  /** Sends charges of the channel `merchant` as the networks require it. If absent, they are refused. */
  merchantInitiated?: true;
  /** Verifies a keyed card without taking money, and saves it. If absent, such sessions are refused. */
  verifiesCards?: true;
  /** The same for a card of a token from its script on our page, whose payer can authenticate. */
  verifiesTokens?: true;
  /** Its script creates tokens of cards on our page. */
  pageTokens: boolean;
  /** The page can offer Apple Pay and Google Pay. They are sent as tokens, too. */
  wallets: boolean;
  /** Its answers name the wallet of a payment. Otherwise the page's word is used. */
  namesWallets: boolean;
  /** Accepts cards typed into our own page's fields. For test money only. */
  pageKeypad: boolean;
}

export interface Processor {
  /** The folder's name, e.g. `sandbox`. */
  readonly name: string;
  readonly can: Capabilities;
  /** A test processor must not serve a live merchant, nor a live processor a test. */
  readonly modes: readonly Mode[];
  /** How long {@link lookUp} may miss a charge after the processor received it. 0 if it reads its own writes. */
  readonly lookUpLagMs: number;
  /** The credentials of a merchant in this mode. The schema is strict, so that typing errors are found at once. */
  credentialsSchema(mode: Mode): z.ZodType<PlainCredentials>;
  /** Whether charges need credentials. */
  readonly needsCredentials: boolean;
  /** Null if it cannot save cards. */
  readonly wallet: CardWallet | null;
  /** Null if it makes no refunds through this port. */
  readonly refunds: Refunds | null;
  /** Null if it takes every charge at once. */
  readonly holds: Holds | null;
  /** Debits of keyed bank accounts. Absent if it makes none. */
  readonly debits?: BankDebits;
  /** Null if it has no lists. */
  readonly records: ProcessorRecords | null;
  /** Absent or null if it sends none that can be verified. */
  readonly notifications?: ProcessorNotifications | null;
  /** Absent if it has no disputes, or only its notifications tell them. */
  readonly disputes?: Disputes;
  /** Absent if it cannot tell what its payouts contain. */
  readonly payouts?: Payouts;
  /** Null if its charges never wait for the payer. */
  readonly actions: CardActions | null;
  /** The format of the tokens from its script. Nothing else is sent. */
  readonly tokenForm: RegExp;
  /** Null if the page needs no script from the processor, or the credentials are incomplete. */
  tokenization(mode: Mode, credentials: Credentials): Tokenization | null;
  /** Null if the page has its own fields for it and loads nothing from a vendor. */
  page(mode: Mode): ProcessorPage | null;
  /**
   * Registers the pay page's host, so that wallets are shown there. If it is registered already, only reads the
   * wallets. Absent if there are no wallets. Never throws.
   * @returns null if the processor could not be asked
   */
  registerPageDomain?(request: PageDomainRequest, signal: AbortSignal): Promise<LiveWallets | null>;
  /** The test cards of its test environment. Absent if callers cannot key them, or if it is the sandbox. */
  readonly testData?: TestData;
  /** The npm package that it loads, if Ringkey is installed without it (vendor-packages.ts). */
  readonly vendorPackage?: VendorPackage;
  /** Loads the vendor's package, so that no caller waits for it. Can be repeated. */
  prepare?(): Promise<void>;
  /** Whether these credentials can take payments. Never throws. */
  checkConnection(mode: Mode, credentials: Credentials, signal: AbortSignal): Promise<ConnectionCheck>;
  /**
   * Charges a card. At most one request is carried out: a request that the processor postponed (429) is resent with the
   * same key. The same charge ID again returns the first answer and moves no more money.
   * `signal` ends the wait (with `unknown`), not the charge. Wipes a keyed card's `securityCode` as soon as it is sent;
   * the caller wipes the rest.
   * Never throws: a broken connection, a timeout or a 5xx is `unknown`. A connection that was never made is a clear
   * failure.
   */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ProcessorAnswer>;
  /**
   * Looks up an earlier {@link charge}. `not_found` if the processor never received it, `unknown` if it still works on
   * it or cannot be asked. Never throws.
   */
  lookUp(request: LookupRequest, signal: AbortSignal): Promise<ProcessorAnswer | NotFound>;
}
