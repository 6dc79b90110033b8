/**
 * Holds at Access Worldpay: payments with `settlement.auto: false`. A capture settles the whole payment, a void cancels it, by
 * the links of the payment (docs.worldpay.com/access/products/card-payments/manage-payments). Parts are not captured, because
 * there is no idempotency key: a repeated partial settlement could take the money twice.
 */
import { z } from 'zod';
import { type Unknown, unknown } from '../port/answers.ts';
import type { HoldChangeRequest, HoldRequest, HoldState, Holds } from '../port/holds.ts';
import { changeHold, readHold } from '../vendor-api/holds.ts';
import type { OpenWorldpay, Worldpay } from './client.ts';
import { faultOf } from './errors.ts';
import { actionPath, answerOf, canBePayment, isApprovedPayment, type Payment, readPayment } from './payments.ts';

const MISSING = 'payment_not_found';
const ACCEPTED = z.object({ _links: z.unknown() });

export function worldpayHolds(open: OpenWorldpay): Holds {
  const read = (request: HoldRequest, signal: AbortSignal) =>
    readHold(async () => {
      const payment = await readPayment(await open(request, signal), request.processorPaymentId);
      return payment === null ? unknown(MISSING) : stateOf(request, payment);
    }, faultOf);
  const change = (request: HoldChangeRequest, signal: AbortSignal, action: 'settle' | 'cancel', done: HoldState) =>
    changeHold({
      change: async () => {
        const api = await open(request, signal);
        return signal.aborted ? unknown('timeout') : changePayment(api, request, action, done);
      },
      read: () => read(request, signal),
      faultOf: (error) => (error instanceof Missing ? { kind: 'refused', code: MISSING } : faultOf(error)),
      // A payment that was just made is not listed yet: the resolver tries again.
      failures: canBePayment(request.processorPaymentId) ? {} : { [MISSING]: 'not_capturable' },
    });
  return {
    partial: false,
    read,
    capture: async (request, signal) => {
      const { amount, held } = request;
      if (amount.amountCents !== held.amountCents) {
        return { status: 'refused', reason: 'partial_unsupported', processorCode: null };
      }
      return change(request, signal, 'settle', { status: 'captured', captured: amount });
    },
    void: (request, signal) => change(request, signal, 'cancel', { status: 'voided' }),
  };
}

class Missing extends Error {}

/** The response (202) says that the request was received. It is processed later. */
async function changePayment(
  api: Worldpay,
  request: HoldChangeRequest,
  action: 'settle' | 'cancel',
  done: HoldState,
): Promise<HoldState | Unknown> {
  const payment = await readPayment(api, request.processorPaymentId);
  if (payment === null) throw new Missing('there is no such payment');
  const state = stateOf(request, payment);
  if (state.status !== 'held') return state;
  const path = actionPath(api, payment, action);
  if (path === null) return unknown('no_link');
  await api.ask('actions', 'POST', path, ACCEPTED);
  return done;
}

function stateOf({ chargeId }: HoldRequest, payment: Payment): HoldState | Unknown {
  if (payment.transactionReference !== chargeId) return unknown('answer_to_another');
  const answer = answerOf(payment);
  switch (answer.status) {
    case 'authorized':
      return { status: 'held', captureBefore: null };
    case 'succeeded':
      return answer.taken === undefined ? unknown('answer') : { status: 'captured', captured: answer.taken };
    case 'declined':
      return isApprovedPayment(payment) ? { status: 'voided' } : unknown('declined');
    default:
      return answer.status === 'unknown' ? answer : unknown(answer.status);
  }
}
