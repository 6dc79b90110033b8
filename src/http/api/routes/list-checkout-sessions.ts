/** `GET /v1/checkout_sessions`: the account's sessions, newest first. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { field } from '../../../contract/fields.ts';
import { ListedSessionResource, listedSessionResource } from '../../../contract/listed-sessions.ts';
import type { Sql } from '../../../db/pool.ts';
import { listSessions } from '../../../db/sessions/session-lists.ts';
import { SESSION_STATUSES } from '../../../domain/session.ts';
import { paymentFilter, paymentFilters } from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';

const ListSessionsQuery = PageQuery.extend({
  ...paymentFilters('Only sessions with a charge of a card with these last four digits, successful or declined.'),
  status: field(
    z.enum(SESSION_STATUSES).optional(),
    'Only sessions with this `session_status`. A session that has just expired is found as `expired` within seconds.',
    'complete',
  ),
});

const LIST_CHECKOUT_SESSIONS = {
  id: 'list_checkout_sessions',
  group: 'Checkout',
  summary: 'List checkout sessions',
  description: `Lists sessions, newest first. If you send several filters, all of them must match. For cards, screening and the data
for a pay page, use \`retrieve_checkout_session\`. \`starting_after\` is a \`checkout_session_id\`.`,
  query: ListSessionsQuery,
  response: listOf('checkout_sessions', ListedSessionResource),
  errors: ['merchant_not_found'],
  example: { query: { status: 'open', merchant_id: 'mer_demo_diner', limit: '5' } },
} satisfies ListOperation;

export function listCheckoutSessionsRoute(app: FastifyInstance, { database }: { database: Sql }): void {
  const route = 'GET /checkout_sessions';
  addList(app, route, LIST_CHECKOUT_SESSIONS, listedSessionResource, async ({ query }, { scope }) => {
    const filter = { ...(await paymentFilter(database, scope, query)), status: query.status ?? null };
    return listSessions(database, scope, filter, pageRequest(query));
  });
}
