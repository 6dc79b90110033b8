/** The reference's words on giving money back. */
import { z } from 'zod';
import { RefundResource } from '../../contract/refunds.ts';
import type { Need, Operation } from '../reference/operation.ts';
import { CreateRefundRequest, ListRefundsQuery, RefundList } from '../schemas/refunds.ts';

const group = 'Refunds';
const CHARGE: Need = { name: 'CHARGE', operation: 'charge', field: 'charge_id' };
const REFUND: Need = { name: 'REFUND', operation: 'create_refund', field: 'refund_id' };

export const CREATE_REFUND: Operation = {
  id: 'create_refund',
  group,
  summary: 'Give money back',
  description: `Gives back a charge that succeeded, whole or in part, to the card that paid. A charge that is not settled at the processor
yet is given back the same way: it then shows up at the bank as a void, or as payment and refund, as the processor does it.

What was given back and what is on its way back never exceeds the charge, however many ask at once. Send an \`Idempotency-Key\`: the
same request with it is one refund, and gets the first answer again (\`retrieve_refund\` tells how it stands now); without it, it is
another one.

\`succeeded\`: the processor has made it. \`pending\`: it has taken it on; \`refund.succeeded\` or \`refund.failed\` tells how it ends. On 424
\`processor_unavailable\` the outcome is unknown: do not ask for another refund, we find out (and send this one again where it never
arrived); the webhook brings it, and \`list_refunds\` shows it as \`pending\` meanwhile. A refund that the processor refuses is a 400
\`invalid_value\` with its \`processor_code\`; nothing was given back. Where an error has an
\`agent_message\` here, it is about the refund. 

\`succeeded\` is final here. In rare cases the payer's bank sends the money back weeks later (the account is closed, say): the
processor then credits the merchant and shows the refund as failed in its dashboard, but no event follows. Give that money back
another way.`,
  request: CreateRefundRequest,
  response: RefundResource,
  answers: 'The refund: `status` says whether it is made, or on its way.',
  errors: ['missing_required_fields', 'not_found', 'merchant_credentials_invalid', 'processor_unavailable'],
  example: {
    needs: [CHARGE],
    body: { charge: '$CHARGE', amount_cents: 1000, reason: 'requested_by_customer', metadata: { ticket: '4711' } },
  },
};

export const RETRIEVE_REFUND: Operation = {
  id: 'retrieve_refund',
  group,
  summary: 'Retrieve a refund',
  description: 'How a refund stands. One that failed is a 200, too, with `failure`.',
  params: z.object({ id: RefundResource.shape.refund_id }),
  response: RefundResource,
  answers: 'The refund as it is now.',
  errors: ['not_found'],
  example: { needs: [REFUND], params: { id: '$REFUND' } },
};

export const LIST_REFUNDS: Operation = {
  id: 'list_refunds',
  group,
  summary: 'List refunds',
  description: 'Newest first; of one charge where the query names it. `starting_after` is a `refund_id`.',
  query: ListRefundsQuery,
  response: RefundList,
  answers: 'A page of the list.',
  errors: ['not_found'],
  example: { query: { limit: '5' } },
};
