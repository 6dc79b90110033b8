/** What the REST surface needs; `main.ts` gives it. */
import type { CheckoutDeps } from '../checkout/ports.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Processor } from '../payments/ports.ts';
import type { RefundOrder, RefundResult } from '../payments/refund.ts';
import type { PaymentRequest, PaymentResult } from '../payments/take-payment.ts';
import type { Database } from '../db/pool.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Vault } from '../vault/vault.ts';
import type { TextReplies } from './routes/text-replies.ts';
import type { ServerDeps } from './server.ts';

/** Whether a part we depend on answers: rejects when it does not. `signal` aborts when nobody waits any more. */
export type HealthCheck = (signal: AbortSignal) => Promise<void>;

export interface ApiDeps extends Omit<CheckoutDeps, 'background' | 'merchants' | 'open'>, ServerDeps {
  database: Database;
  rateLimiter: RateLimiter;
  /** Null where no encryption keys are set. */
  vault: Vault | null;
  /** What integrators' URLs of test mode may lead to: this machine and its network, too (RINGKEY_PRIVATE_TARGETS). */
  privateTargets: boolean;
  processors: readonly Processor[];
  /** The one path that takes a payment. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** The one path that gives money back. */
  refund: (order: RefundOrder) => Promise<RefundResult>;
  /** A card was deleted: wakes the worker of this process, where there is one. */
  onCardDeleted?: () => void;
  /** How long a request waits for the first one with its Idempotency-Key; 10 s where not given. */
  idempotencyWaitMs?: number;
  /** Whom a request without a key acts for, in test mode; null when there is no keyless demo. */
  demoAccount: AccountId | null;
  /** Strangers can reach the demo: what they share is not theirs to change. Off where not given. */
  isPublicDemo?: boolean;
  /** Where carriers tell what callers answer to texts; nowhere where not given. */
  textReplies?: TextReplies;
  /** This process's; one of the app's own where not given. */
  metrics?: Metrics;
  /** Addresses and CIDR blocks that may read `/metrics`; loopback and private networks where not given. */
  metricsReaders?: readonly string[];
  /** By the name that `/readyz` tells: `postgres`, `redis`, `engine`. */
  checks: Record<string, HealthCheck>;
}
