/** Asks the processor about a charge that waits for its payer: reads its state, confirms it or cancels it. */
import { type Charge, isVerification } from '../../domain/charge.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import type { NotOrdered, Unknown } from '../port/answers.ts';
import type { ActionRequest, CardActions } from '../port/charges.ts';
import { credentialsOf, type PaymentDeps, processorOf } from '../shared/deps.ts';
import { askOrUnknown } from '../shared/steps.ts';

export type AskDeps = Pick<PaymentDeps, 'processors' | 'credentialsFor' | 'log'>;

/**
 * @param charge with the processor's ID of its payment
 * @param stop ends the wait
 * @returns `not_ordered` also if the processor is not configured or the merchant's credentials are missing
 */
export function askActions<Answer extends { status: string }>(
  deps: AskDeps,
  charge: Charge,
  limitMs: number,
  ask: (actions: CardActions, request: ActionRequest, signal: AbortSignal) => Promise<Answer>,
  stop?: AbortSignal,
): Promise<Answer | Unknown | NotOrdered> {
  const { id: chargeId, processorPaymentId, mode } = charge;
  const about = { chargeId, processor: charge.processor };
  const failure = 'processor could not be asked about a waiting charge';
  return askOrUnknown<Answer | Unknown | NotOrdered>(deps, about, failure, async () => {
    const processor = processorOf(deps, charge.processor);
    const actions = processor?.actions ?? null;
    if (processor === undefined || actions === null) return notOrdered('processor not configured');
    if (processorPaymentId === null) return notOrdered('no payment id');
    const credentials = await credentialsOf(deps, processor, charge);
    if (credentials === null) return notOrdered('no usable credentials');
    const isHold = charge.capture === 'manual';
    const kind = { isHold, isVerification: isVerification(charge) };
    const request = { chargeId, processorPaymentId, mode, ...kind, credentials };
    return withinLimit(limitMs, (signal) => ask(actions, request, signal), stop);
  });
}

function notOrdered(cause: string): NotOrdered {
  return { status: 'not_ordered', cause };
}
