/** `/v1/disputes`: what the processors say about disputes of charges. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireChargeInScope } from '../../../checkout/refund.ts';
import { DisputeResource, disputeResource } from '../../../contract/disputes.ts';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import { DisputeTotalsResource, disputeTotalsResource } from '../../../contract/list-totals.ts';
import {
  type DisputeFilter,
  findDispute,
  listDisputes,
  readDisputeTotals,
} from '../../../db/disputes/dispute-lists.ts';
import type { Database, Sql } from '../../../db/pool.ts';
import type { Scope } from '../../../domain/account.ts';
import { DISPUTE_STATUSES } from '../../../domain/dispute.ts';
import { type DisputeId, parseId } from '../../../domain/ids.ts';
import {
  merchantFilter,
  ORDER_FILTERS,
  SESSION_FILTER,
  sessionFilter,
  TIME_FILTERS,
  timeRange,
} from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireInScope } from '../require-in-scope.ts';
import { anyId } from '../text-schemas.ts';

const DISPUTE_FILTERS = {
  ...TIME_FILTERS,
  merchant_id: ORDER_FILTERS.merchant_id,
  checkout_session_id: SESSION_FILTER,
  charge: field(anyId.optional(), 'Only disputes of this charge.', 'ch_x6ueh4kxj94cewxy97eft8edv6'),
  status: field(z.enum(DISPUTE_STATUSES).optional(), 'Only disputes with this status.', 'needs_response'),
};
const DisputeFilters = z.object(DISPUTE_FILTERS);
const ListDisputesQuery = PageQuery.extend(DISPUTE_FILTERS);

const LIST_DISPUTES = {
  id: 'list_disputes',
  limited: 'read',
  group: 'Disputes',
  summary: 'List disputes',
  description: `Lists disputes, newest first. If you send several filters, all of them must match. \`starting_after\` is a
\`dispute_id\`.

We learn of disputes from the processor's notifications, so give each merchant a notification secret. We then read the
dispute at the processor. You send evidence in the processor's dashboard.`,
  query: ListDisputesQuery,
  response: listOf('disputes', DisputeResource),
  errors: ['merchant_not_found', 'session_not_found', 'not_found'],
  example: { query: { status: 'needs_response', limit: '5' } },
} satisfies ListOperation;

const RETRIEVE_DISPUTE_TOTALS = {
  id: 'retrieve_dispute_totals',
  limited: 'read',
  group: 'Disputes',
  summary: 'Retrieve totals of disputes',
  description: 'Sums the disputes that match the filters of `list_disputes`, by currency and status.',
  query: DisputeFilters,
  response: DisputeTotalsResource,
  answers: 'The sums by currency.',
  errors: ['merchant_not_found', 'session_not_found', 'not_found'],
  example: { query: { created_after: '2026-11-01T00:00:00Z' } },
} satisfies Operation;

const DISPUTE: Need = { name: 'DISPUTE', operation: 'list_disputes', field: 'disputes.0.dispute_id' };

const RETRIEVE_DISPUTE = {
  id: 'retrieve_dispute',
  limited: 'read',
  group: 'Disputes',
  summary: 'Retrieve a dispute',
  description: 'Returns a dispute as the processor last reported it.',
  params: z.object({ id: DisputeResource.shape.dispute_id }),
  response: DisputeResource,
  answers: 'The dispute.',
  errors: ['not_found'],
  example: { needs: [DISPUTE], params: { id: '$DISPUTE' } },
} satisfies Operation;

const noDispute = () =>
  new ApiError('not_found', { param: 'dispute_id', message: 'No dispute of this account has this ID.' });

export function disputeRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  addList(app, 'GET /disputes', LIST_DISPUTES, disputeResource, async ({ query }, { scope }) =>
    listDisputes(database, scope, await disputeFilter(database, scope, query), pageRequest(query)),
  );

  addOperation(app, 'GET /disputes/totals', RETRIEVE_DISPUTE_TOTALS, async ({ query }, { scope }) =>
    disputeTotalsResource(await readDisputeTotals(database, scope, await disputeFilter(database, scope, query))),
  );

  addOperation(app, 'GET /disputes/:id', RETRIEVE_DISPUTE, async ({ params }, { scope }) => {
    const find = (id: DisputeId) => findDispute(database, scope.accountId, id);
    return disputeResource(await requireInScope(scope, parseId('Dispute', params.id), find, noDispute));
  });
}

async function disputeFilter(sql: Sql, scope: Scope, query: z.infer<typeof DisputeFilters>): Promise<DisputeFilter> {
  return {
    ...timeRange(query),
    merchantId: await merchantFilter(sql, scope, query.merchant_id),
    sessionId: await sessionFilter(sql, scope, query.checkout_session_id),
    chargeId: query.charge === undefined ? null : await requireChargeInScope(sql, scope, query.charge),
    status: query.status ?? null,
  };
}
