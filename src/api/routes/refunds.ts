/** `/v1/refunds`: money back. A refund that the processor refuses is an error, as a declined charge is. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { errorContext } from '../plugins/errors.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { needsSettlingFilter } from '../list-filters.ts';
import { PageQuery, requirePage, pageRequest } from '../pages.ts';
import { anyId, storableMetadata } from '../text-schemas.ts';
import { neverFilledIn, parseBody, parseQuery } from '../validation.ts';
import { requireChargeInScope, requireRefundInScope, type RefundDeps, requestRefund } from '../../checkout/refund.ts';
import { withErrorsIn } from '../../contract/errors.ts';
import { field, FIELDS } from '../../contract/fields.ts';
import { RefundResource, refundResource } from '../../contract/refunds.ts';
import { listRefunds } from '../../db/refunds/refund-lists.ts';
import { findLanguage } from '../../db/sessions/languages.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { REFUND_REASONS } from '../../domain/refund.ts';

const CHARGE_EXAMPLE = 'ch_x6ueh4kxj94cewxy97eft8edv6';

export const CreateRefundRequest = z.strictObject({
  charge: field(anyId, 'The charge to give back: its `charge_id`.', CHARGE_EXAMPLE),
  amount_cents: neverFilledIn(
    field(
      z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
      "How much, an integer in the currency's minor unit; all that is left of the charge where not given. Null is no way to leave it out: `invalid_value`.",
      1000,
    ),
  ),
  reason: field(
    z.enum(REFUND_REASONS).optional(),
    'Why. Stripe is told, too: `fraudulent` puts the card on its block list.',
    'requested_by_customer',
  ),
  metadata: field(
    storableMetadata.optional(),
    'Yours: texts, numbers, booleans and nulls by name, kept and echoed, never interpreted. At most 50 names of 40 characters, values of 500.',
    { ticket: '4711' },
  ),
});

export const ListRefundsQuery = PageQuery.extend({
  charge: field(anyId.optional(), 'Only the refunds of this charge.', CHARGE_EXAMPLE),
  needs_settling: needsSettlingFilter('refunds'),
});

export const RefundList = z.object({
  refunds: field(z.array(RefundResource), 'Newest first.'),
  has_more: FIELDS.has_more,
});
export type RefundList = z.infer<typeof RefundList>;

const CHARGE: Need = { name: 'CHARGE', operation: 'charge', field: 'charge_id' };
const REFUND: Need = { name: 'REFUND', operation: 'create_refund', field: 'refund_id' };

const CREATE_REFUND = {
  id: 'create_refund',
  group: 'Refunds',
  role: 'support',
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
} satisfies Operation;

const RETRIEVE_REFUND = {
  id: 'retrieve_refund',
  group: 'Refunds',
  summary: 'Retrieve a refund',
  description: 'How a refund stands. One that failed is a 200, too, with `failure`.',
  params: z.object({ id: RefundResource.shape.refund_id }),
  response: RefundResource,
  answers: 'The refund as it is now.',
  errors: ['not_found'],
  example: { needs: [REFUND], params: { id: '$REFUND' } },
} satisfies Operation;

const LIST_REFUNDS = {
  id: 'list_refunds',
  group: 'Refunds',
  summary: 'List refunds',
  description: 'Newest first; of one charge where the query names it. `starting_after` is a `refund_id`.',
  query: ListRefundsQuery,
  response: RefundList,
  answers: 'A page of the list.',
  errors: ['not_found'],
  example: { query: { limit: '5' } },
} satisfies Operation;

/** A refund that the processor has taken on answers 200 `pending`; one whose outcome is unknown, 424 `processor_unavailable`. */
export function refundRoutes(app: FastifyInstance, deps: RefundDeps): void {
  addOperation(app, 'POST /refunds', CREATE_REFUND, async (request) => {
    const body = parseBody(CreateRefundRequest, request.body);
    const claim = request.idempotencyClaim;
    const order = {
      charge: body.charge,
      scope: request.scope,
      by: request.actor,
      amountCents: body.amount_cents ?? null,
      reason: body.reason ?? null,
      metadata: body.metadata ?? {},
      log: request.log,
      idempotency: claim === null ? null : { keyHash: claim.keyHash, requestHash: claim.requestHash },
    };
    const languageOf = () => findLanguage(deps.database, 'charges', request.scope.accountId, body.charge);
    const refund = await withErrorsIn(languageOf, () => requestRefund(deps, order));
    return refundResource(refund, errorContext(request));
  });

  addOperation(app, 'GET /refunds', LIST_REFUNDS, async (request) => {
    const { database } = deps;
    const { charge, needs_settling, ...paging } = parseQuery(ListRefundsQuery, request.query);
    const chargeId = charge === undefined ? null : await requireChargeInScope(database, request.scope, charge);
    const [filter, page] = [{ chargeId, needsSettling: needs_settling !== undefined }, pageRequest(paging)];
    const { items, hasMore } = requirePage(await listRefunds(database, request.scope, filter, page));
    return {
      refunds: items.map((refund) => refundResource(refund, errorContext(request))),
      has_more: hasMore,
    };
  });

  addOperation(app, 'GET /refunds/:id', RETRIEVE_REFUND, async (request) =>
    refundResource(await requireRefundInScope(deps.database, request.scope, request.params.id), errorContext(request)),
  );
}
