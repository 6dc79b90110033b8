/**
 * Holds at Authorize.net: authOnlyTransaction, captured by priorAuthCaptureTransaction or released by voidTransaction
 * (developer.authorize.net/api/reference, "Payment Transactions"). Neither has an idempotency key. A transaction is captured
 * once, and one that was captured but not settled could still be voided, so a void reads the state first.
 */
import { majorUnits } from '../../domain/money.ts';
import { type Unknown, unknown } from '../port/answers.ts';
import type { HoldChangeRequest, HoldRequest, HoldState, Holds } from '../port/holds.ts';
import { changeHold, type HoldFailures, readHold } from '../vendor-api/holds.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { type AuthorizeNet, type OpenAuthorizeNet, RequestRejected } from './client.ts';
import { faultOf, isUnsure } from './errors.ts';
import { readDetails } from './lists.ts';
import {
  captureBeforeOf,
  centsOf,
  type Details,
  describedCharge,
  HELD,
  isTaken,
  NO_ID,
  TRANSACTION_ANSWER,
} from './transactions.ts';

export function authorizeNetHolds(open: OpenAuthorizeNet): Holds {
  const read = (request: HoldRequest, signal: AbortSignal) =>
    readHold(async () => stateIn(await open(request, signal), request), faultOf);
  const change = (
    request: HoldChangeRequest,
    signal: AbortSignal,
    send: (api: AuthorizeNet) => Promise<HoldState | Unknown>,
  ) =>
    changeHold({
      change: async () => {
        const api = await open(request, signal);
        return signal.aborted ? unknown('timeout') : send(api);
      },
      read: () => read(request, signal),
      faultOf: (error) => (error instanceof Refused ? { kind: 'refused', code: error.reason } : faultOf(error)),
      failures: FAILURES,
    });
  return {
    partial: true,
    read,
    capture: (request, signal) =>
      change(request, signal, async (api) => {
        const { amount, processorPaymentId: refTransId } = request;
        const transactionType = 'priorAuthCaptureTransaction';
        const isDone = await send(api, { transactionType, amount: majorUnits(amount), refTransId });
        return isDone ? { status: 'captured', captured: amount } : stateIn(api, request);
      }),
    void: (request, signal) =>
      change(request, signal, async (api) => {
        const state = await stateIn(api, request);
        if (state.status !== 'held') return state;
        const transactionType = 'voidTransaction';
        const isDone = await send(api, { transactionType, refTransId: request.processorPaymentId });
        return isDone ? { status: 'voided' } : stateIn(api, request);
      }),
  };
}

/** The transaction was refused. `reason`: its response reason code. */
class Refused extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super('Authorize.net refused the capture or void');
    this.name = 'Refused';
    this.reason = reason;
  }
}

/** "This transaction has been approved." Others of an approval say that it had been done before. */
const APPROVED = '1';

/** @returns false if it had been done before. @throws Refused, RequestRejected, NoAnswer */
async function send(api: AuthorizeNet, transactionRequest: object): Promise<boolean> {
  const { code, answer } = await api.askTransaction(TRANSACTION_ANSWER, { body: { transactionRequest } });
  if (answer === null) throw new RequestRejected(code ?? '');
  const { responseCode, transId, messages, errors } = answer.transactionResponse;
  if (responseCode === '1') return transId !== NO_ID && (messages?.[0]?.code ?? APPROVED) === APPROVED;
  const reason = errors?.[0]?.errorCode ?? '';
  if ((responseCode !== '2' && responseCode !== '3') || isUnsure(reason)) throw new NoAnswer(`reason_${reason}`);
  throw new Refused(reason);
}

async function stateIn(api: AuthorizeNet, request: HoldRequest): Promise<HoldState | Unknown> {
  return stateOf(request, await readDetails(api, request.processorPaymentId));
}

function stateOf({ chargeId }: HoldRequest, details: Details): HoldState | Unknown {
  const described = describedCharge(details);
  if (described?.chargeId !== chargeId) return unknown('answer_to_another');
  if (isTaken(details)) {
    const amountCents = centsOf(details, described.currency);
    if (amountCents === null) return unknown('answer');
    return { status: 'captured', captured: { amountCents, currency: described.currency } };
  }
  switch (details.transactionStatus) {
    case HELD:
      return { status: 'held', captureBefore: captureBeforeOf(details) };
    case 'voided':
      return { status: 'voided' };
    case 'expired':
      return { status: 'expired' };
    default:
      return unknown(details.transactionStatus);
  }
}

/** By `E…` codes and response reason codes. */
const FAILURES: HoldFailures = {
  E00013: 'not_capturable',
  E00040: 'not_capturable',
  16: 'not_capturable',
  47: 'amount_too_large',
};
