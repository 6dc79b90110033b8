/**
 * Payments of the pay page whose bank asks the payer to authenticate (3-D Secure), by Adyen's redirect: the payer leaves for
 * Adyen's page, and returns with a `redirectResult`, with which our server completes the payment
 * (docs.adyen.com/online-payments/3d-secure/redirect-3ds2/api-only, POST /payments/details). Adyen has no request that reads
 * or cancels such a payment. So what the payer answered is stored first (payer-answers.ts): a payment that was given up is
 * never completed, and one answer is sent, under one key.
 */
import { createHash } from 'node:crypto';
import type { ChargeId } from '../../domain/ids.ts';
import {
  isApproved,
  type NotOrdered,
  type ProcessorAnswer,
  type Settlement,
  type Unknown,
  unknown,
} from '../port/answers.ts';
import type { ActionRequest, CardActions } from '../port/charges.ts';
import { causeOf, type Fault, passes } from '../vendor-api/faults.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import type { Adyen, OpenAdyen } from './client.ts';
import { faultOf } from './errors.ts';
import { GIVEN_UP, lookUpAdyen } from './look-up.ts';
import { type NotifiedOutcomes, referenceOf } from './outcomes.ts';
import type { PayerAnswers } from './payer-answers.ts';
import { answerOfPayment, PAYMENT } from './payment.ts';
import { readSavedCard } from './wallet.ts';

interface ActionDeps {
  open: OpenAdyen;
  outcomes: NotifiedOutcomes;
  answers: PayerAnswers;
}

/** "Base64-encoded redirectResult". */
const RESULT = /^[\w!.+/=~:-]{1,6000}$/;
/** Of the hash, so that the key has at most 64 characters. */
const KEY_DIGITS = 32;

const hashOf = (result: string) => createHash('sha256').update(result).digest();

/** An answer that Adyen rejects does not use up the key of another. */
const keyOf = (chargeId: ChargeId, result: string) =>
  `${chargeId}-${hashOf(result).toString('hex').slice(0, KEY_DIGITS)}`;

export function adyenActions(deps: ActionDeps): CardActions {
  return {
    read: (request, signal) => read(deps, request, signal).catch(() => unknown('answers')),
    confirm: (request, signal) => confirm(deps, request, signal).catch(() => notOrdered('answers')),
    cancel: (request, signal) => cancel(deps, request, signal).catch(() => unknown('answers')),
  };
}

/** Its address is not stored, so the action is gone. */
async function read(deps: ActionDeps, request: ActionRequest, signal: AbortSignal): Promise<ProcessorAnswer> {
  const known = await lookUp(deps, request, signal);
  if (known.status !== 'unknown') return known;
  if ((await deps.answers.of(request.chargeId)) !== null) return known;
  return { status: 'action_required', processorPaymentId: request.processorPaymentId, action: null };
}

async function lookUp(deps: ActionDeps, request: ActionRequest, signal: AbortSignal): Promise<ProcessorAnswer> {
  const found = await lookUpAdyen(deps, { ...request, createdAt: new Date() }, signal);
  return found.status === 'not_found' ? unknown('not_notified') : found;
}

async function confirm(
  deps: ActionDeps,
  request: ActionRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotOrdered> {
  const { chargeId, result = '' } = request;
  if (!RESULT.test(result)) return read(deps, request, signal);
  const hash = hashOf(result);
  const { answerHash } = await deps.answers.claim(chargeId, hash);
  // Given up, or another answer was sent before.
  if (answerHash?.equals(hash) !== true) return read(deps, request, signal);
  try {
    const api = await deps.open(request, signal);
    const answer = await complete(api, request, result, signal);
    if (answer.status === 'not_ordered') await deps.answers.release(chargeId, hash);
    return answer;
  } catch (error) {
    return failureOf(deps, chargeId, hash, faultOf(error));
  }
}

/**
 * @returns `not_ordered` if the answer belongs to another payment, which is known only now: the page checks the charge in the
 * URL, but a payer can change that. The other payment has then been completed, and its notification settles it.
 */
async function complete(
  api: Adyen,
  { chargeId, isHold = false, isVerification = false }: ActionRequest,
  redirectResult: string,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotOrdered> {
  const asked = { body: { details: { redirectResult } }, idempotencyKey: keyOf(chargeId, redirectResult) };
  const payment = await askAgain(
    signal,
    () => api.ask('POST', '/payments/details', PAYMENT, asked),
    (error) => passes(faultOf(error)),
  );
  const { merchantReference: reference = null } = payment;
  if (reference === null) return unknown('reference');
  if (reference !== referenceOf(chargeId, isHold)) return notOrdered('answer_to_another');
  const answer = answerOfPayment(payment, { isHold, amount: null });
  if (!isApproved(answer)) return answer;
  // Only a card that the payer agreed to save is stored.
  const savedCard = await readSavedCard(api, chargeId).catch(() => null);
  if (savedCard === null) return isVerification ? unknown('no_card') : answer;
  return { ...answer, savedCard };
}

/**
 * If Adyen rejects the answer, the payer can send another, or give up. Otherwise the answer stays: another request with it may
 * be on its way.
 */
async function failureOf(
  { answers }: ActionDeps,
  chargeId: ChargeId,
  hash: Buffer,
  fault: Fault,
): Promise<Unknown | NotOrdered> {
  if (fault.kind === 'unknown') return unknown(fault.cause);
  if (fault.kind === 'refused' || fault.kind === 'declined') await answers.release(chargeId, hash);
  return notOrdered(causeOf(fault));
}

const notOrdered = (cause: string): NotOrdered => ({ status: 'not_ordered', cause });

async function cancel(deps: ActionDeps, request: ActionRequest, signal: AbortSignal): Promise<Settlement | Unknown> {
  const { answerHash } = await deps.answers.claim(request.chargeId, null);
  const known = await lookUp(deps, request, signal);
  switch (known.status) {
    case 'unknown':
    case 'action_required':
    case 'debited':
      return answerHash === null ? GIVEN_UP : unknown('confirmed');
    default:
      return known;
  }
}
