/** `/v1/disputes`: what the processors say about disputes of charges. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireChargeInScope } from '../../../checkout/refund.ts';
import { DisputeResource, disputeResource } from '../../../contract/disputes.ts';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import { findDispute, listDisputes } from '../../../db/disputes/dispute-lists.ts';
import type { Sql } from '../../../db/pool.ts';
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

const ListDisputesQuery = PageQuery.extend({
  ...TIME_FILTERS,
  merchant_id: ORDER_FILTERS.merchant_id,
  checkout_session_id: SESSION_FILTER,
  charge: field(anyId.optional(), 'Only disputes of this charge.', 'ch_x6ueh4kxj94cewxy97eft8edv6'),
  status: field(z.enum(DISPUTE_STATUSES).optional(), 'Only disputes with this status.', 'needs_response'),
});

const LIST_DISPUTES = {
  id: 'list_disputes',
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

const DISPUTE: Need = { name: 'DISPUTE', operation: 'list_disputes', field: 'disputes.0.dispute_id' };

const RETRIEVE_DISPUTE = {
  id: 'retrieve_dispute',
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

export function disputeRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  addList(app, 'GET /disputes', LIST_DISPUTES, disputeResource, async ({ query }, { scope }) => {
    const filter = {
      ...timeRange(query),
      merchantId: await merchantFilter(database, scope, query.merchant_id),
      sessionId: await sessionFilter(database, scope, query.checkout_session_id),
      chargeId: query.charge === undefined ? null : await requireChargeInScope(database, scope, query.charge),
      status: query.status ?? null,
    };
    return listDisputes(database, scope, filter, pageRequest(query));
  });

  addOperation(app, 'GET /disputes/:id', RETRIEVE_DISPUTE, async ({ params }, { scope }) => {
    const find = (id: DisputeId) => findDispute(database, scope.accountId, id);
    return disputeResource(await requireInScope(scope, parseId('Dispute', params.id), find, noDispute));
  });
}
