/** What the phone app is given by whoever wires it. */
import type { BaseLogger } from 'pino';
import type { Merchant, ReturnMode } from '../domain/session.ts';
import type { PaymentRequest, PaymentResult } from '../payments/take-payment.ts';
import type { Speech } from '../speech/ports.ts';
import type { Sql } from '../db/pool.ts';
import type { Life } from '../db/calls/process-leases.ts';
import type { OnCallEnd } from './call-record.ts';
import type { MediaPool, SipEdge } from './ports.ts';

/** Static sentences with fields; never a digit, a card or a transfer token. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>;

export interface PhoneDeps {
  sql: Sql;
  life: Pick<Life, 'id' | 'instance'>;
  edge: SipEdge;
  pool: MediaPool;
  speech: Pick<Speech, 'files' | 'words' | 'spokenLanguage'>;
  /** `takePayment` with its own deps: never twice for a card, answers in bounded time, goes on if nobody waits. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** Whether a card keyed on the phone can be kept for this merchant's callers. */
  canKeepCards: (merchant: Pick<Merchant, 'processor' | 'mode'>) => boolean;
  log: Log;
  /** For the counts: an answered call has ended. */
  onCall?: OnCallEnd;
  /** For the counts: a call was not answered. */
  onRefusal?: (status: number) => void;
  settings: PhoneSettings;
  limits?: Partial<PhoneLimits>;
}

export interface PhoneSettings {
  maxCalls: number;
  /** RINGKEY_RETURN_MODE; a merchant's own goes first. */
  returnMode: ReturnMode;
  /** Addresses, in CIDR, whose calls to a number are believed. */
  trunks: readonly string[];
  /** Host of the trunk that takes numbers. */
  trunkTarget: string | null;
}

/** All in milliseconds. */
export interface PhoneLimits {
  /** For the look-ups before the answer; past it the caller gets 503. */
  lookUpMs: number;
  /** For the first final word on a REFER. */
  referMs: number;
  /** How long the agent's side may ring. */
  ringMs: number;
  /** The longest talk of caller and agent over our bridge. */
  bridgeMs: number;
  /** For the last sentence and the way back, when calls are told to end. */
  partingMs: number;
}

const LIMITS: PhoneLimits = {
  lookUpMs: 2_500,
  referMs: 10_000,
  ringMs: 30_000,
  bridgeMs: 4 * 3_600_000,
  partingMs: 20_000,
};

export function limitsOf(deps: Pick<PhoneDeps, 'limits'>): PhoneLimits {
  return { ...LIMITS, ...deps.limits };
}
