/** Dependencies of payments and refunds. */
import type { BaseLogger } from 'pino';
import type { Database, Sql } from '../../db/pool.ts';
import type { Charge } from '../../domain/charge.ts';
import type { Refund } from '../../domain/refund.ts';
import type { Mode } from '../../domain/session.ts';
import type { InFlight } from '../../lib/concurrency/in-flight.ts';
import type { Fingerprint } from '../../lib/vault/fingerprint.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { Channel, PayableCard } from '../port/charges.ts';
import type { Credentials } from '../port/credentials.ts';
import type { Capabilities, Processor } from '../port/processor.ts';
import type { VelocityRules } from '../rules/velocity.ts';
import type { PaymentCard } from './card.ts';

/** Messages are static sentences with fields, and never contain a digit of a card. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>;

export interface PaymentDeps {
  database: Database;
  processors: readonly Processor[];
  inFlight: InFlight;
  log: Log;
  /** Without it, only processors that need no credentials can be charged. */
  credentialsFor?: CredentialsFor;
  /** A charge is pending, or a card is still to be saved: wakes the worker of this process, if it has one. */
  onPending: () => void;
  /** Events were committed: notifies the outbox relay, which would otherwise find them later. */
  onEvents?: () => void;
  /** Encrypts the handles of saved cards. Without it, no cards are saved. */
  vault?: Vault | null;
  /** A charge was created as pending. */
  onStarted?: (charge: Charge) => void;
  /** A pending charge began or stopped waiting for its payer, or its outcome became unknown. */
  onPendingChanged?: (charge: Charge) => void;
  /** For metrics: the charge has its final outcome. */
  onSettled?: (charge: Charge) => void;
  /** For metrics: a hold was captured or voided, or has expired. */
  onHoldEnded?: (charge: Charge) => void;
  /** For metrics: a charge that was reported as failed was paid. */
  onLateSuccess?: (charge: Charge) => void;
  /** For metrics: the result for a card that the caller agreed to save. */
  onCard?: (result: 'kept' | 'refused' | 'failed') => void;
  timings?: Partial<PaymentTimings>;
  /** Recognizes a card that was tried before. Without it, attempts are counted by caller and session only. */
  fingerprint?: Fingerprint;
  /** RINGKEY_SAVED_CARDS: whether saved cards can be charged. True by default. */
  savedCards?: boolean;
  /** By default, {@link VELOCITY}. */
  velocity?: Readonly<Record<Mode, VelocityRules>>;
}

/**
 * The merchant's credentials at the charge's processor, even if the merchant has since left that processor. Null if
 * there are none or they cannot be decrypted.
 */
export type CredentialsFor = (
  charge: Pick<Charge, 'accountId' | 'merchantId' | 'mode' | 'processor'>,
  /** The encrypted credentials, if they were read already. */
  sealed?: string | null,
) => Promise<Credentials | null>;

/** The credentials for a charge. Empty if its processor needs none. */
export async function credentialsOf(
  deps: Pick<PaymentDeps, 'credentialsFor'>,
  processor: Processor,
  charge: Parameters<CredentialsFor>[0],
  sealed: string | null = null,
): Promise<Credentials | null> {
  if (!processor.needsCredentials) return {};
  return deps.credentialsFor === undefined ? null : deps.credentialsFor(charge, sealed);
}

/** What a manual settlement adds to the transaction that writes the outcome. */
export interface ManualGuard {
  /** Runs first, under the locks. @throws to write nothing */
  check(sql: Sql): Promise<void>;
  /** Runs once the outcome is written. */
  audit(sql: Sql, settled: Charge | Refund): Promise<void>;
}

export interface PaymentTimings {
  /** Time limit of a request to the processor. */
  processorLimitMs: number;
  /**
   * How long a new charge waits for an unavailable database, such as in a failover: the caller keeps the card they
   * keyed.
   */
  startLimitMs: number;
  /** The same for a REST request. It is shorter because the client can retry, and the handler has a time limit. */
  requestStartLimitMs: number;
  /** How long writing an outcome is retried. */
  recordLimitMs: number;
  /** How long a charge waits for its payer to authenticate. */
  actionLimitMs: number;
  /**
   * A charge that was not sent within this time after its row was written is never sent. So it can safely be failed
   * later.
   */
  sendWindowMs: number;
}

const TIMINGS: PaymentTimings = {
  processorLimitMs: 30_000,
  startLimitMs: 15_000,
  requestStartLimitMs: 4_000,
  recordLimitMs: 8_000,
  actionLimitMs: 600_000,
  sendWindowMs: 10_000,
};

export function timingsOf(deps: Pick<PaymentDeps, 'timings'>): PaymentTimings {
  return deps.timings === undefined ? TIMINGS : { ...TIMINGS, ...deps.timings };
}

/** Undefined if the processor is no longer configured. */
export function processorOf({ processors }: Pick<PaymentDeps, 'processors'>, name: string): Processor | undefined {
  return processors.find((processor) => processor.name === name);
}

/** Names of the processors that can hold an amount. */
export function holdersOf(processors: readonly Processor[]): string[] {
  return processors.filter(({ holds }) => holds !== null).map(({ name }) => name);
}

/** Names of the processors that verify and save this kind of card without taking money. */
export function verifiersOf(processors: readonly Processor[], kind: PaymentCard['kind']): string[] {
  const needed = { keyed: 'verifiesCards', token: 'verifiesTokens', saved: null, bank_account: null } as const;
  const capability = needed[kind];
  return processors.filter(({ can }) => capability !== null && can[capability] === true).map(({ name }) => name);
}

type Verifier = Pick<Processor, 'can'>;

/** Whether the pay page can save a card without a payment. */
export const verifiesOnPage = ({ can }: Verifier): boolean =>
  can.pageKeypad ? can.verifiesCards === true : can.verifiesTokens === true;

/** Whether the line can. */
export const verifiesOnLine = ({ can }: Verifier): boolean => can.keypad && can.verifiesCards === true;

export const verifies = (processor: Verifier): boolean => verifiesOnLine(processor) || verifiesOnPage(processor);

/** Names of the processors that accept this kind of card in this mode. */
export function eligible(
  processors: readonly Processor[],
  mode: Mode,
  kind: PaymentCard['kind'],
  channel: Channel,
): string[] {
  return processors
    .filter(({ modes, can, debits }) => {
      const isTaken = kind === 'bank_account' ? debits !== undefined : can[neededFor(kind, channel)] === true;
      return isTaken && modes.includes(mode);
    })
    .map(({ name }) => name);
}

function neededFor(kind: PayableCard['kind'], channel: Channel): keyof Capabilities {
  switch (kind) {
    case 'keyed':
      return channel === 'page' ? 'pageKeypad' : 'keypad';
    case 'saved':
      return channel === 'merchant' ? 'merchantInitiated' : 'savedCards';
    case 'token':
      return 'pageTokens';
  }
}
