/**
 * SetupIntents that wait for their payer on the page. Stripe completes one as soon as the payer has done the bank's
 * challenge, without another request of ours (docs.stripe.com/payments/paymentintents/lifecycle, "SetupIntents").
 */
import type Stripe from 'stripe';
import { randomToken } from '../../domain/ids.ts';
import { type ProcessorAnswer, type Settlement, type Unknown, unknown } from '../port/answers.ts';
import type { ActionRequest } from '../port/charges.ts';
import { causeOf } from '../vendor-api/faults.ts';
import type { OpenStripe } from './client.ts';
import { faultOf } from './errors.ts';
import { CHARGE_KEY } from './map.ts';
import { setupAnswerOf } from './verify.ts';

export const isSetup = ({ processorPaymentId }: ActionRequest) => processorPaymentId.startsWith('seti_');

const EXPANDED = { expand: ['payment_method'] };

export async function readSetup(
  open: OpenStripe,
  request: ActionRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  try {
    const stripe = await open(request, signal);
    return answerTo(request, await stripe.setupIntents.retrieve(request.processorPaymentId, EXPANDED));
  } catch (error) {
    return unknown(causeOf(faultOf(error)));
  }
}

/** docs.stripe.com/api/setup_intents/cancel. Uses a new key each time, because Stripe repeats an error for its key. */
export async function cancelSetup(
  open: OpenStripe,
  request: ActionRequest,
  signal: AbortSignal,
): Promise<Settlement | Unknown> {
  const { chargeId, processorPaymentId } = request;
  try {
    const stripe = await open(request, signal);
    const params = { cancellation_reason: 'abandoned' as const, ...EXPANDED };
    const idempotencyKey = `${chargeId}-cancel-${randomToken()}`;
    return settled(answerTo(request, await stripe.setupIntents.cancel(processorPaymentId, params, { idempotencyKey })));
  } catch (error) {
    const fault = faultOf(error);
    // It succeeded or was canceled before (docs.stripe.com/error-codes#setup-intent-unexpected-state).
    const isOver = fault.kind === 'refused' && fault.code === 'setup_intent_unexpected_state';
    return isOver ? settled(await readSetup(open, request, signal)) : unknown(causeOf(fault));
  }
}

function answerTo({ chargeId }: ActionRequest, setup: Stripe.SetupIntent): ProcessorAnswer {
  if (setup.metadata?.[CHARGE_KEY] !== chargeId) return unknown('answer_to_another');
  return setupAnswerOf(setup) ?? unknown('answer');
}

function settled(answer: ProcessorAnswer): Settlement | Unknown {
  return answer.status === 'action_required' || answer.status === 'debited' ? unknown('still_waiting') : answer;
}
