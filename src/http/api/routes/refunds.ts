/** `/v1/refunds`. A refund that the processor rejects is an error, like a declined charge. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  type RefundDeps,
  requestRefund,
  requireChargeInScope,
  requireRefundInScope,
} from '../../../checkout/refund.ts';
import { withErrorsIn } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import { RefundTotalsResource, refundTotalsResource } from '../../../contract/list-totals.ts';
import {
  ListedRefundResource,
  listedRefundResource,
  RefundResource,
  refundResource,
} from '../../../contract/refunds.ts';
import type { Database, Sql } from '../../../db/pool.ts';
import { listRefunds, type RefundFilter } from '../../../db/refunds/refund-lists.ts';
import { readRefundTotals } from '../../../db/refunds/refund-totals.ts';
import { findLanguage } from '../../../db/sessions/languages.ts';
import type { Scope } from '../../../domain/account.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { REFUND_REASONS, REFUND_STATUSES } from '../../../domain/refund.ts';
import { merchantFilter, needsSettlingFilter, ORDER_FILTERS, TIME_FILTERS, timeRange } from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { errorContext } from '../plugins/errors.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { anyId, storableMetadata } from '../text-schemas.ts';
import { rejectEmpty } from '../validation.ts';

const CHARGE_EXAMPLE = 'ch_x6ueh4kxj94cewxy97eft8edv6';

const CreateRefundRequest = z.strictObject({
  charge: field(anyId, 'The `charge_id` of the charge to refund.', CHARGE_EXAMPLE),
  amount_cents: rejectEmpty(
    field(
      z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
      "The amount to refund, an integer in the currency's minor unit. If you omit the field, everything not refunded yet is refunded. `null` is rejected with `invalid_value`.",
      1000,
    ),
  ),
  reason: field(
    z.enum(REFUND_REASONS).optional(),
    "The reason. It is sent to Stripe, too: `fraudulent` adds the card to Stripe's block list.",
    'requested_by_customer',
  ),
  metadata: field(
    storableMetadata.optional(),
    'Your own data: strings, numbers, booleans and nulls by name, stored and returned, never interpreted. At most 50 names of 40 characters, with values of 500 characters.',
    { ticket: '4711' },
  ),
});

const REFUND_FILTERS = {
  ...TIME_FILTERS,
  merchant_id: ORDER_FILTERS.merchant_id,
  charge: field(anyId.optional(), 'Only refunds of this charge.', CHARGE_EXAMPLE),
  status: field(z.enum(REFUND_STATUSES).optional(), 'Only refunds with this status.', 'succeeded'),
  needs_settling: needsSettlingFilter('refunds'),
};
const RefundFilters = z.object(REFUND_FILTERS);
const ListRefundsQuery = PageQuery.extend(REFUND_FILTERS);

const CHARGE: Need = { name: 'CHARGE', operation: 'charge', field: 'charge_id' };
const REFUND: Need = { name: 'REFUND', operation: 'create_refund', field: 'refund_id' };

const CREATE_REFUND = {
  id: 'create_refund',
  limited: { object: 'charges', field: 'charge' },
  group: 'Refunds',
  role: 'support',
  summary: 'Refund a charge',
  description: `Refunds a succeeded charge, fully or partially, to the card that paid. You can also refund a charge that is not
settled at the processor yet. Depending on the processor, the bank then shows a void, or a payment and a refund.

Refunds of a charge never exceed its amount, even with many requests at once. Pending refunds count. Send an
\`Idempotency-Key\`: the same request with it is one refund and returns the first answer again. \`retrieve_refund\`
returns the current state. Without the key, a second request is another refund.

- \`succeeded\`: the processor has made the refund. This is final.
- \`pending\`: the processor has accepted the refund. \`refund.succeeded\` or \`refund.failed\` reports the outcome.
- 424 \`processor_unavailable\`: the outcome is unknown. Do not request another refund. We resolve this one, and
send it again if it never arrived. A webhook reports the outcome; until then, \`list_refunds\` shows it as
\`pending\`.
- 400 \`invalid_value\` with a \`processor_code\`: the processor rejected the refund and nothing was refunded.

If an error has an \`agent_message\` here, it is about the refund. In rare cases the payer's bank returns the money
weeks later, such as when the account is closed. The processor then credits the merchant and shows the refund as
failed in its dashboard, but sends no event. Refund that payer in another way.`,
  request: CreateRefundRequest,
  response: RefundResource,
  answers: 'The refund. `status` shows whether it has succeeded or is pending.',
  errors: ['missing_required_fields', 'not_found', 'merchant_credentials_invalid', 'processor_unavailable'],
  example: {
    needs: [CHARGE],
    body: { charge: '$CHARGE', amount_cents: 1000, reason: 'requested_by_customer', metadata: { ticket: '4711' } },
  },
} satisfies Operation;

const RETRIEVE_REFUND = {
  id: 'retrieve_refund',
  limited: 'read',
  group: 'Refunds',
  summary: 'Retrieve a refund',
  description: 'Returns a refund in its current state. A failed refund also returns 200, with `failure`.',
  params: z.object({ id: RefundResource.shape.refund_id }),
  response: RefundResource,
  answers: 'The refund in its current state.',
  errors: ['not_found'],
  example: { needs: [REFUND], params: { id: '$REFUND' } },
} satisfies Operation;

const LIST_REFUNDS = {
  id: 'list_refunds',
  limited: 'read',
  group: 'Refunds',
  summary: 'List refunds',
  description:
    'Lists refunds, newest first. If you send several filters, all of them must match. `starting_after` is a `refund_id`.',
  query: ListRefundsQuery,
  response: listOf('refunds', ListedRefundResource),
  errors: ['merchant_not_found', 'not_found'],
  example: { query: { limit: '5' } },
} satisfies ListOperation;

const RETRIEVE_REFUND_TOTALS = {
  id: 'retrieve_refund_totals',
  limited: 'read',
  group: 'Refunds',
  summary: 'Retrieve totals of refunds',
  description: `Sums the refunds that match the filters of \`list_refunds\`, by currency. A refund counts at the time it was
created, whenever its charge was made. In \`retrieve_charge_totals\`, it counts with its charge.`,
  query: RefundFilters,
  response: RefundTotalsResource,
  answers: 'The sums by currency.',
  errors: ['merchant_not_found', 'not_found'],
  example: { query: { created_after: '2026-11-01T00:00:00Z', merchant_id: 'mer_demo_diner' } },
} satisfies Operation;

/**
 * A refund that the processor has accepted returns 200 `pending`. A refund with an unknown outcome returns 424
 * `processor_unavailable`.
 */
export function refundRoutes(app: FastifyInstance, deps: RefundDeps & { database: Database }): void {
  addOperation(app, 'POST /refunds', CREATE_REFUND, async ({ body }, request) => {
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

  const { database } = deps;
  addList(app, 'GET /refunds', LIST_REFUNDS, listedRefundResource, async ({ query }, { scope }) =>
    listRefunds(database, scope, await refundFilter(database, scope, query), pageRequest(query)),
  );

  addOperation(app, 'GET /refunds/totals', RETRIEVE_REFUND_TOTALS, async ({ query }, { scope }) =>
    refundTotalsResource(await readRefundTotals(database, scope, await refundFilter(database, scope, query))),
  );

  addOperation(app, 'GET /refunds/:id', RETRIEVE_REFUND, async ({ params }, request) =>
    refundResource(await requireRefundInScope(deps.database, request.scope, params.id), errorContext(request)),
  );
}

/** @throws ApiError `merchant_not_found`, and `not_found` for a charge of another account */
async function refundFilter(sql: Sql, scope: Scope, query: z.infer<typeof RefundFilters>): Promise<RefundFilter> {
  return {
    ...timeRange(query),
    merchantId: await merchantFilter(sql, scope, query.merchant_id),
    chargeId: query.charge === undefined ? null : await requireChargeInScope(sql, scope, query.charge),
    status: query.status ?? null,
    needsSettling: query.needs_settling !== undefined,
  };
}
