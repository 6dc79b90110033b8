/**
 * The processor port: what an adapter for a payment processor implements. Each adapter is one folder. The other files of
 * this folder are its parts.
 */
import type { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { VendorPackage } from '../../lib/vendor-packages.ts';
import type { NotFound, ProcessorAnswer } from './answers.ts';
import type { CardActions, ChargeRequest, LookupRequest } from './charges.ts';
import type { Credentials, PlainCredentials } from './credentials.ts';
import type { BankDebits } from './debits.ts';
import type { Disputes } from './disputes.ts';
import type { Holds } from './holds.ts';
import type { ProcessorNotifications } from './notifications.ts';
import type { LiveWallets, PageDomainRequest, ProcessorPage, Tokenization } from './page.ts';
import type { Payouts } from './payouts.ts';
import type { ProcessorRecords } from './records.ts';
import type { Refunds } from './refunds.ts';
import type { CardWallet } from './saved-cards.ts';
import type { TestData } from './test-data.ts';

/**
 * What the processor does not allow yet, but cards and accounts keyed on the phone need: MOTO payments, card numbers in its
 * API, and bank debits.
 */
export type Restriction = 'moto_disabled' | 'card_numbers_disabled' | 'bank_debits_disabled';

/**
 * `restrictions`: as far as can be checked without a payment. `account`: the processor's name for the account that stores
 * the cards. Merchants that share it can charge each other's cards; without it, a card belongs to its merchant alone.
 * `recordsOf`: what {@link ProcessorRecords} lists, if that is only a part of the account, such as a location. `invalid`: the
 * processor rejects the credentials. `not_provisioned`: it accepts them, but the account cannot take payments yet.
 */
export type ConnectionCheck =
  | { status: 'ok'; account?: string; recordsOf?: string; restrictions?: readonly Restriction[] }
  | { status: 'invalid' | 'not_provisioned' | 'unavailable' };

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
