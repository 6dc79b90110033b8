/**
 * PaymentIntents that wait for their payer (`confirmation_method: manual`). Stripe takes the money only when our server
 * confirms them, after Stripe.js has shown the bank's challenge
 * (docs.stripe.com/js/payment_intents/handle_next_action).
 */
import type Stripe from 'stripe';
import { randomToken } from '../../domain/ids.ts';
import { type NotOrdered, type ProcessorAnswer, type Settlement, type Unknown, unknown } from '../port/answers.ts';
import type { ActionRequest, CardActions } from '../port/charges.ts';
import { causeOf, type Fault, passes } from '../vendor-api/faults.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import type { OpenStripe } from './client.ts';
import { faultOf, isReplayedError, isStripeError, KEY_IN_USE, LOCK_TIMEOUT } from './errors.ts';
import { answerOf, CHARGE_KEY } from './map.ts';
import { cancelSetup, isSetup, readSetup } from './setup-actions.ts';

export function stripeActions(open: OpenStripe): CardActions {
  return {
    read: async (request, signal) => {
      if (isSetup(request)) return readSetup(open, request, signal);
      try {
        return answerTo(request, await retrieve(await open(request, signal), request));
      } catch (error) {
        return unknown(causeOf(faultOf(error)));
      }
    },
    confirm: (request, signal) => (isSetup(request) ? readSetup : confirm)(open, request, signal),
    cancel: (request, signal) => (isSetup(request) ? cancelSetup : cancel)(open, request, signal),
  };
}

/** Also of another request under the same key, whose response will be ours. */
const LOCKS = [LOCK_TIMEOUT, KEY_IN_USE];

/** A hold's time limit is in its charge. */
const expanded = ({ isHold }: ActionRequest) => ({
  expand: isHold ? ['payment_method', 'latest_charge'] : ['payment_method'],
});

function retrieve(stripe: Stripe, request: ActionRequest): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.retrieve(request.processorPaymentId, expanded(request));
}

function answerTo({ chargeId }: ActionRequest, intent: Stripe.PaymentIntent): ProcessorAnswer {
  // If a server or proxy responds twice, the next request on the connection gets the surplus response.
  if (intent.metadata?.[CHARGE_KEY] !== chargeId) return unknown('answer_to_another');
  return answerOf(intent) ?? unknown('answer');
}

/** A bank rarely asks twice, and Stripe limits how often an intent can be confirmed. */
const MAX_ORDERS = 5;

/**
 * Confirms the intent if it requires confirmation. A bank may ask again, or Stripe may store an error: then the next
 * attempt uses another key, because Stripe would repeat its response to the old one. An intent takes money once,
 * whatever the keys (docs.stripe.com/payments/paymentintents/lifecycle).
 */
async function confirm(
  open: OpenStripe,
  request: ActionRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotOrdered> {
  let isOrdered = false;
  try {
    const stripe = await open(request, signal);
    let intent = await retrieve(stripe, request);
    for (let order = 1; order <= MAX_ORDERS && intent.status === 'requires_confirmation'; order += 1) {
      if (signal.aborted) return notOrdered('timeout');
      isOrdered = true;
      const ordered = await orderMoney(stripe, request, order, signal);
      // The response may belong to an earlier attempt, so the current state is read.
      const isOfBefore = ordered === 'kept_error' || ordered.status === 'requires_action';
      intent = isOfBefore ? await retrieve(stripe, request) : ordered;
    }
    return answerTo(request, intent);
  } catch (error) {
    if (!isOrdered) return notOrdered(causeOf(faultOf(error)));
    return failureOf(open, request, error, signal);
  }
}

/** @returns `kept_error` if an earlier attempt under this key failed, and Stripe only repeats its error */
async function orderMoney(
  stripe: Stripe,
  request: ActionRequest,
  order: number,
  signal: AbortSignal,
): Promise<Stripe.PaymentIntent | 'kept_error'> {
  const { chargeId, processorPaymentId } = request;
  const idempotencyKey = order === 1 ? `${chargeId}-confirm` : `${chargeId}-confirm-${order}`;
  const params = { use_stripe_sdk: true, ...expanded(request) };
  try {
    return await askAgain(
      signal,
      () => stripe.paymentIntents.confirm(processorPaymentId, params, { idempotencyKey }),
      (error) => passes(faultOf(error), LOCKS),
    );
  } catch (error) {
    if (isReplayedError(error)) return 'kept_error';
    throw error;
  }
}

/** The outcome of a failed attempt: the card was declined, nothing was done, or it is unknown. */
async function failureOf(
  open: OpenStripe,
  request: ActionRequest,
  error: unknown,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotOrdered> {
  const fault = faultOf(error);
  switch (fault.kind) {
    case 'unknown':
      return unknown(fault.cause);
    case 'declined':
      return isAbout(request, error) ? fault.answer : unknown('answer_to_another');
    case 'refused':
      // It was confirmed or canceled since it was read, or our request is wrong and it still waits.
      return stripeActions(open).read(request, signal);
    case 'credentials':
    case 'rate_limit':
    case 'not_connected':
      return notOrdered(causeOf(fault));
  }
}

/** Whether an error is about the request's own payment, as far as it says. */
function isAbout({ processorPaymentId }: ActionRequest, error: unknown): boolean {
  const intent = isStripeError(error) ? error.payment_intent : undefined;
  return (intent?.id ?? processorPaymentId) === processorPaymentId;
}

function notOrdered(cause: string): NotOrdered {
  return { status: 'not_ordered', cause };
}

/**
 * "After it's canceled, no additional charges are made by the PaymentIntent"
 * (docs.stripe.com/api/payment_intents/cancel). Uses a new key each time, because Stripe repeats an error for its key
 * for a day (docs.stripe.com/api/idempotent_requests). Canceling twice is harmless.
 */
async function cancel(open: OpenStripe, request: ActionRequest, signal: AbortSignal): Promise<Canceled> {
  const { chargeId, processorPaymentId } = request;
  const idempotencyKey = `${chargeId}-cancel-${randomToken()}`;
  try {
    const stripe = await open(request, signal);
    // Canceling would release a hold.
    const current = request.isHold ? await retrieve(stripe, request) : null;
    if (current?.status === 'requires_capture') return settled(answerTo(request, current));
    const intent = await askAgain(
      signal,
      () =>
        stripe.paymentIntents.cancel(
          processorPaymentId,
          { cancellation_reason: 'abandoned', ...expanded(request) },
          { idempotencyKey },
        ),
      (error) => passes(faultOf(error), LOCKS),
    );
    return settled(answerTo(request, intent));
  } catch (error) {
    const fault = faultOf(error);
    // It was taken or canceled before.
    if (isOfState(fault)) return settled(await stripeActions(open).read(request, signal));
    return unknown(causeOf(fault));
  }
}

/** docs.stripe.com/error-codes#payment-intent-unexpected-state */
function isOfState(fault: Fault): boolean {
  return fault.kind === 'refused' && fault.code === 'payment_intent_unexpected_state';
}

type Canceled = Settlement | Unknown;

function settled(answer: ProcessorAnswer): Canceled {
  return answer.status === 'action_required' || answer.status === 'debited' ? unknown('still_waiting') : answer;
}
