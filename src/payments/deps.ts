/** What taking payments and refunds needs from outside. */
import type { BaseLogger } from 'pino';
import type { Database, Sql } from '../db/pool.ts';
import type { Charge } from '../domain/charge.ts';
import type { Refund } from '../domain/refund.ts';
import type { Mode } from '../domain/session.ts';
import type { InFlight } from '../lib/concurrency/in-flight.ts';
import type { Fingerprint } from '../lib/vault/fingerprint.ts';
import type { Vault } from '../lib/vault/vault.ts';
import type { Capabilities, Channel, Credentials, PayableCard, Processor } from './ports.ts';
import type { VelocityRules } from './velocity.ts';

/** Static sentences with fields; never a digit of a card. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>;

export interface PaymentDeps {
  database: Database;
  processors: readonly Processor[];
  inFlight: InFlight;
  log: Log;
  /** Without it, only processors that need no credentials can be charged. */
  credentialsFor?: CredentialsFor;
  /** A charge has gone pending, or a card is still to be kept: wakes the worker of this process, where there is one. */
  onPending: () => void;
  /** Events have been committed: notifies the outbox relay, which finds them later in any case. */
  onEvents?: () => void;
  /** Seals the handles of cards that are kept; where not given, none is. */
  vault?: Vault | null;
  /** A charge was begun, and is pending. */
  onBegun?: (charge: Charge) => void;
  /** A pending charge waits for its payer, does so no more, or its outcome has become unknown. */
  onPendingChanged?: (charge: Charge) => void;
  /** For the counts: the charge has its outcome, now and for good. */
  onSettled?: (charge: Charge) => void;
  /** For the counts: a charge that was called failed was paid. */
  onLateSuccess?: (charge: Charge) => void;
  /** For the counts: what became of a card that a caller agreed to have kept. */
  onCard?: (result: 'kept' | 'refused' | 'failed') => void;
  timings?: Partial<PaymentTimings>;
  /** Recognizes a card that was tried before; where not given, attempts are counted by caller and session only. */
  fingerprint?: Fingerprint;
  /** RINGKEY_SAVED_CARDS: whether saved cards are charged; true where not given. */
  savedCards?: boolean;
  /** The velocity rules; {@link VELOCITY} where not given. */
  velocity?: Readonly<Record<Mode, VelocityRules>>;
}

/**
 * The merchant's credentials at the processor of a charge, also of one that it has left since; null when none are kept,
 * or they cannot be opened.
 */
export type CredentialsFor = (
  charge: Pick<Charge, 'accountId' | 'merchantId' | 'mode' | 'processor'>,
) => Promise<Credentials | null>;

/** The credentials for a charge; empty where its processor needs none. */
export async function credentialsOf(
  deps: Pick<PaymentDeps, 'credentialsFor'>,
  processor: Processor,
  charge: Parameters<CredentialsFor>[0],
): Promise<Credentials | null> {
  if (!processor.needsCredentials) return {};
  return deps.credentialsFor === undefined ? null : deps.credentialsFor(charge);
}

/** What a manual settlement adds to the transaction that writes the outcome. */
export interface ManualGuard {
  /** Runs first, under the locks. @throws to write nothing */
  check(sql: Sql): Promise<void>;
  /** Runs once the outcome is written. */
  audit(sql: Sql, settled: Charge | Refund): Promise<void>;
}

export interface PaymentTimings {
  /** The processor's time to answer. */
  processorLimitMs: number;
  /**
   * How long the database may be away when a charge begins. A failover of seconds costs nobody a card that was keyed.
   */
  beginLimitMs: number;
  /** Likewise where a request waits, which can be sent again: it has to be answered within the handlers' limit. */
  requestBeginLimitMs: number;
  /** How long an outcome that the database does not take is tried again. */
  recordLimitMs: number;
  /** How long a charge waits for its payer to do what the bank asks for. */
  actionLimitMs: number;
  /** A charge that was not sent this soon after its row is never sent, so that it can be given up for lost safely. */
  sendWindowMs: number;
}

const TIMINGS: PaymentTimings = {
  processorLimitMs: 30_000,
  beginLimitMs: 15_000,
  requestBeginLimitMs: 4_000,
  recordLimitMs: 8_000,
  actionLimitMs: 600_000,
  sendWindowMs: 10_000,
};

export function timingsOf(deps: Pick<PaymentDeps, 'timings'>): PaymentTimings {
  return deps.timings === undefined ? TIMINGS : { ...TIMINGS, ...deps.timings };
}

/** The processor of this name; undefined where it is not configured any more. */
export function processorOf({ processors }: Pick<PaymentDeps, 'processors'>, name: string): Processor | undefined {
  return processors.find((processor) => processor.name === name);
}

/** Names of the processors that may take this card in this mode. */
export function eligible(
  processors: readonly Processor[],
  mode: Mode,
  kind: PayableCard['kind'],
  channel: Channel,
): string[] {
  return processors
    .filter(({ modes, can }) => modes.includes(mode) && can[neededFor(kind, channel)])
    .map(({ name }) => name);
}

function neededFor(kind: PayableCard['kind'], channel: Channel): keyof Capabilities {
  switch (kind) {
    case 'keyed':
      return channel === 'page' ? 'pageKeypad' : 'keypad';
    case 'saved':
      return 'savedCards';
    case 'token':
      return 'pageTokens';
  }
}
