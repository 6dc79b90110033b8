/**
 * Handles what processors have notified: finds the charge, makes the resolver look up at once what is pending, and reads what
 * became of a payment later. What a notification says is never written. Several processes can do this at once.
 */
import { checkHoldSoon } from '../../db/holds/hold-changes.ts';
import { findChargeAt, hurryChanges, hurryCharge } from '../../db/processor-notifications/hurry.ts';
import { claimNotifications, type DueNotification, endNotification } from '../../db/processor-notifications/inbox.ts';
import type { Charge } from '../../domain/charge.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import { unknown } from '../port/answers.ts';
import type { ChargeOfPayment } from '../port/notifications.ts';
import { credentialsOf, type PaymentDeps, processorOf } from '../shared/deps.ts';
import { BATCH, type Batch, LOOK_UP_LIMIT_MS, runBatch } from '../shared/resolver.ts';
import { askOrUnknown } from '../shared/steps.ts';
import { handleDispute, isAboutDispute } from './handle-disputes.ts';
import { handlePayout, isAboutPayout } from './handle-payouts.ts';
import { readHistory } from './read-history.ts';
import type { HistoryDeps } from './record-history.ts';

type NotificationHandlerDeps = HistoryDeps & Pick<PaymentDeps, 'processors' | 'credentialsFor'>;

/**
 * A notification can arrive before the charge is committed, or while the request that it is about is still unanswered.
 * In a day, the processor can be asked again even after an outage.
 */
const RETRY_DELAYS_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000, 3_600_000, 6 * 3_600_000, 18 * 3_600_000];

/** Handles one batch of due notifications, all at once. @param stop ends the waits */
export async function handleDueNotifications(deps: NotificationHandlerDeps, stop: AbortSignal): Promise<Batch> {
  const due = await claimNotifications(deps.database, BATCH, RETRY_DELAYS_MS);
  return runBatch(deps.log, due, 'processor notification not handled, will retry', (item) => handle(deps, item, stop));
}

type Handled = 'done' | 'not_ours' | 'retry';

async function handle(deps: NotificationHandlerDeps, due: DueNotification, stop: AbortSignal): Promise<void> {
  const handled = await lookUpSubject(deps, due, stop);
  if (handled !== 'retry') await endNotification(deps.database, due.id);
  const { processor, merchantId, type, attempt } = due;
  deps.log.info({ processor, merchantId, type, attempt, result: handled }, 'processor notification handled');
}

async function lookUpSubject(deps: NotificationHandlerDeps, due: DueNotification, stop: AbortSignal): Promise<Handled> {
  if (isAboutPayout(due)) return handlePayout(deps, due, stop);
  if (isAboutDispute(deps, due)) {
    const handled = await handleDispute(deps, due, (paymentId) => askForCharge(deps, due, paymentId, stop), stop);
    if (handled === 'no_charge') return due.attempt <= COMMIT_ATTEMPTS ? 'retry' : 'not_ours';
    return handled === 'unready' ? 'retry' : handled;
  }
  const charge = await findCharge(deps, due, stop);
  if (charge === 'unknown') return 'retry';
  // A few minutes are enough for our own commit.
  if (charge === null) return due.attempt <= COMMIT_ATTEMPTS && due.chargeId !== null ? 'retry' : 'not_ours';
  if (charge.status === 'authorized') await checkHoldSoon(deps.database, charge.id);
  const isChargeDone = await hurryCharge(deps.database, charge);
  const areChangesDone = await hurryChanges(deps.database, charge);
  const isHistoryDone = await readHistory(deps, due, charge, stop);
  return isChargeDone && areChangesDone && isHistoryDone ? 'done' : 'retry';
}

const COMMIT_ATTEMPTS = 3;

/** The merchant's charge that the notification is about: by our ID in it, or else by what the processor says. */
async function findCharge(
  deps: NotificationHandlerDeps,
  due: DueNotification,
  stop: AbortSignal,
): Promise<Charge | null | 'unknown'> {
  const { merchantId, processor, chargeId, paymentId } = due;
  if (chargeId !== null) return findChargeAt(deps.database, merchantId, processor, chargeId);
  if (paymentId === null) return null;
  const answer = await askForCharge(deps, due, paymentId, stop);
  switch (answer.status) {
    case 'found':
      return findChargeAt(deps.database, merchantId, processor, answer.chargeId);
    case 'not_found':
      return null;
    case 'unknown':
      return 'unknown';
  }
}

function askForCharge(
  deps: NotificationHandlerDeps,
  due: DueNotification,
  paymentId: string,
  stop: AbortSignal,
): Promise<ChargeOfPayment> {
  const about = { processor: due.processor, notification: due.id };
  return askOrUnknown<ChargeOfPayment>(deps, about, 'payment of a notification not looked up', async () => {
    const processor = processorOf(deps, due.processor);
    const adapter = processor?.notifications;
    if (processor === undefined || adapter == null) return unknown('processor not configured');
    const credentials = await credentialsOf(deps, processor, due);
    if (credentials === null) return unknown('no usable credentials');
    const request = { merchantId: due.merchantId, mode: due.mode, credentials, paymentId };
    return withinLimit(LOOK_UP_LIMIT_MS, (signal) => adapter.chargeOf(request, signal), stop);
  });
}
