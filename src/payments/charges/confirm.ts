/**
 * Charges on the pay page whose bank asks the payer to authenticate (3-D Secure): shows the challenge, then confirms or
 * cancels the charge. Only `confirm` takes money, and only once: its idempotency key derives from the charge ID.
 *
 * The charge stays pending meanwhile, so nothing else can charge the session. After a crash the resolver settles a
 * confirmed charge (resolve-charges.ts). It cancels one that was not confirmed when the payer's time is over.
 */

import { findSessionCharge, scheduleResolve } from '../../db/charges/charges.ts';
import { isTransient } from '../../db/error-kinds.ts';
import type { Scope } from '../../domain/account.ts';
import { awaitsPayer, type Charge } from '../../domain/charge.ts';
import type { ChargeId, CheckoutSessionId } from '../../domain/ids.ts';
import { withRetries } from '../../lib/concurrency/retries.ts';
import type { CardAction, NotOrdered, ProcessorAnswer } from '../port/answers.ts';
import type { ActionRequest, CardActions } from '../port/charges.ts';
import { checkedAnswer } from '../shared/checked-answers.ts';
import { type Log, type PaymentDeps, timingsOf } from '../shared/deps.ts';
import { type AskDeps, askActions } from './actions.ts';
import { type ChargeOfOrder, recordAnswer, recordedAs } from './record-answer.ts';
import type { PaymentResult } from './take-payment.ts';

/** The waiting charge. */
export interface ConfirmRequest {
  sessionId: CheckoutSessionId;
  scope: Scope;
  chargeId: ChargeId;
  /** What the processor's page has given to the payer's browser. */
  result?: string;
  log?: Log | undefined;
}

/**
 * The payer reports that the challenge is done: takes the money if the bank agrees. Repeated and concurrent calls get
 * the same answer. While the bank still waits, that is `action_required`. The only refusal is `unavailable`: nothing
 * was ordered, and a retry is welcome. A session that expires meanwhile stays open for its pending charge.
 * @returns null if the session has no such charge
 */
export function confirmPayment(deps: PaymentDeps, request: ConfirmRequest): Promise<PaymentResult | null> {
  const given = request.result === undefined ? {} : { result: request.result };
  return goOn(deps, request, (actions, action, signal) => actions.confirm({ ...action, ...given }, signal));
}

/** The payer will not confirm: cancels the charge, so that another card can be tried. Like {@link confirmPayment}. */
export function abandonPayment(deps: PaymentDeps, request: ConfirmRequest): Promise<PaymentResult | null> {
  return goOn(deps, request, async (actions, action, signal): Promise<ProcessorAnswer | NotOrdered> => {
    const answer = await actions.cancel(action, signal);
    return answer.status === 'unknown' ? { ...answer, status: 'not_ordered' } : answer;
  });
}

const READ_LIMIT_MS = 5_000;

/**
 * The bank's challenge, for a page that is opened again. Changes nothing.
 * @returns null if nothing is left for the payer to do, or the processor cannot be asked; then use {@link
 * confirmPayment}
 */
export async function actionOf(deps: AskDeps, charge: Charge): Promise<CardAction | null> {
  if (!awaitsPayer(charge)) return null;
  const answer = await askActions(deps, charge, READ_LIMIT_MS, (actions, action, signal) =>
    actions.read(action, signal),
  );
  return answer.status === 'action_required' ? answer.action : null;
}

type Order = (
  actions: CardActions,
  action: ActionRequest,
  signal: AbortSignal,
) => Promise<ProcessorAnswer | NotOrdered>;

function goOn(deps: PaymentDeps, request: ConfirmRequest, order: Order): Promise<PaymentResult | null> {
  const withLog = request.log === undefined ? deps : { ...deps, log: request.log };
  return deps.inFlight.track(findAndOrder(withLog, request, order));
}

async function findAndOrder(deps: PaymentDeps, request: ConfirmRequest, order: Order): Promise<PaymentResult | null> {
  const { processorLimitMs } = timingsOf(deps);
  const found = await startOrder(deps, request);
  if (found === 'unavailable') return UNAVAILABLE;
  if (found === null || !awaitsPayer(found.charge)) {
    return found && recordedAs({ charge: found.charge, cardSaved: false }, found.order);
  }
  const { charge } = found;
  const answer = checkedAnswer(deps.log, charge, await askActions(deps, charge, processorLimitMs, order));
  if (answer.status !== 'not_ordered') return recordAnswer(deps, found, answer);
  deps.log.warn({ chargeId: charge.id, processor: charge.processor, cause: answer.cause }, 'charge not confirmed');
  return UNAVAILABLE;
}

const UNAVAILABLE: PaymentResult = { type: 'refused', reason: 'unavailable', charge: null };

/**
 * Finds the charge and makes it due for the resolver soon, in case this process dies before it records the answer.
 * @returns null if the session has no such charge
 */
async function startOrder(deps: PaymentDeps, request: ConfirmRequest): Promise<ChargeOfOrder | null | 'unavailable'> {
  const { sessionId, scope, chargeId } = request;
  const { processorLimitMs, recordLimitMs, requestStartLimitMs } = timingsOf(deps);
  try {
    return await withRetries(requestStartLimitMs, isTransient, async () => {
      const found = await findSessionCharge(deps.database, scope, sessionId, chargeId);
      if (found === null || !awaitsPayer(found.charge)) return found;
      const charge = await scheduleResolve(deps.database, chargeId, processorLimitMs + recordLimitMs);
      return charge === null ? findSessionCharge(deps.database, scope, sessionId, chargeId) : { ...found, charge };
    });
  } catch (error) {
    if (!isTransient(error)) throw error;
    deps.log.warn({ err: error, chargeId }, 'charge not confirmed: the database is unavailable');
    return 'unavailable';
  }
}
