/** What the REST API is given by `app/`. */
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

/** Rejects when a part that the service depends on does not answer. */
export type HealthCheck = () => Promise<void>;

export interface ApiDeps extends Omit<CheckoutDeps, 'background' | 'checkouts'>, ServerDeps {
  database: Database;
  rateLimiter: RateLimiter;
  /** Null where no encryption keys are set. */
  vault: Vault | null;
  /** Integrators' URLs of test mode may lead to private addresses, too (RINGKEY_PRIVATE_TARGETS). */
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
  /** The account of requests without a key, in test mode; null where there is no keyless demo. */
  demoAccount: AccountId | null;
  /** The demo can be reached from other machines: see plugins/public-demo.ts. Off where not given. */
  isPublicDemo?: boolean;
  /** SMS carriers whose webhooks are served; none where not given. */
  textReplies?: TextReplies;
  /** The process's; the app makes its own where not given. */
  metrics?: Metrics;
  /** Addresses and CIDR blocks that may read `/metrics`; loopback and private networks where not given. */
  metricsReaders?: readonly string[];
  /** By their names in `/readyz`: `postgres`, `redis`, `engine`. */
  checks: Record<string, HealthCheck>;
}
