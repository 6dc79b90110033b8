/**
 * `POST /v1/charges/{charge_id}/settle` and `POST /v1/refunds/{id}/settle`: record an outcome that a person looked up at
 * the processor.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type ManualSettlement, noCharge, settleInScope } from '../../../checkout/manual-settlement.ts';
import { ListedChargeResource, listedChargeResource } from '../../../contract/charges.ts';
import { ApiError } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { isProcessorId, SETTLEABLE, type SettleableKind } from '../../../contract/manual-settlement.ts';
import { RefundResource, refundResource } from '../../../contract/refunds.ts';
import { findListedCharge } from '../../../db/charges/charge-lists.ts';
import { errorContext } from '../plugins/errors.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';

const processorId = z.string().refine(isProcessorId, { error: 'must be an ID of the processor' });

export const SettleChargeRequest = z.strictObject({
  outcome: field(
    z.enum(SETTLEABLE.charge.outcomes),
    'The outcome at the processor. `succeeded`: it took the money. `not_received`: it does not know the charge and never will.',
    'succeeded',
  ),
  processor_payment_id: field(
    processorId.optional(),
    'The processor reference of the payment. Required with `succeeded`, and not allowed otherwise.',
    'pi_3PqX7zLkdIwHu7ix0jx3v8s2',
  ),
});

const SettleRefundRequest = z.strictObject({
  outcome: field(
    z.enum(SETTLEABLE.refund.outcomes),
    'The outcome at the processor. `succeeded`: the money was refunded. `refused`: the processor accepted the refund, but it failed. `not_received`: it does not know the refund and never will.',
    'succeeded',
  ),
  processor_refund_id: field(
    processorId.optional(),
    'The processor reference of the refund. Required with `succeeded`, and not allowed otherwise.',
    're_3PqX7zLkdIwHu7ix0a5k9c1d',
  ),
});

const CHARGE: Need = {
  name: 'CHARGE',
  operation: 'list_charges',
  field: 'charges.0.charge_id',
  query: { needs_settling: 'true', limit: '1' },
};
const REFUND: Need = {
  name: 'REFUND',
  operation: 'list_refunds',
  field: 'refunds.0.refund_id',
  query: { needs_settling: 'true', limit: '1' },
};

const RULES = `Nothing is sent to the processor, so look up the outcome there first. An outcome is final. If several people send
one at the same time, the first one settles it. The others get 400 \`invalid_value\` with the outcome. While the
processor is still being asked, returns 400 \`invalid_value\`. So does a processor reference of another charge or
refund; the message names that charge or refund.`;

const SETTLE_CHARGE = {
  id: 'settle_charge',
  group: 'Charges',
  scope: 'full',
  role: 'developer',
  summary: 'Settle a charge manually',
  description: `Records the outcome of a charge if its processor has not reported one for three days (\`needs_settling\`).
\`list_charges\` finds these charges. ${RULES}

\`succeeded\` completes the session: \`checkout.succeeded\` and \`checkout.completed\` are sent, and the receipt is
texted. After \`not_received\`, \`checkout.failed\` is sent. A caller who was told not to pay again then receives a
text that nothing was charged. The audit trail shows who settled the charge.`,
  params: z.object({ charge_id: FIELDS.charge_id }),
  request: SettleChargeRequest,
  response: ListedChargeResource,
  answers: 'The settled charge.',
  errors: ['missing_required_fields', 'not_found'],
  example: {
    needs: [CHARGE],
    params: { charge_id: '$CHARGE' },
    body: { outcome: 'succeeded', processor_payment_id: 'pi_3PqX7zLkdIwHu7ix0jx3v8s2' },
  },
} satisfies Operation;

const SETTLE_REFUND = {
  id: 'settle_refund',
  group: 'Refunds',
  scope: 'full',
  role: 'developer',
  summary: 'Settle a refund manually',
  description: `Records the outcome of a refund if its processor has not reported one for a month (\`needs_settling\`).
\`list_refunds\` finds these refunds. ${RULES}

\`refund.succeeded\` or \`refund.failed\` is sent. After \`refused\` or \`not_received\`, you can refund the amount
again. The audit trail shows who settled the refund.`,
  params: z.object({ id: RefundResource.shape.refund_id }),
  request: SettleRefundRequest,
  response: RefundResource,
  answers: 'The settled refund.',
  errors: ['missing_required_fields', 'not_found'],
  example: {
    needs: [REFUND],
    params: { id: '$REFUND' },
    body: { outcome: 'succeeded', processor_refund_id: 're_3PqX7zLkdIwHu7ix0a5k9c1d' },
  },
} satisfies Operation;

export function settleRoutes(app: FastifyInstance, deps: ManualSettlement): void {
  addOperation(app, 'POST /charges/:charge_id/settle', SETTLE_CHARGE, async ({ params, body }, request) => {
    const { scope, actor: by, log } = request;
    const { outcome, processor_payment_id } = body;
    const reported =
      outcome === 'succeeded'
        ? success('charge', processor_payment_id)
        : failure('charge', outcome, processor_payment_id);
    const { id } = await settleInScope(deps, scope, 'charge', { id: params.charge_id, reported, by, log });
    const settled = await findListedCharge(deps.database, scope.accountId, id);
    if (settled === null) throw noCharge();
    return listedChargeResource(settled, errorContext(request));
  });

  addOperation(app, 'POST /refunds/:id/settle', SETTLE_REFUND, async ({ params, body }, request) => {
    const { scope, actor: by, log } = request;
    const { outcome, processor_refund_id } = body;
    const reported =
      outcome === 'succeeded'
        ? success('refund', processor_refund_id)
        : failure('refund', outcome, processor_refund_id);
    const settled = await settleInScope(deps, scope, 'refund', { id: params.id, reported, by, log });
    return refundResource(settled, errorContext(request));
  });
}

function success(kind: SettleableKind, processorId: string | undefined) {
  if (processorId !== undefined) return { outcome: 'succeeded', processorId } as const;
  throw new ApiError('missing_required_fields', {
    param: SETTLEABLE[kind].processorIdField,
    message: 'The outcome `succeeded` requires the processor reference.',
  });
}

/** An ID shows that the request was meant as a success. */
function failure<Outcome extends string>(kind: SettleableKind, outcome: Outcome, processorId: string | undefined) {
  if (processorId === undefined) return { outcome };
  throw new ApiError('invalid_value', {
    param: SETTLEABLE[kind].processorIdField,
    message: 'Send a processor reference only with the outcome `succeeded`.',
  });
}
