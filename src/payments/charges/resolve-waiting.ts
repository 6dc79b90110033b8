/**
 * Resolves charges that wait for their payer: does nothing until the payer's time is over. Then it cancels the payment
 * at the processor, so that it can never be taken, and settles the charge as failed. If the processor does not answer,
 * the charge's outcome becomes unknown.
 */

import type { DueCharge } from '../../db/charges/charges.ts';
import { awaitsPayer } from '../../domain/charge.ts';
import type { ActionRequired } from '../port/answers.ts';
import { checkedAnswer } from '../shared/checked-answers.ts';
import { type PaymentDeps, timingsOf } from '../shared/deps.ts';
import { LOOK_UP_LIMIT_MS } from '../shared/resolver.ts';
import { RESOLVE_DELAYS_MS } from '../shared/schedule.ts';
import { askActions } from './actions.ts';
import { awaitPayer, leavePending, type SettleDeps, settleCharge } from './settle-charge.ts';

type WaitingDeps = SettleDeps & Pick<PaymentDeps, 'processors' | 'timings' | 'credentialsFor'>;

/** Reads the charge at the processor: a process that died may have confirmed it. */
export function readWaiting(deps: WaitingDeps, { charge }: DueCharge, stop: AbortSignal) {
  return askActions(deps, charge, LOOK_UP_LIMIT_MS, (actions, request, signal) => actions.read(request, signal), stop);
}

/** The processor reports that the charge waits. We may not have known, if the process that asked has died. */
export async function goOnWaiting(
  deps: WaitingDeps,
  due: DueCharge,
  { processorPaymentId }: ActionRequired,
  stop: AbortSignal,
): Promise<void> {
  const { charge, ageMs, attempt } = due;
  const { actionLimitMs } = timingsOf(deps);
  // Only a payer on the page can authenticate.
  if (charge.source === 'page' && ageMs < actionLimitMs) {
    await awaitPayer(deps, charge, processorPaymentId, actionLimitMs);
    return;
  }
  const action = { ...charge, processorPaymentId };
  const cancel = askActions(
    deps,
    action,
    LOOK_UP_LIMIT_MS,
    (actions, request, signal) => actions.cancel(request, signal),
    stop,
  );
  const answer = checkedAnswer(deps.log, charge, await cancel);
  const fields = { chargeId: charge.id, processor: charge.processor, attempt };
  switch (answer.status) {
    case 'unknown':
    case 'not_ordered':
      deps.log.warn({ ...fields, cause: answer.cause }, 'unconfirmed charge not canceled yet');
      return endWaiting(deps, due);
    case 'action_required':
    case 'debited':
      throw new Error('a canceled payment waits for its payer');
    default:
      await settleCharge(deps, charge, answer);
  }
}

/**
 * After the payer's time, the processor repeatedly did not say how the charge is or did not cancel it. It may be down,
 * or the merchant may use another account there by now. So the charge no longer waits for the payer. Its outcome is
 * unknown and sent as such, and it is looked up like any other (resolve-charges.ts).
 */
export async function endWaiting(deps: WaitingDeps, { charge, ageMs, attempt }: DueCharge): Promise<void> {
  if (!awaitsPayer(charge) || ageMs < timingsOf(deps).actionLimitMs || attempt === 1) return;
  await leavePending(deps, charge, RESOLVE_DELAYS_MS[attempt - 1] ?? 0);
  deps.onEvents?.();
}
