/** The processors, and what takes payments and gives them back by them: now, and later in the sweeps. */
import type { Infrastructure } from './infrastructure.ts';
import { startWorker, type Worker } from './worker.ts';
import { CLOSE_LIMIT_MS } from './lifecycle.ts';
import { credentialsSource } from '../merchants/processor.ts';
import { createOutboxNotify } from '../outbox/notify.ts';
import { withMetrics } from '../payments/with-metrics.ts';
import type { CredentialsFor, PaymentDeps } from '../payments/deps.ts';
import { InFlight } from '../concurrency/in-flight.ts';
import type { Processor } from '../payments/ports.ts';
import { type RefundDeps, type RefundOrder, type RefundResult, refundCharge } from '../payments/refund.ts';
import { createSandbox } from '../payments/sandbox/index.ts';
import { createSquare } from '../payments/square/index.ts';
import { createStripe } from '../payments/stripe/index.ts';
import { type PaymentRequest, type PaymentResult, takePayment } from '../payments/take-payment.ts';
import { createFingerprint } from '../vault/fingerprint.ts';
import type { Vault } from '../vault/vault.ts';
import { encryptionKeys, vaultOf } from './encryption.ts';

/** Longer than a processor may take: an answer on its way is still recorded. */
const PAYMENTS_IDLE_LIMIT_MS = 45_000;

/** What payments and sweeps have in common: the processors, and whom to tell of what became of a charge. */
export interface Processing
  extends Pick<RefundDeps, 'onEvents' | 'onSettled' | 'onRefund'>,
    Pick<PaymentDeps, 'onCard'> {
  processors: readonly Processor[];
  credentialsFor: CredentialsFor;
  vault: Vault | null;
}

/** All that a merchant can be connected to; .github/CONTRIBUTING.md says how to add one. */
export function processingOf(infrastructure: Infrastructure): Processing {
  const { database, metrics } = infrastructure;
  const vault = vaultOf(infrastructure);
  return {
    processors: [createSandbox(database), createStripe(), createSquare()],
    credentialsFor: credentialsSource(database, vault),
    vault,
    onCard: metrics.card,
    onRefund: metrics.refund,
    onSettled: (charge) => metrics.charge(charge.status, charge),
    onEvents: createOutboxNotify(database, infrastructure.log),
  };
}

/** What is settled, expired, removed and forgotten when its time comes; of the role `worker`. */
export function startSweeps({ database, log, lifecycle }: Infrastructure, processing: Processing): Worker {
  const worker = startWorker({ database, ...processing, log });
  lifecycle.add('worker', CLOSE_LIMIT_MS, () => worker.close());
  return worker;
}

export interface Payments {
  processors: readonly Processor[];
  onCardDeleted(): void;
  pay(request: PaymentRequest): Promise<PaymentResult>;
  refund(order: RefundOrder): Promise<RefundResult>;
}

/** Of the phone and of REST alike; ends after both. @param worker null where another process sweeps */
export function openPayments(infrastructure: Infrastructure, processing: Processing, worker: Worker | null): Payments {
  const { database, log, lifecycle, metrics } = infrastructure;
  const [key] = encryptionKeys(infrastructure);
  const inFlight = new InFlight();
  metrics.watch('payments_under_way', 'Payments that this process is taking.', () => inFlight.size);
  lifecycle.add('payments', PAYMENTS_IDLE_LIMIT_MS + CLOSE_LIMIT_MS, async () => {
    if (!(await inFlight.idle(PAYMENTS_IDLE_LIMIT_MS))) log.warn({ payments: inFlight.size }, 'payments left pending');
  });
  const deps = {
    ...{ database, ...processing, inFlight, log, onPending: () => worker?.wake() },
    ...(key !== undefined && { fingerprint: createFingerprint(key) }),
  };
  return {
    processors: processing.processors,
    onCardDeleted: () => worker?.wake(),
    pay: withMetrics((request) => takePayment(deps, request), metrics),
    refund: (order) => refundCharge(deps, order),
  };
}
