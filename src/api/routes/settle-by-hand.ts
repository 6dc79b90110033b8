/** `POST /v1/charges/{charge_id}/settle` and `POST /v1/refunds/{id}/settle`: an outcome that a person found in the processor's books. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { errorContext } from '../plugins/errors.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { parseBody } from '../validation.ts';
import {
  noCharge,
  settleChargeInScope,
  settleRefundInScope,
  type SettleByHandDeps,
} from '../../checkout/settle-by-hand.ts';
import { ListedChargeResource, listedChargeResource } from '../../contract/charges.ts';
import { ApiError } from '../../contract/errors.ts';
import { FIELDS, field } from '../../contract/fields.ts';
import { RefundResource, refundResource } from '../../contract/refunds.ts';
import { findListedCharge } from '../../db/charges/charge-lists.ts';
import type { ChargeOutcome, RefundOutcome } from '../../payments/settle-by-hand.ts';

/** As the ids of all processors are: printable, without spaces. A dash in front is what a slip of the hand looks like. */
const processorId = z.string().regex(/^(?!-)[\x21-\x7e]{1,255}$/, { error: 'is no id of a processor' });

export const SettleChargeRequest = z.strictObject({
  outcome: field(
    z.enum(['succeeded', 'not_received']),
    "What the processor's books say. `succeeded`: it took the money. `not_received`: it knows nothing of the charge, and never will.",
    'succeeded',
  ),
  processor_payment_id: field(
    processorId.optional(),
    'What the processor calls the payment. With `succeeded`, and only then: required.',
    'pi_3PqX7zLkdIwHu7ix0jx3v8s2',
  ),
});

export const SettleRefundRequest = z.strictObject({
  outcome: field(
    z.enum(['succeeded', 'refused', 'not_received']),
    "What the processor's books say. `succeeded`: the money went back. `refused`: the processor took the refund on, and it came to nothing. `not_received`: it knows nothing of the refund, and never will.",
    'succeeded',
  ),
  processor_refund_id: field(
    processorId.optional(),
    'What the processor calls the refund. With `succeeded`, and only then: required.',
    're_3PqX7zLkdIwHu7ix0a5k9c1d',
  ),
});

const CHARGE: Need = {
  ...{ name: 'CHARGE', operation: 'list_charges', field: 'charges.0.charge_id' },
  query: { needs_settling: 'true', limit: '1' },
};
const REFUND: Need = {
  ...{ name: 'REFUND', operation: 'list_refunds', field: 'refunds.0.refund_id' },
  query: { needs_settling: 'true', limit: '1' },
};

const RULES = `Nothing is sent to the processor: look in its books first. An outcome is final. Of several people at once one settles it; all others are
400 \`invalid_value\` and told how it ended, as is everybody who comes too early, while the processor is still being asked. An id that is another
charge's or refund's is 400 \`invalid_value\`, too, and the message names whose it is.`;

const SETTLE_CHARGE = {
  id: 'settle_charge',
  group: 'Charges',
  scope: 'full',
  role: 'developer',
  summary: 'Settle a charge by hand',
  description: `Writes how a charge ended that its processor said nothing of for three days (\`needs_settling\`; \`list_charges\` finds them). ${RULES}

\`succeeded\` completes the session: \`checkout.succeeded\` and \`checkout.completed\` are sent, and the receipt is texted. After \`not_received\`
\`checkout.failed\` is sent, and a caller who was told not to pay again is texted that nothing was taken. The audit trail has who said it.`,
  params: z.object({ charge_id: FIELDS.charge_id }),
  request: SettleChargeRequest,
  response: ListedChargeResource,
  answers: 'The charge, settled.',
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
  summary: 'Settle a refund by hand',
  description: `Writes how a refund ended that its processor said nothing of for a month (\`needs_settling\`; \`list_refunds\` finds them). ${RULES}

\`refund.succeeded\` or \`refund.failed\` is sent. What is called \`refused\` or \`not_received\` can be given back once more. The audit trail has who said it.`,
  params: z.object({ id: RefundResource.shape.refund_id }),
  request: SettleRefundRequest,
  response: RefundResource,
  answers: 'The refund, settled.',
  errors: ['missing_required_fields', 'not_found'],
  example: {
    needs: [REFUND],
    params: { id: '$REFUND' },
    body: { outcome: 'succeeded', processor_refund_id: 're_3PqX7zLkdIwHu7ix0a5k9c1d' },
  },
} satisfies Operation;

export function settleByHandRoutes(app: FastifyInstance, deps: SettleByHandDeps): void {
  addOperation(app, 'POST /charges/:charge_id/settle', SETTLE_CHARGE, async (request) => {
    const { params, scope, actor: by, log } = request;
    const said = chargeOutcome(parseBody(SettleChargeRequest, request.body));
    const { id } = await settleChargeInScope(deps, scope, { id: params.charge_id, said, by, log });
    const settled = await findListedCharge(deps.database, scope.accountId, id);
    if (settled === null) throw noCharge();
    return listedChargeResource(settled, errorContext(request));
  });

  addOperation(app, 'POST /refunds/:id/settle', SETTLE_REFUND, async (request) => {
    const { params, scope, actor: by, log } = request;
    const said = refundOutcome(parseBody(SettleRefundRequest, request.body));
    const settled = await settleRefundInScope(deps, scope, { id: params.id, said, by, log });
    return refundResource(settled, errorContext(request));
  });
}

function chargeOutcome({ outcome, processor_payment_id: id }: z.infer<typeof SettleChargeRequest>): ChargeOutcome {
  if (outcome === 'succeeded') {
    return { outcome, processorPaymentId: requireId(id, 'processor_payment_id') };
  }
  refuseId(id, 'processor_payment_id');
  return { outcome };
}

function refundOutcome({ outcome, processor_refund_id: id }: z.infer<typeof SettleRefundRequest>): RefundOutcome {
  if (outcome === 'succeeded') {
    return { outcome, processorRefundId: requireId(id, 'processor_refund_id') };
  }
  refuseId(id, 'processor_refund_id');
  return { outcome };
}

function requireId(id: string | undefined, param: string): string {
  if (id !== undefined) return id;
  throw new ApiError('missing_required_fields', {
    param,
    message: 'With the outcome `succeeded` it says what the processor calls it.',
  });
}

/** One that came with another outcome was meant for something else. */
function refuseId(id: string | undefined, param: string): void {
  if (id === undefined) return;
  throw new ApiError('invalid_value', { param, message: 'Only with the outcome `succeeded` is there an id to say.' });
}
