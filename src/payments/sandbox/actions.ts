/** Sandbox payments that wait for their payer. The test card decides what its bank's dialog returns. */
import type { Sql } from '../../db/pool.ts';
import type { DeclineCode } from '../../domain/charge.ts';
import { type Debited, type ProcessorAnswer, unknown } from '../port/answers.ts';
import type { ActionRequest, CardActions } from '../port/charges.ts';
import { answerOf, unreachable } from './answers.ts';
import { type ActionEnd, endOfAction } from './cards.ts';
import { endSandboxAction, findSandboxPayment } from './ledger.ts';

const GONE = unknown('no_payment');

/** The decline of a payment whose payer is done; null if it is approved. An abandoned one keeps waiting. */
const ENDS: Readonly<Record<Exclude<ActionEnd, 'abandoned'>, DeclineCode | null>> = {
  approved: null,
  declined: 'generic_decline',
  refused: 'authentication_required',
};

export function sandboxActions(sql: Sql): CardActions {
  return {
    read: (request) => read(sql, request).catch(unreachable),
    confirm: (request, signal) =>
      signal.aborted
        ? Promise.resolve({ status: 'not_ordered', cause: 'timeout' })
        : confirm(sql, request).catch(unreachable),
    cancel: (request) => cancel(sql, request).catch(unreachable),
  };
}

async function read(sql: Sql, { chargeId }: ActionRequest): Promise<Exclude<ProcessorAnswer, Debited>> {
  const payment = await findSandboxPayment(sql, chargeId);
  return payment === null ? GONE : answerOf(payment);
}

async function confirm(sql: Sql, request: ActionRequest): Promise<ProcessorAnswer> {
  const payment = await findSandboxPayment(sql, request.chargeId);
  if (payment === null) return GONE;
  const end = endOfAction(payment.cardName);
  if (end !== 'abandoned') await endSandboxAction(sql, request.chargeId, ENDS[end]);
  return read(sql, request);
}

async function cancel(sql: Sql, request: ActionRequest) {
  await endSandboxAction(sql, request.chargeId, 'authentication_required');
  const answer = await read(sql, request);
  return answer.status === 'action_required' ? unknown('still_waiting') : answer;
}
