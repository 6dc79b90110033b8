/** `/v1/calls`: the calls on the payment line, newest first, and one of them step by step. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  CALL_OUTCOME_TEXT,
  CALL_STATUSES,
  CallResource,
  CallWithTimelineResource,
  callResource,
  callWithTimelineResource,
} from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import { findCall, listCalls } from '../../../db/calls/call-lists.ts';
import type { Sql } from '../../../db/pool.ts';
import type { Scope } from '../../../domain/account.ts';
import { type CallId, parseId } from '../../../domain/ids.ts';
import type { CallWithTimeline } from '../../../domain/listed-call.ts';
import { OUTCOME_KINDS } from '../../../domain/outcome.ts';
import { paymentFilter, paymentFilters, SESSION_FILTER, sessionFilter } from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireInScope } from '../require-in-scope.ts';

const ListCallsQuery = PageQuery.extend({
  ...paymentFilters(
    'Only calls of sessions with a charge of a card with these last four digits, on the call or elsewhere.',
  ),
  checkout_session_id: SESSION_FILTER,
  status: field(z.enum(CALL_STATUSES).optional(), 'Only live calls, or only ended calls.', 'ended'),
  outcome: field(z.enum(OUTCOME_KINDS).optional(), `Only calls with this outcome. ${CALL_OUTCOME_TEXT}.`, 'succeeded'),
});

export const CallList = listOf('calls', CallResource);
export type CallList = z.infer<typeof CallList>;

const LIST_CALLS = {
  id: 'list_calls',
  group: 'Calls',
  summary: 'List calls',
  description: `Lists the calls on the payment line, newest first, including live calls. If you send several filters, all of them
must match. \`retrieve_call\` has the steps. \`starting_after\` is a \`call_id\`.

Calls that were rejected with a SIP status before they were answered for a session are not listed. If several
merchants match a call, the line asks the caller to choose one. Until then, \`checkout_session_id\` is null; it
stays null if the caller does not choose.`,
  query: ListCallsQuery,
  response: CallList,
  errors: ['merchant_not_found', 'session_not_found'],
  example: { query: { outcome: 'succeeded', limit: '5' } },
} satisfies ListOperation;

const CALL: Need = { name: 'CALL', operation: 'list_calls', field: 'calls.0.call_id' };

const RETRIEVE_CALL = {
  id: 'retrieve_call',
  group: 'Calls',
  summary: 'Retrieve a call with its steps',
  description: `Returns a call with its timeline: what the line said and asked for, how the charge went, and how the caller returned
to the agent. Its SIP Call-IDs are those in your carrier's trace. In the demo, \`npm run call\` places a call. For a
call of another account, returns \`not_found\`. For a call of the other mode, returns \`invalid_key\`.`,
  params: z.object({ call_id: CallResource.shape.call_id }),
  response: CallWithTimelineResource,
  answers: 'The call as recorded so far.',
  errors: ['not_found'],
  example: { needs: [CALL], params: { call_id: '$CALL' } },
} satisfies Operation;

export function callRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  addList(app, 'GET /calls', LIST_CALLS, callResource, async ({ query }, { scope }) => {
    const filter = {
      ...(await paymentFilter(database, scope, query)),
      sessionId: await sessionFilter(database, scope, query.checkout_session_id),
      status: query.status ?? null,
      outcome: query.outcome ?? null,
    };
    return listCalls(database, scope, filter, pageRequest(query));
  });

  addOperation(app, 'GET /calls/:call_id', RETRIEVE_CALL, async ({ params }, { scope }) =>
    callWithTimelineResource(await requireCall(database, scope, params.call_id)),
  );
}

/** @throws ApiError `not_found`, also for another account's; `invalid_key` for one of the other mode */
export function requireCall(sql: Sql, scope: Scope, text: string): Promise<CallWithTimeline> {
  const find = (id: CallId) => findCall(sql, scope.accountId, id);
  return requireInScope(scope, parseId('Call', text), find, noCall);
}

const noCall = () => new ApiError('not_found', { param: 'call_id', message: 'No call of this account has this ID.' });
