/** Writes a processor's answer to a charge, and returns the result of the payment. */
import { awaitsBank, awaitsPayer, type Charge, type DeclineCode } from '../../domain/charge.ts';
import type { ActionRequired, CardAction, Debited, ProcessorAnswer, Settlement } from '../port/answers.ts';
import { type PaymentDeps, timingsOf } from '../shared/deps.ts';
import { DEBIT_CHECK_MS, RESOLVE_AFTER_MS } from '../shared/schedule.ts';
import { recordWithRetries } from '../shared/steps.ts';
import { awaitPayer, leaveDebited, leavePending, type SettleDeps, settleCharge } from './settle-charge.ts';
import type { SessionOrder } from './start-charge.ts';

export type RecordedAnswer =
  /**
   * The amount was taken, or held with manual capture (`charge.status`). `cardSaved`: false if the card may still be saved
   * later.
   */
  | { type: 'succeeded'; charge: Charge; order: SessionOrder; cardSaved: boolean }
  | { type: 'declined'; charge: Charge; declineCode: DeclineCode }
  /**
   * The processor rejects payments of this merchant because of its setup. Nothing was taken, and another card would not
   * help.
   */
  | { type: 'merchant_fault'; charge: Charge }
  /**
   * The processor has accepted a bank debit. Its outcome is known days later. Until then nothing else can charge the session.
   */
  | { type: 'debited'; charge: Charge }
  /** The money may have moved. The resolver settles the charge. Until then nothing else can charge the session. */
  | { type: 'pending'; charge: Charge }
  /**
   * The bank asks the payer to authenticate, until the charge's `actionDeadline` (confirm.ts). Until then nothing else
   * can charge the session. `action`: null if only the confirmation is missing.
   */
  | { type: 'action_required'; charge: Charge; action: CardAction | null };

/** A charge, and the order that it pays for. */
export interface ChargeOfOrder {
  charge: Charge;
  order: SessionOrder;
}

type RecordDeps = PaymentDeps & Pick<SettleDeps, 'attemptToken' | 'idempotencyKeyHash'>;

export function recordAnswer(
  deps: RecordDeps,
  started: ChargeOfOrder,
  answer: ProcessorAnswer,
): Promise<RecordedAnswer> {
  switch (answer.status) {
    case 'unknown':
      return writePending(deps, started.charge, answer.cause);
    case 'action_required':
      return leaveToPayer(deps, started, answer);
    case 'debited':
      return writeDebit(deps, started, answer);
    default:
      return writeOutcome(deps, started, answer);
  }
}

async function writeOutcome(
  deps: RecordDeps,
  { charge, order }: ChargeOfOrder,
  settlement: Settlement,
): Promise<RecordedAnswer> {
  const failure = 'charge outcome not recorded, left to the resolver';
  const settled = await recordWithRetries(deps, { chargeId: charge.id }, failure, () =>
    settleCharge(deps, charge, settlement),
  );
  if (settled !== null) return recordedAs(settled, order);
  deps.onPending();
  return { type: 'pending', charge };
}

async function writePending(deps: RecordDeps, charge: Charge, cause: string): Promise<RecordedAnswer> {
  const about = { chargeId: charge.id };
  deps.log.warn({ ...about, processor: charge.processor, cause }, 'charge outcome unknown');
  await recordWithRetries(deps, about, 'pending charge not announced, left to the resolver', () =>
    leavePending(deps, charge, RESOLVE_AFTER_MS),
  );
  deps.onEvents?.();
  deps.onPending();
  return { type: 'pending', charge };
}

/** If this is not recorded, the resolver learns from the processor that the charge waits. */
async function leaveToPayer(
  deps: RecordDeps,
  { charge, order }: ChargeOfOrder,
  { processorPaymentId, action }: ActionRequired,
): Promise<RecordedAnswer> {
  const about = { chargeId: charge.id };
  const failure = 'charge that waits for its payer not recorded, left to the resolver';
  const { actionLimitMs } = timingsOf(deps);
  const waiting = await recordWithRetries(deps, about, failure, () =>
    awaitPayer(deps, charge, processorPaymentId, actionLimitMs, awaitsPayer(charge)),
  );
  deps.onPending();
  if (waiting === null) return { type: 'pending', charge };
  if (!awaitsPayer(waiting)) return recordedAs({ charge: waiting, cardSaved: false }, order);
  deps.log.info({ ...about, processor: charge.processor }, 'charge waits for its payer');
  return { type: 'action_required', charge: waiting, action };
}

/** If this is not recorded, the resolver learns from the processor that the debit was accepted. */
async function writeDebit(
  deps: RecordDeps,
  { charge, order }: ChargeOfOrder,
  { processorPaymentId, settlesInMs = DEBIT_CHECK_MS }: Debited,
): Promise<RecordedAnswer> {
  const about = { chargeId: charge.id };
  const failure = 'accepted bank debit not recorded, left to the resolver';
  const debited = await recordWithRetries(deps, about, failure, () =>
    leaveDebited(deps, charge, processorPaymentId, settlesInMs),
  );
  deps.onEvents?.();
  deps.onPending();
  if (debited === null) return { type: 'pending', charge };
  deps.log.info({ ...about, processor: charge.processor }, 'bank debit accepted');
  return recordedAs({ charge: debited, cardSaved: false }, order);
}

/** The payment's result, from the charge in the database. */
export function recordedAs(
  { charge, cardSaved }: { charge: Charge; cardSaved: boolean },
  order: SessionOrder,
): RecordedAnswer {
  switch (charge.status) {
    case 'succeeded':
    case 'authorized':
    case 'voided':
    case 'expired':
      return { type: 'succeeded', charge, order, cardSaved };
    case 'pending':
      return { type: awaitsBank(charge) ? 'debited' : 'pending', charge };
    case 'failed':
      return charge.declineCode === null
        ? { type: 'merchant_fault', charge }
        : { type: 'declined', charge, declineCode: charge.declineCode };
  }
}
