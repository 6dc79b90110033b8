/** The processors, and the parts that take and refund payments with them: on request, and in sweeps. */
import { credentialsSource } from '../accounts/merchants/processor.ts';
import type { ManualSettlement } from '../checkout/manual-settlement.ts';
import { accountLimitsOf, allowsPrivateTargets, tlsPlacesOf } from '../config/derived.ts';
import { type Sql, withSilenceLimit } from '../db/pool.ts';
import type { Charge } from '../domain/charge.ts';
import { InFlight } from '../lib/concurrency/in-flight.ts';
import { createFingerprint } from '../lib/vault/fingerprint.ts';
import type { Vault } from '../lib/vault/vault.ts';
import type { Notifier } from '../notifications/outbox/notifier.ts';
import { createOutboxNotify } from '../notifications/outbox/notify.ts';
import { createAdyen } from '../payments/adyen/index.ts';
import { storedOutcomes } from '../payments/adyen/outcomes.ts';
import { storedPayerAnswers } from '../payments/adyen/payer-answers.ts';
import { createAuthorizeNet } from '../payments/authorizenet/index.ts';
import { createBraintree } from '../payments/braintree/index.ts';
import { abandonPayment, actionOf, type ConfirmRequest, confirmPayment } from '../payments/charges/confirm.ts';
import { type PaymentRequest, type PaymentResult, takePayment } from '../payments/charges/take-payment.ts';
import { createCheckoutCom } from '../payments/checkoutcom/index.ts';
import { changeHold, type HoldOrder, type HoldResult } from '../payments/holds/change-hold.ts';
import { createHyperswitch } from '../payments/hyperswitch/index.ts';
import { settleManually } from '../payments/manual/manual-settlement.ts';
import { inChargeSpan, inHoldSpan, inRefundSpan, observedProcessor } from '../payments/observability/observed.ts';
import { withMetrics, withPendingCount } from '../payments/observability/with-metrics.ts';
import { createPayConnector } from '../payments/payconnector/index.ts';
import type { CardAction } from '../payments/port/answers.ts';
import type { Processor } from '../payments/port/processor.ts';
import { type RefundDeps, type RefundOrder, type RefundResult, refundCharge } from '../payments/refunds/refund.ts';
import { createPageSandbox, createSandbox } from '../payments/sandbox/index.ts';
import type { CredentialsFor, PaymentDeps } from '../payments/shared/deps.ts';
import { createSquare } from '../payments/square/index.ts';
import { createStripe } from '../payments/stripe/index.ts';
import { createWorldpay } from '../payments/worldpay/index.ts';
import { dashboardUrlOf } from './addresses.ts';
import type { Infrastructure } from './infrastructure.ts';
import { CLOSE_LIMIT_MS } from './lifecycle.ts';
import { linkDepsOf, mailersOf } from './notifications.ts';
import { startWorker, type Worker, type WorkerDeps } from './worker.ts';

/** Longer than a processor takes, so that an answer on its way is still recorded. */
const PAYMENTS_IDLE_LIMIT_MS = 45_000;
/** Longer than the lock timeout, but short enough to retry on another connection while the caller waits. */
const SILENCE_LIMIT_MS = 3_000;

/** Shared by payments and sweeps: the processors, and the observers of outcomes. */
interface Processing
  extends Pick<RefundDeps, 'onEvents' | 'onSettled' | 'onRefund'>,
    Pick<PaymentDeps, 'onStarted' | 'onPendingChanged' | 'onCard' | 'onHoldEnded' | 'onLateSuccess'>,
    Pick<WorkerDeps, 'onExpired'> {
  processors: readonly Processor[];
  credentialsFor: CredentialsFor;
  vault: Vault | null;
}

/** All processors that a merchant can be connected to. To add one, see .github/CONTRIBUTING.md. */
export function createProcessors(sql: Sql): Processor[] {
  const vendors = [
    createStripe(),
    createSquare(),
    createAuthorizeNet(),
    createCheckoutCom(),
    createWorldpay(),
    createBraintree(),
    createHyperswitch(),
    createAdyen({ outcomes: storedOutcomes(sql, 'adyen'), answers: storedPayerAnswers(sql) }),
    createPayConnector(),
  ];
  return [createSandbox(sql), createPageSandbox(sql), ...vendors];
}

/** @param notifier of this process, which relays its own events; null notifies other processes */
export function processingOf(infrastructure: Infrastructure, notifier: Notifier | null): Processing {
  const { database, vault, metrics, progress } = infrastructure;
  const publish = (charge: Pick<Charge, 'sessionId'>) => progress.publish(charge.sessionId, 'charge_changed');
  return {
    processors: createProcessors(database).map((one) => observedProcessor(one, metrics.processorAnswer)),
    credentialsFor: credentialsSource(withSilenceLimit(database, SILENCE_LIMIT_MS), vault),
    vault,
    onCard: metrics.card,
    onRefund: metrics.refund,
    onStarted: publish,
    onPendingChanged: publish,
    onSettled(charge) {
      metrics.charge(charge.status, charge);
      publish(charge);
    },
    onHoldEnded(charge) {
      metrics.charge(charge.status, charge);
      publish(charge);
    },
    onLateSuccess(charge) {
      metrics.charge('paid_after_all', charge);
      publish(charge);
    },
    onExpired: (id) => progress.publish(id, 'session_expired'),
    onEvents: notifier?.relayNow ?? createOutboxNotify(database, infrastructure.log),
  };
}

/** Starts the sweeps that settle, expire, remove and delete due rows, for the role `worker`. */
export function startSweeps(infrastructure: Infrastructure, processing: Processing): Worker {
  const { config, database, log, lifecycle, metrics } = infrastructure;
  const links = linkDepsOf(infrastructure, processing.processors);
  const mailers = mailersOf(infrastructure);
  const alerts = {
    mailers,
    vault: infrastructure.vault,
    privateTargets: allowsPrivateTargets(config),
    dashboardUrl: dashboardUrlOf(config),
  };
  const retention = { sessionDays: config.RINGKEY_RETENTION_DAYS, requestDays: config.RINGKEY_REQUEST_LOG_DAYS };
  const reconciliation = config.RINGKEY_RECONCILE;
  const onPruned = metrics.rowsPruned;
  const worker = startWorker({
    database,
    ...processing,
    links,
    mailers,
    alerts,
    log,
    ...retention,
    accountLimits: accountLimitsOf(config),
    tlsPlaces: tlsPlacesOf(config),
    reconciliation,
    onPruned,
  });
  lifecycle.add('worker', CLOSE_LIMIT_MS, async () => {
    await worker.close();
    mailers.live?.close();
  });
  return worker;
}

export interface Payments {
  processors: readonly Processor[];
  onCardDeleted(): void;
  onNotified(): void;
  pay(request: PaymentRequest): Promise<PaymentResult>;
  /** Confirms a charge after the bank asked the payer for something; see payments/charges/confirm.ts. */
  confirm(request: ConfirmRequest): Promise<PaymentResult | null>;
  abandon(request: ConfirmRequest): Promise<PaymentResult | null>;
  actionOf(charge: Charge): Promise<CardAction | null>;
  refund(order: RefundOrder): Promise<RefundResult>;
  changeHold(order: HoldOrder): Promise<HoldResult>;
  settle: ManualSettlement['settle'];
}

/** Shared by phone and REST, and closed after both. @param worker null if another process sweeps */
export function openPayments(infrastructure: Infrastructure, processing: Processing, worker: Worker | null): Payments {
  const { log, lifecycle, metrics } = infrastructure;
  const database = withSilenceLimit(infrastructure.database, SILENCE_LIMIT_MS);
  const [key] = infrastructure.encryptionKeys;
  const inFlight = new InFlight();
  metrics.watch('payments_under_way', 'Payments that this process is taking now.', () => inFlight.size);
  lifecycle.add('payments', PAYMENTS_IDLE_LIMIT_MS + CLOSE_LIMIT_MS, async () => {
    if (!(await inFlight.idle(PAYMENTS_IDLE_LIMIT_MS))) log.warn({ payments: inFlight.size }, 'payments left pending');
  });
  const deps = {
    database,
    ...processing,
    inFlight,
    log,
    onPending: () => worker?.wake(),
    savedCards: infrastructure.config.RINGKEY_SAVED_CARDS,
    ...(key !== undefined && { fingerprint: createFingerprint(key) }),
  };
  const counted = withPendingCount(metrics);
  return {
    processors: processing.processors,
    onCardDeleted: () => worker?.wake(),
    onNotified: () => worker?.wake(),
    pay: withMetrics(
      (request) => inChargeSpan(request, { source: request.source }, () => takePayment(deps, request)),
      metrics,
    ),
    confirm: (request) => counted(inChargeSpan(request, {}, () => confirmPayment(deps, request))),
    abandon: (request) => counted(inChargeSpan(request, {}, () => abandonPayment(deps, request))),
    actionOf: (charge) => actionOf(deps, charge),
    refund: (order) => inRefundSpan(order, () => refundCharge(deps, order)),
    changeHold: (order) => inHoldSpan(order, () => changeHold(deps, order)),
    settle: (kind, order) => settleManually(deps, kind, order),
  };
}
