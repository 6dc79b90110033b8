/**
 * Handles notifications of disputes: reads the dispute at its processor, finds the charge of its payment, and writes
 * the state. What a notification says is written only if the processor has no other way to tell it.
 */
import { type NotedDispute, writeDispute } from '../../db/disputes/disputes.ts';
import { readOne } from '../../db/pool.ts';
import { findChargeAt } from '../../db/processor-notifications/hurry.ts';
import type { DueNotification } from '../../db/processor-notifications/inbox.ts';
import type { Charge } from '../../domain/charge.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import { unknown } from '../port/answers.ts';
import type { DisputeAnswer, ReadDispute } from '../port/disputes.ts';
import type { ChargeOfPayment } from '../port/notifications.ts';
import { credentialsOf, type PaymentDeps, processorOf } from '../shared/deps.ts';
import { LOOK_UP_LIMIT_MS } from '../shared/resolver.ts';
import { askOrUnknown } from '../shared/steps.ts';
import { checkedDispute, disputedAmount } from './checked-disputes.ts';

type Deps = Pick<PaymentDeps, 'database' | 'processors' | 'credentialsFor' | 'log'>;

/** A notification about a dispute, whose processor can tell its state. */
type DisputeNotification = DueNotification & { disputeId: string };

/** Whether the notification is about a dispute that {@link handleDispute} can read. */
export function isAboutDispute(deps: Pick<Deps, 'processors'>, due: DueNotification): due is DisputeNotification {
  return due.disputeId !== null && (due.dispute !== null || processorOf(deps, due.processor)?.disputes != null);
}

/** `unready`: the processor did not answer. `no_charge`: the charge does not exist, or is not committed yet. */
type HandledDispute = 'done' | 'not_ours' | 'no_charge' | 'unready';

/**
 * @param askForCharge asks the processor which charge of ours a payment is
 * @param stop ends the waits
 */
export async function handleDispute(
  deps: Deps,
  due: DisputeNotification,
  askForCharge: (paymentId: string) => Promise<ChargeOfPayment>,
  stop: AbortSignal,
): Promise<HandledDispute> {
  const askedAt = await readClock(deps);
  const answer = await readDispute(deps, due, stop);
  if (answer.status === 'unknown') {
    const { processor, merchantId } = due;
    deps.log.warn({ processor, merchantId, cause: answer.cause }, 'dispute not read, will retry');
    return 'unready';
  }
  if (answer.status === 'not_found') return 'not_ours';
  const { dispute } = answer;
  const charge = await findCharge(deps, due, dispute, askForCharge);
  if (typeof charge === 'string') return charge;
  const noted = notedDispute(deps, due, dispute, charge, askedAt);
  const written = await deps.database.transaction((sql) => writeDispute(sql, charge, noted));
  const { kind, status } = noted;
  deps.log.info({ chargeId: charge.id, processor: due.processor, kind, status, written }, 'dispute read');
  return 'done';
}

/** The database's, because several processes read at once. Milliseconds. */
export async function readClock({ database }: Pick<Deps, 'database'>): Promise<number> {
  const text = 'select (extract(epoch from clock_timestamp()) * 1000)::double precision as now';
  return Math.floor((await readOne<{ now: number }>(database, text, [])).now);
}

async function readDispute(deps: Deps, due: DisputeNotification, stop: AbortSignal): Promise<DisputeAnswer> {
  if (due.dispute !== null) return { status: 'found', dispute: due.dispute };
  const about = { processor: due.processor, notification: due.id };
  return askOrUnknown<DisputeAnswer>(deps, about, 'dispute of a notification not read', async () => {
    const processor = processorOf(deps, due.processor);
    const disputes = processor?.disputes;
    if (processor === undefined || disputes == null) return unknown('processor not configured');
    const credentials = await credentialsOf(deps, processor, due);
    if (credentials === null) return unknown('no usable credentials');
    const request = { mode: due.mode, credentials, disputeId: due.disputeId };
    return withinLimit(LOOK_UP_LIMIT_MS, (signal) => disputes.read(request, signal), stop);
  });
}

/** The merchant's charge that is disputed, by the ID of its payment at the processor. */
async function findCharge(
  deps: Deps,
  { merchantId, processor }: DueNotification,
  { paymentId, chargeId }: ReadDispute,
  askForCharge: (paymentId: string) => Promise<ChargeOfPayment>,
): Promise<Charge | Exclude<HandledDispute, 'done'>> {
  const answer: ChargeOfPayment = chargeId == null ? await askForCharge(paymentId) : { status: 'found', chargeId };
  if (answer.status === 'unknown') return 'unready';
  if (answer.status === 'not_found') return 'not_ours';
  return (await findChargeAt(deps.database, merchantId, processor, answer.chargeId)) ?? 'no_charge';
}

function notedDispute(
  { log }: Pick<Deps, 'log'>,
  { disputeId, processor }: DisputeNotification,
  read: ReadDispute,
  charge: Charge,
  askedAt: number,
): NotedDispute {
  const { kind, status, reason, processorReason, evidenceDueAt, version, ...amount } = checkedDispute(read);
  const { isGuess, amountCents, currency } = disputedAmount(amount, charge);
  if (isGuess) log.error({ chargeId: charge.id, processor }, 'dispute in an unreadable currency, the charge is shown');
  return {
    processorDisputeId: disputeId,
    kind,
    status,
    reason,
    processorReason,
    amountCents,
    currency,
    evidenceDueAt,
    version: version ?? askedAt,
  };
}
