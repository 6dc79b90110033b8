/** What the phone role needs from outside: dependencies, settings, time limits. */
import type { BaseLogger } from 'pino';
import type { LinkTextResult } from '../checkout/text-link-to-caller.ts';
import type { ProcessLease } from '../db/calls/process-leases.ts';
import type { Sql } from '../db/pool.ts';
import type { Scope } from '../domain/account.ts';
import type { CheckoutSessionId } from '../domain/ids.ts';
import type { Country, E164 } from '../domain/phone-number.ts';
import type { AttestationAnswer } from '../domain/screening.ts';
import type { Merchant, Mode, ReturnMode } from '../domain/session.ts';
import type { ReturnCredentials, SipCredentials } from '../domain/sip-credentials.ts';
import type { TransferNumbers } from '../domain/transfer-number.ts';
import type { Vault } from '../lib/vault/vault.ts';
import type { Progress } from '../notifications/progress/ports.ts';
import type { PaymentRequest, PaymentResult } from '../payments/take-payment.ts';
import type { Speech } from '../speech/ports.ts';
import type { OnCallEnd } from './call-record.ts';
import type { OverloadCause } from './load/overload.ts';
import type { HostResolver } from './next-hop.ts';
import type { MediaPool, SipEdge } from './ports.ts';

/** Log messages are static sentences with fields: never a digit, a card or a transfer token. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>;

/** Texts callers the pay link of their session. */
export interface LinkTexts {
  /** Whether texts with links go out in a mode: links can be made, and a carrier takes the texts. */
  canSend: (mode: Mode) => boolean;
  /** @throws when the database can't be reached */
  send: (session: { id: CheckoutSessionId } & Scope) => Promise<LinkTextResult>;
}

/** Checks the Identity headers of an INVITE. Never throws; bounded in time. */
export type CheckIdentities = (
  identities: readonly string[],
  call: { callingNumber: E164; dialled: readonly E164[]; receivedAt: Date },
) => Promise<AttestationAnswer>;

export interface PhoneDeps {
  sql: Sql;
  lease: Pick<ProcessLease, 'id' | 'instance' | 'held' | 'alone' | 'onChange'>;
  edge: SipEdge;
  pool: MediaPool;
  /** Opens the accounts' signing secrets; null without encryption keys. */
  vault: Vault | null;
  /** Tells of the calls' stages, and hears of payments elsewhere. */
  progress: Progress;
  speech: Pick<Speech, 'files' | 'words' | 'spokenLanguage'>;
  /** Takes a payment. Answers in bounded time and goes on when the call is over. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** Whether the merchant's processor takes cards that are keyed; true also where the merchant has none. */
  takesKeypad: (merchant: Pick<Merchant, 'processor' | 'mode'>) => boolean;
  /** Whether a card keyed on the phone can be kept for this merchant's callers. */
  canKeepCards: (merchant: Pick<Merchant, 'processor' | 'mode'>) => boolean;
  /** Whether saved cards are charged for this merchant's callers. */
  takesSavedCards: (merchant: Pick<Merchant, 'processor' | 'mode'>) => boolean;
  links: LinkTexts;
  /** RINGKEY_STIR_ROOTS; where not given, nobody checks. */
  checkIdentities?: CheckIdentities;
  log: Log;
  /** For metrics: an answered call has ended. */
  onCall?: OnCallEnd;
  /** For metrics: a call was refused with this SIP status, and why, where the process was overloaded. */
  onRefusal?: (status: number, overload: OverloadCause | null) => void;
  /** How loaded the process is; where not given, no call is refused for it. */
  load?: CallLoad;
  settings: PhoneSettings;
  /** Default: the system's. */
  resolver?: HostResolver;
  limits?: Partial<PhoneLimits>;
}

interface CallLoad {
  /** Why a new call is refused; null: it is taken. @param calls that are up or arriving, the new one among them */
  refuses(calls: number): OverloadCause | null;
}

export interface PhoneSettings {
  maxCalls: number;
  /** RINGKEY_SMS names a carrier: texts of live mode go out. */
  hasSmsCarrier: boolean;
  /** RINGKEY_MAX_CALLS_PER_ACCOUNT: live calls, over all processes. */
  maxCallsPerAccount: number;
  /** RINGKEY_RETURN_MODE; a merchant's own takes precedence. */
  returnMode: ReturnMode;
  /** Host (and port, parameters) by which others reach us, as in `transfer_to`. */
  sipDomain: string;
  /** RINGKEY_TRUNKS: addresses or CIDR blocks whose calling numbers are trusted. */
  trunks: readonly string[];
  /**
   * RINGKEY_DIRECT_TRUNKS: those of them whose callers dial us themselves, and whose word on attestation is believed.
   */
  directTrunks: readonly string[];
  /** RINGKEY_TRUNK_COUNTRY: whose national numbers the trunks write. */
  trunkCountry: Country | null;
  /** RINGKEY_TRANSFER_NUMBERS and RINGKEY_TRANSFER_NUMBER: whose calls to our numbers are. */
  transferNumbers: TransferNumbers;
  /** RINGKEY_NUMBER_UNKNOWN: what a caller without a waiting session gets at a number of ours. */
  numberUnknown: 'reject' | 'speak';
  /** RINGKEY_TRUNK_TARGET: host of the trunk through which phone numbers are called. */
  trunkTarget: string | null;
  /** RINGKEY_TRUNK_USERNAME and RINGKEY_TRUNK_PASSWORD. */
  trunkCredentials: SipCredentials | null;
  /** RINGKEY_RETURN_CREDENTIALS */
  returnCredentials: readonly ReturnCredentials[];
  /** RINGKEY_RETURN_ALLOWED: hosts, addresses and CIDR blocks that every account may send callers to, public or not. */
  returnAllowed: readonly string[];
}

/** All in milliseconds. */
export interface PhoneLimits {
  /** For each database step before the answer; after it the caller gets 503. */
  lookUpMs: number;
  /** For the final result of a REFER. */
  referMs: number;
  /** Instead, once a NOTIFY has said that the agent rings. */
  referRingMs: number;
  /** For a SIP server that is away when the caller is to return to the agent. */
  sipServerMs: number;
  /** How long the agent may ring. */
  ringMs: number;
  /**
   * The longest conversation of caller and agent over our bridge (RINGKEY_MAX_BRIDGE_MINUTES); then both are hung up
   * on.
   */
  bridgeMs: number;
  /** For the last sentence and the return to the agent when a shutdown ends the calls. */
  windDownMs: number;
}

const LIMITS: PhoneLimits = {
  lookUpMs: 2_500,
  referMs: 10_000,
  referRingMs: 60_000,
  sipServerMs: 20_000,
  ringMs: 30_000,
  bridgeMs: 3_600_000,
  windDownMs: 20_000,
};

export function limitsOf(deps: Pick<PhoneDeps, 'limits'>): PhoneLimits {
  return { ...LIMITS, ...deps.limits };
}
