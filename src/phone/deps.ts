/** The phone role's dependencies, settings and time limits. */
import type { BaseLogger } from 'pino';
import type { LinkTextResult } from '../checkout/send-link.ts';
import type { ProcessLease } from '../db/calls/process-leases.ts';
import type { Sql } from '../db/pool.ts';
import type { ReadSessionState } from '../db/sessions/session-state.ts';
import type { SessionForCall } from '../db/sessions/sessions.ts';
import type { Scope } from '../domain/account.ts';
import type { AccountId, CheckoutSessionId } from '../domain/ids.ts';
import type { Merchant, ReturnMode } from '../domain/merchant.ts';
import type { Country, E164 } from '../domain/phone-number.ts';
import type { AttestationAnswer } from '../domain/screening.ts';
import type { Secret } from '../domain/secret.ts';
import type { ReturnCredentials, SipCredentials } from '../domain/sip-credentials.ts';
import type { TransferNumbers } from '../domain/transfer-number.ts';
import type { Vault } from '../lib/vault/vault.ts';
import type { CallProgress, Progress } from '../notifications/progress/ports.ts';
import type { PaymentRequest, PaymentResult } from '../payments/charges/take-payment.ts';
import type { Speech } from '../speech/ports.ts';
import type { OnCallEnd } from './call-record.ts';
import type { OverloadCause } from './load/overload.ts';
import type { HostResolver } from './next-hop.ts';
import type { MediaPool, SipEdge } from './ports.ts';

/** Log messages are static sentences with fields: never a digit, a card or a transfer token. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>;

/** Texts the pay link of a session to its caller. */
export interface LinkTexts {
  /**
   * Whether a text with the session's link can be sent: links can be created, a carrier accepts the texts, and the page
   * takes cards for the merchant.
   */
  canSend: (call: Pick<SessionForCall, 'session' | 'merchant' | 'credentials'>) => boolean;
  /** @throws if the database cannot be reached */
  send: (session: { id: CheckoutSessionId } & Scope) => Promise<LinkTextResult>;
}

/** Checks the Identity headers of an INVITE. Never throws; bounded in time. */
export type CheckIdentities = (
  identities: readonly string[],
  call: { callingNumber: E164; dialed: readonly E164[]; receivedAt: Date },
) => Promise<AttestationAnswer>;

/** Transfer codes: how they are stored, and the limits of guessing one. */
export interface TransferCodes {
  /** Wipes the code. */
  hash: (accountId: AccountId, code: Secret) => Buffer;
  /** Whether this caller may try a code. Never rejects. */
  mayTry: (caller: CodeCaller) => Promise<boolean>;
  /** Counts a wrong code. Never rejects. */
  countWrong: (caller: CodeCaller) => Promise<void>;
}

/** Who guesses: the number that a trunk shows, and the account whose number is called. */
export interface CodeCaller {
  accountId: AccountId;
  /** A trunk, and its caller's number in E.164; `withheld` if it shows none. */
  trunk: string;
  number: string;
}

export interface PhoneDeps {
  sql: Sql;
  readSessionState: ReadSessionState;
  lease: Pick<ProcessLease, 'id' | 'instance' | 'held' | 'alone' | 'onChange'>;
  edge: SipEdge;
  pool: MediaPool;
  /** Decrypts the accounts' signing secrets. Null without encryption keys. */
  vault: Vault | null;
  /** Publishes the calls' stages, and reports payments elsewhere. */
  progress: Progress & Pick<CallProgress, 'publishCall'>;
  speech: Pick<Speech, 'files' | 'exactFiles' | 'words' | 'spokenLanguage'>;
  /** Takes a payment. Answers in bounded time, and continues if the call ends. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** Whether the merchant's processor accepts keyed cards. True also if the merchant has no processor. */
  takesKeypad: (merchant: Pick<Merchant, 'processor' | 'mode'>) => boolean;
  /** Whether a card keyed on the phone can be saved for this merchant's callers. */
  canKeepCards: (merchant: Pick<Merchant, 'processor' | 'mode'>) => boolean;
  /** Whether the merchant's processor debits bank accounts. Absent: none does. */
  takesBankAccounts?: (merchant: Pick<Merchant, 'processor' | 'mode'>) => boolean;
  /** Whether this merchant's callers can pay with saved cards. */
  takesSavedCards: (merchant: Pick<Merchant, 'processor' | 'mode'>) => boolean;
  links: LinkTexts;
  /** Absent: calls cannot name a session with a code. */
  codes?: TransferCodes;
  /** RINGKEY_STIR_ROOTS. Absent: Identity headers are not checked. */
  checkIdentities?: CheckIdentities;
  log: Log;
  /** For metrics: an answered call has ended. */
  onCall?: OnCallEnd;
  /** For metrics: the time from an INVITE to its ACK. */
  onAnswer?: (seconds: number) => void;
  /** For metrics: a call was refused with this SIP status. `overload`: why, if the process was overloaded. */
  onRefusal?: (status: number, overload: OverloadCause | null) => void;
  /** The load of the process. Absent: no call is refused because of it. */
  load?: CallLoad;
  settings: PhoneSettings;
  /** Default: the system's resolver. */
  resolver?: HostResolver;
  limits?: Partial<PhoneLimits>;
}

interface CallLoad {
  /** Why a new call is refused; null: it is accepted. @param calls live and arriving calls, including the new one */
  refuses(calls: number): OverloadCause | null;
}

export interface PhoneSettings {
  maxCalls: number;
  /** RINGKEY_SMS names a carrier, so texts are sent in live mode. */
  hasSmsCarrier: boolean;
  /** RINGKEY_MAX_CALLS_PER_ACCOUNT: live calls, in all processes together. */
  maxCallsPerAccount: number;
  /** RINGKEY_RETURN_MODE; a merchant's own takes precedence. */
  returnMode: ReturnMode;
  /** Host (and port, parameters) by which others reach us, as in `transfer_to`. */
  sipDomain: string;
  /** RINGKEY_TRUNKS: addresses or CIDR blocks whose calling numbers are trusted. */
  trunks: readonly string[];
  /** RINGKEY_DIRECT_TRUNKS: trunks among these whose callers dial us directly, and whose attestation is trusted. */
  directTrunks: readonly string[];
  /** RINGKEY_TRUNK_COUNTRY: the country whose national format the trunks use. */
  trunkCountry: Country | null;
  /** RINGKEY_TRANSFER_NUMBERS and RINGKEY_TRANSFER_NUMBER: the owners of our numbers. */
  transferNumbers: TransferNumbers;
  /** RINGKEY_NUMBER_UNKNOWN: how to answer a caller of our numbers who has no waiting session. */
  numberUnknown: 'reject' | 'speak';
  /** RINGKEY_TRUNK_TARGET: host of the trunk through which phone numbers are called. */
  trunkTarget: string | null;
  /** RINGKEY_TRUNK_USERNAME and RINGKEY_TRUNK_PASSWORD. */
  trunkCredentials: SipCredentials | null;
  /** RINGKEY_RETURN_CREDENTIALS */
  returnCredentials: readonly ReturnCredentials[];
  /**
   * RINGKEY_RETURN_ALLOWED: hosts, addresses and CIDR blocks, public or not, that every account may send callers to.
   */
  returnAllowed: readonly string[];
}

/** All in milliseconds. */
export interface PhoneLimits {
  /** For each database step before the answer. After it the caller gets 503. */
  lookUpMs: number;
  /** For the final result of a REFER. */
  referMs: number;
  /** The same, once a NOTIFY has said that the agent's phone rings. */
  referRingMs: number;
  /** For a SIP server that is away when the caller should return to the agent. */
  sipServerMs: number;
  /** How long the agent's phone may ring. */
  ringMs: number;
  /**
   * The longest conversation of caller and agent over our bridge (RINGKEY_MAX_BRIDGE_MINUTES). Then both calls are hung
   * up.
   */
  bridgeMs: number;
  /** For the first digit of a transfer code that is dialed although the calling number has found the session. */
  codeStartMs: number;
  /** Between two digits of it. Platforms dial faster, and most people type more slowly. */
  codeGapMs: number;
  /** For the last sentence and the return to the agent during a shutdown. */
  windDownMs: number;
}

const LIMITS: PhoneLimits = {
  lookUpMs: 2_500,
  referMs: 10_000,
  referRingMs: 60_000,
  sipServerMs: 20_000,
  ringMs: 30_000,
  bridgeMs: 3_600_000,
  codeStartMs: 5_000,
  codeGapMs: 700,
  windDownMs: 20_000,
};

export function limitsOf(deps: Pick<PhoneDeps, 'limits'>): PhoneLimits {
  return { ...LIMITS, ...deps.limits };
}
