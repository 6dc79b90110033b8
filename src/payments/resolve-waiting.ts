/**
 * What the resolver does with a charge that waits for its payer: nothing until the payer's time is over. Then it
 * cancels the payment at the processor first, so that it never can be taken, and settles the charge as failed. Where
 * the processor says nothing of it, the charge becomes one whose outcome is not known.
 */

import type { DueCharge } from '../db/charges/charges.ts';
import { awaitsPayer } from '../domain/charge.ts';
import { askActions } from './actions.ts';
import { checkedAnswer } from './checked-answers.ts';
import { type PaymentDeps, timingsOf } from './deps.ts';
import type { ActionRequired } from './ports.ts';
import { LOOK_UP_LIMIT_MS } from './resolver.ts';
import { RESOLVE_DELAYS_MS } from './schedule.ts';
import { awaitPayer, leavePending, type SettleDeps, settleCharge } from './settle-charge.ts';

type WaitingDeps = SettleDeps & Pick<PaymentDeps, 'processors' | 'timings' | 'credentialsFor'>;

/** How the charge stands at the processor: a payer's confirmation may have been ordered by a process that died. */
export function readWaiting(deps: WaitingDeps, { charge }: DueCharge, stop: AbortSignal) {
  return askActions(deps, charge, LOOK_UP_LIMIT_MS, (actions, request, signal) => actions.read(request, signal), stop);
}

/** The processor says that the charge waits. Also where we did not know it, as the process that asked has died. */
export async function goOnWaiting(
  deps: WaitingDeps,
  due: DueCharge,
  { processorPaymentId }: ActionRequired,
  stop: AbortSignal,
): Promise<void> {
  const { charge, ageMs, attempt } = due;
  const { actionLimitMs } = timingsOf(deps);
  // Only a payer on the page can do what is asked for.
  if (charge.source === 'page' && ageMs < actionLimitMs) {
    await awaitPayer(deps, charge, processorPaymentId, actionLimitMs);
    return;
  }
  const asked = { ...charge, processorPaymentId };
  const cancel = askActions(
    deps,
    asked,
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
      throw new Error('a canceled payment waits for its payer');
    default:
      await settleCharge(deps, charge, answer);
  }
}

/**
 * Past the payer's time the processor did not say how the charge stands, or did not cancel it, also when it was asked
 * again: it may be away, or the merchant may have another account there by now. So nothing waits for the payer any
 * more. The outcome is not known, which is told, and the charge is looked up as any other (resolve.ts).
 */
export async function endWaiting(deps: WaitingDeps, { charge, ageMs, attempt }: DueCharge): Promise<void> {
  if (!awaitsPayer(charge) || ageMs < timingsOf(deps).actionLimitMs || attempt === 1) return;
  await leavePending(deps, charge, RESOLVE_DELAYS_MS[attempt - 1] ?? 0);
  deps.onEvents?.();
}
