/**
 * Holds at Braintree: `authorizeCreditCard`, then `captureTransaction` or `reverseTransaction`. Neither has an idempotency key.
 * A transaction is captured once. A reversal would also refund a captured one, so a void reads the state first.
 */
import { z } from 'zod';
import { majorUnits } from '../../domain/money.ts';
import { type Unknown, unknown } from '../port/answers.ts';
import type { HoldChangeRequest, HoldRequest, HoldState, Holds } from '../port/holds.ts';
import { changeHold, type HoldFailures, readHold } from '../vendor-api/holds.ts';
import type { Braintree, OpenBraintree } from './client.ts';
import { faultOf, NOT_FOUND } from './errors.ts';
import {
  captureBeforeOf,
  centsOf,
  describedTransaction,
  isTaken,
  isVoidedCapture,
  readTransaction,
  TRANSACTION,
  TRANSACTION_FIELDS,
  type Transaction,
} from './transactions.ts';

const CAPTURE = `mutation CaptureHold($input: CaptureTransactionInput!) {
  captureTransaction(input: $input) { transaction { ${TRANSACTION_FIELDS} } }
}`;
const CAPTURED = z.object({ captureTransaction: z.object({ transaction: TRANSACTION }) });

/** A void, or a refund of a transaction that is settled. */
const REVERSE = `mutation ReverseTransaction($input: ReverseTransactionInput!) {
  reverseTransaction(input: $input) { reversal { __typename ... on Transaction { id status } ... on Refund { id status } } }
}`;
const REVERSED = z.object({
  reverseTransaction: z.object({
    reversal: z.object({ __typename: z.enum(['Transaction', 'Refund']), id: z.string(), status: z.string() }),
  }),
});

/** @throws GraphqlError, NoAnswer */
export async function reverseTransaction(api: Braintree, transactionId: string) {
  const { reverseTransaction: made } = await api.ask(REVERSE, { input: { transactionId } }, REVERSED);
  return made.reversal;
}

export function braintreeHolds(open: OpenBraintree): Holds {
  const read = (request: HoldRequest, signal: AbortSignal) =>
    readHold(async () => stateIn(await open(request, signal), request), faultOf);
  const change = (
    request: HoldChangeRequest,
    signal: AbortSignal,
    send: (api: Braintree) => Promise<HoldState | Unknown>,
  ) =>
    changeHold({
      change: async () => {
        const api = await open(request, signal);
        return signal.aborted ? unknown('timeout') : send(api);
      },
      read: () => read(request, signal),
      faultOf,
      failures: FAILURES,
    });
  return {
    partial: true,
    read,
    capture: (request, signal) =>
      change(request, signal, async (api) => {
        const { amount, processorPaymentId: transactionId } = request;
        const input = { transactionId, transaction: { amount: majorUnits(amount) } };
        const { transaction } = (await api.ask(CAPTURE, { input }, CAPTURED)).captureTransaction;
        return stateOf(request, transaction);
      }),
    void: (request, signal) =>
      change(request, signal, async (api) => {
        const state = await stateIn(api, request);
        if (state.status !== 'held') return state;
        const { status } = await reverseTransaction(api, request.processorPaymentId);
        return status === 'VOIDED' ? { status: 'voided' } : stateIn(api, request);
      }),
  };
}

const stateIn = async (api: Braintree, request: HoldRequest) =>
  stateOf(request, await readTransaction(api, request.processorPaymentId));

function stateOf({ chargeId }: HoldRequest, transaction: Transaction): HoldState | Unknown {
  if (describedTransaction(transaction)?.chargeId !== chargeId) return unknown('answer_to_another');
  const { amount, status } = transaction;
  if (isTaken(transaction) || isVoidedCapture(transaction)) {
    const amountCents = centsOf(amount);
    if (amountCents === null) return unknown('answer');
    return { status: 'captured', captured: { amountCents, currency: amount.currencyCode } };
  }
  switch (status) {
    case 'AUTHORIZED':
      return { status: 'held', captureBefore: captureBeforeOf(transaction) };
    case 'VOIDED':
      return { status: 'voided' };
    case 'AUTHORIZATION_EXPIRED':
      return { status: 'expired' };
    default:
      return unknown(status.toLowerCase());
  }
}

/** By validation error: 91507, it cannot be submitted for settlement; 91522, the amount is too large. */
const FAILURES: HoldFailures = { [NOT_FOUND]: 'not_capturable', 91507: 'not_capturable', 91522: 'amount_too_large' };
