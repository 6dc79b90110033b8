/** What the phone role needs from outside: dependencies, settings, time limits. */
import type { BaseLogger } from 'pino';
import type { Merchant, ReturnMode } from '../domain/session.ts';
import type { PaymentRequest, PaymentResult } from '../payments/take-payment.ts';
import type { Speech } from '../speech/ports.ts';
import type { Sql } from '../db/pool.ts';
import type { ProcessLease } from '../db/calls/process-leases.ts';
import type { OnCallEnd } from './call-record.ts';
import type { MediaPool, SipEdge } from './ports.ts';

/** Log messages are static sentences with fields: never a digit, a card or a transfer token. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>;

export interface PhoneDeps {
  sql: Sql;
  lease: Pick<ProcessLease, 'id' | 'instance'>;
  edge: SipEdge;
  pool: MediaPool;
  speech: Pick<Speech, 'files' | 'words' | 'spokenLanguage'>;
  /** Takes a payment. Answers in bounded time and goes on when the call is over. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** Whether a card keyed on the phone can be kept for this merchant's callers. */
  canKeepCards: (merchant: Pick<Merchant, 'processor' | 'mode'>) => boolean;
  log: Log;
  /** For metrics: an answered call has ended. */
  onCall?: OnCallEnd;
  /** For metrics: a call was refused with this SIP status. */
  onRefusal?: (status: number) => void;
  settings: PhoneSettings;
  limits?: Partial<PhoneLimits>;
}

export interface PhoneSettings {
  maxCalls: number;
  /** RINGKEY_RETURN_MODE; a merchant's own takes precedence. */
  returnMode: ReturnMode;
  /** RINGKEY_TRUNKS: addresses or CIDR blocks whose calling numbers are trusted. */
  trunks: readonly string[];
  /** RINGKEY_TRUNK_TARGET: host of the trunk through which phone numbers are called. */
  trunkTarget: string | null;
}

/** All in milliseconds. */
export interface PhoneLimits {
  /** For each database step before the answer; after it the caller gets 503. */
  lookUpMs: number;
  /** For the final result of a REFER. */
  referMs: number;
  /** How long the agent may ring. */
  ringMs: number;
  /** The longest conversation of caller and agent over our bridge. */
  bridgeMs: number;
  /** For the last sentence and the return to the agent when a shutdown ends the calls. */
  windDownMs: number;
}

const LIMITS: PhoneLimits = {
  lookUpMs: 2_500,
  referMs: 10_000,
  ringMs: 30_000,
  bridgeMs: 4 * 3_600_000,
  windDownMs: 20_000,
};

export function limitsOf(deps: Pick<PhoneDeps, 'limits'>): PhoneLimits {
  return { ...LIMITS, ...deps.limits };
}
