/**
 * Compares a merchant's charges and refunds with the processor's own records, in both directions: payments taken there
 * but not paid here, and paid here but not taken there. Certain findings can be settled (`ReconcileOptions.fix`). No
 * money moves.
 * The processor's records name our charge in a text that anyone with access to the processor's account can write. So a
 * record counts only for charges of the merchant who owns that account.
 */

import { checkReturnSoon } from '../../db/charges/debit-returns.ts';
import type { LostCharge } from '../../db/charges/late-charges.ts';
import { checkHoldSoon } from '../../db/holds/hold-changes.ts';
import {
  type Connection,
  countChargesOf,
  findChargesOf,
  findSessionOfLost,
  knownCharges,
  listPaidCharges,
} from '../../db/reconciliation.ts';
import { type Charge, type ChargeStatus, isPaidStatus } from '../../domain/charge.ts';
import { type ChargeId, chargeIdOf } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import { MAX_TIP_PERCENT, tipsOn } from '../../domain/tip.ts';
import { recordLateSuccess } from '../charges/late-success.ts';
import { settleCharge } from '../charges/settle-charge.ts';
import { type Authorized, isApproved, type ProcessorAnswer, type Succeeded } from '../port/answers.ts';
import { type RecordedPayment, RecordsUnreadable } from '../port/records.ts';
import { checkedAnswer, idOrNull, withheldId } from '../shared/checked-answers.ts';
import { credentialsOf, processorOf } from '../shared/deps.ts';
import { reconcileRefunds } from './reconcile-refunds.ts';
import {
  type Finding,
  type NotCompared,
  type ReconcileDeps,
  type Reconciled,
  type ReconcileOptions,
  type Reconciliation,
  recordsRequest,
  type Span,
} from './reconciliation.ts';

/** Much longer than the clocks differ, and than a payment follows its charge's row. */
const MARGIN_MS = 15 * 60_000;
/** Only a slice of this length is held in memory. */
const SLICE_MS = 6 * 3_600_000;
const BATCH = 100;

/** Never throws because of the processor. */
export async function reconcile(
  deps: ReconcileDeps,
  connection: Connection,
  options: ReconcileOptions,
  stop: AbortSignal,
): Promise<Reconciled> {
  const processor = processorOf(deps, connection.processor);
  if (processor?.records == null) return { status: 'unreadable', cause: 'processor not configured' };
  const credentials = await credentialsOf(deps, processor, connection);
  if (credentials === null) return { status: 'unreadable', cause: 'no usable credentials' };
  const findings: Finding[] = [];
  const since = processor.needsCredentials ? connection.recordsSince : new Date(0);
  const work = { deps, connection, processor, records: processor.records, credentials, options, since, stop, findings };
  try {
    let payments = 0;
    for (const slice of slicesOf(options, since)) payments += await reconcilePayments(work, slice);
    await reconcileRefunds(work);
    return { status: 'compared', payments, findings, notCompared: await findNotCompared(work) };
  } catch (error) {
    if (!(error instanceof RecordsUnreadable)) throw error;
    return { status: 'unreadable', cause: error.reason };
  }
}

/** @returns null if the records have the whole span, or the merchant had no charges before it was connected */
async function findNotCompared({ deps, connection, options, since }: Reconciliation): Promise<NotCompared | null> {
  const { from } = options;
  if (from >= since) return null;
  const until = since < options.until ? since : options.until;
  const charges = await countChargesOf(deps.database, connection, from, until);
  const { recordsChange } = connection;
  if (charges === 0 && recordsChange === null) return null;
  return { from, until, charges, reason: recordsChange ?? 'unknown_account' };
}

function* slicesOf({ from, until }: Span, since: Date): Iterable<Span> {
  const start = Math.max(from.getTime(), since.getTime());
  for (let at = start; at < until.getTime(); at += SLICE_MS) {
    yield { from: new Date(at), until: new Date(Math.min(at + SLICE_MS, until.getTime())) };
  }
}

const within = (at: Date, { from, until }: Span) => at >= from && at < until;

/** @returns how many of our payments the processor lists */
async function reconcilePayments(work: Reconciliation, slice: Span): Promise<number> {
  const { deps, connection, records, stop } = work;
  const wider = {
    from: new Date(slice.from.getTime() - MARGIN_MS),
    until: new Date(slice.until.getTime() + MARGIN_MS),
  };
  const listed = new Set<ChargeId>();
  let [batch, count] = [[] as RecordedPayment[], 0];
  for await (const payment of records.payments(recordsRequest(work, wider), stop)) {
    if (stop.aborted) throw new RecordsUnreadable('stopped');
    listed.add(payment.chargeId);
    if (!within(payment.createdAt, slice)) continue;
    count += 1;
    batch.push(payment);
    if (batch.length === BATCH) {
      await comparePayments(work, batch);
      batch = [];
    }
  }
  await comparePayments(work, batch);
  for (const charge of await listPaidCharges(deps.database, connection, slice.from, slice.until)) {
    if (!listed.has(charge.id)) await checkMissing(work, charge);
  }
  return count;
}

async function comparePayments(work: Reconciliation, batch: readonly RecordedPayment[]): Promise<void> {
  const { deps, connection } = work;
  const ids = batch.map(({ chargeId }) => chargeId);
  const charges = await findChargesOf(deps.database, connection, ids);
  const known = await knownCharges(deps.database, ids);
  for (const payment of batch) {
    const charge = charges.get(payment.chargeId);
    if (charge !== undefined) await comparePayment(work, payment, charge);
    // A charge of another merchant belongs into that merchant's own reconciliation.
    else if (!known.has(payment.chargeId) && payment.answer !== null && isApproved(payment.answer)) {
      await judgeLost(work, payment, payment.answer);
    }
  }
}

const NOTHING = { refundId: null, processorRefundId: null, fixed: false } as const;

async function comparePayment(work: Reconciliation, { answer }: RecordedPayment, charge: Charge): Promise<void> {
  const { deps, findings, options } = work;
  const { id: chargeId, amount, processorPaymentId, status } = charge;
  const hereCents = charge.capturedCents ?? amount.amountCents;
  const about = { ...NOTHING, chargeId, processorPaymentId, hereCents, currency: amount.currency };
  if (charge.capture === 'manual' && isOtherHold(status, answer)) {
    await checkHoldSoon(deps.database, chargeId);
    findings.push({ ...about, kind: 'hold_differs', thereCents: takenCents(answer) });
    return;
  }
  if (answer === null || !isApproved(answer)) {
    const hasFailed = answer === null || answer.status === 'declined';
    if (status === 'succeeded' && hasFailed) await checkReturnSoon(deps.database, chargeId);
    if (status === 'succeeded' && hasFailed) findings.push({ ...about, kind: 'failed_there', thereCents: null });
    return;
  }
  const taken = answer.status === 'authorized' ? answer.held : answer.taken;
  const id = idOrNull(answer.processorPaymentId);
  const found = { ...about, processorPaymentId: id, thereCents: taken?.amountCents ?? null };
  if (taken !== undefined && (taken.amountCents !== hereCents || taken.currency !== amount.currency)) {
    findings.push({ ...found, kind: 'amount_differs', currency: taken.currency });
  } else if (status === 'pending' || status === 'failed') {
    const fixed = options.fix && (await settle(work, charge, answer));
    findings.push({ ...found, kind: `${status}_here`, fixed });
  } else if (processorPaymentId !== id && processorPaymentId !== withheldId(chargeId)) {
    findings.push({ ...found, kind: 'second_payment' });
  }
}

/** Whether a hold's state here is another one than there. A pending or failed charge is compared like any other. */
function isOtherHold(status: ChargeStatus, answer: ProcessorAnswer | null): boolean {
  switch (status) {
    case 'authorized':
      return answer?.status === 'succeeded' || answer?.status === 'declined';
    case 'succeeded':
      return answer?.status === 'authorized';
    case 'voided':
    case 'expired':
      return answer !== null && isApproved(answer);
    case 'pending':
    case 'failed':
      return false;
  }
}

const takenCents = (answer: ProcessorAnswer | null) =>
  answer?.status === 'succeeded' ? (answer.taken?.amountCents ?? null) : null;

/** @returns whether the charge is paid now */
async function settle(
  { deps, options }: Reconciliation,
  charge: Charge,
  answer: Succeeded | Authorized,
): Promise<boolean> {
  const checked = checkedAnswer(deps.log, charge, answer);
  if (!isApproved(checked)) return false;
  if (charge.status === 'failed') return (await recordLateSuccess(deps, charge, checked, byOf(options))) !== null;
  return isPaidStatus((await settleCharge(deps, charge, checked)).charge.status);
}

const byOf = ({ by }: ReconcileOptions) => (by === undefined ? {} : { by });

/** Attempts of a session whose charge IDs are tried: far more than a session's declines allow. */
const MAX_ATTEMPTS = 50;

/** A payment whose charge is not in the database. */
async function judgeLost(
  work: Reconciliation,
  payment: RecordedPayment,
  answer: Succeeded | Authorized,
): Promise<void> {
  const { deps, findings, options } = work;
  const lost = await lostChargeOf(work, payment, answer);
  if (lost === 'of_another') return;
  const fixed =
    options.fix &&
    lost !== null &&
    (await recordLateSuccess(deps, lost.charge, lost.success, { ...byOf(options), isLost: true })) !== null;
  const taken = answer.status === 'authorized' ? answer.held : answer.taken;
  findings.push({
    ...NOTHING,
    kind: 'missing_here',
    chargeId: payment.chargeId,
    fixed,
    processorPaymentId: lost?.success.processorPaymentId ?? idOrNull(answer.processorPaymentId),
    hereCents: null,
    thereCents: taken?.amountCents ?? null,
    currency: taken?.currency ?? '',
  });
}

/**
 * The lost charge, if it certainly belongs to this merchant: its ID derives from the session in the processor's record,
 * the session is the merchant's, and the amount is the session's. Null if that is not certain.
 */
async function lostChargeOf(
  { deps, connection }: Reconciliation,
  { chargeId, origin, createdAt }: RecordedPayment,
  answer: Succeeded | Authorized,
): Promise<{ charge: LostCharge; success: Succeeded | Authorized } | 'of_another' | null> {
  const session = origin === null ? null : await findSessionOfLost(deps.database, origin.sessionId);
  if (origin === null || session === null) return null;
  const { accountId, merchantId, mode, capture } = session;
  if (merchantId === null || merchantId !== connection.merchantId || mode !== connection.mode) return 'of_another';
  const attempts = Array.from({ length: MAX_ATTEMPTS }, (_, before) => chargeIdOf(session.id, before + 1));
  if (!attempts.includes(chargeId)) return null;
  const { processor } = connection;
  const ids = { id: chargeId, sessionId: session.id, accountId, merchantId };
  const tipCents = tipIn(answer, session.amount);
  // It can also be a part with a larger tip, so a person has to look.
  if (tipCents > 0 && session.takesParts) return null;
  const amount = { ...session.amount, amountCents: session.amount.amountCents + tipCents };
  const charge = { ...ids, mode, amount, tipCents, capture, processor, createdAt };
  const checked = checkedAnswer(deps.log, charge, answer);
  if (!isApproved(checked)) return null;
  return { charge: { ...charge, source: origin.source }, success: checked };
}

/** What was taken or is held beyond the amount due, if it is a tip that can be offered. Otherwise 0. */
function tipIn(answer: Succeeded | Authorized, due: Money): number {
  const told = answer.status === 'authorized' ? answer.held : answer.taken;
  const extraCents = (told?.amountCents ?? 0) - due.amountCents;
  const percentages = Array.from({ length: MAX_TIP_PERCENT }, (_, below) => below + 1);
  return tipsOn(due, percentages).some(({ tipCents }) => tipCents === extraCents) ? extraCents : 0;
}

/** A charge that is not in the list. The processor is asked for it directly before it is reported. */
async function checkMissing(work: Reconciliation, charge: Charge): Promise<void> {
  const { processor, credentials, stop, findings } = work;
  const { id: chargeId, mode, createdAt, amount, processorPaymentId } = charge;
  const found = await processor.lookUp({ chargeId, mode, createdAt, credentials }, stop);
  if (found.status !== 'not_found') return;
  findings.push({
    ...NOTHING,
    kind: 'missing_there',
    chargeId,
    processorPaymentId,
    hereCents: amount.amountCents,
    thereCents: null,
    currency: amount.currency,
  });
}
