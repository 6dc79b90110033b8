/** `/v1/calls`: the calls on the payment line, newest first, and one of them step by step. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { paymentFilter, paymentFilters, SESSION_FILTER, sessionFilter } from '../list-filters.ts';
import { PageQuery, pageRequest, requirePage } from '../pages.ts';
import { requireInScope } from '../require-in-scope.ts';
import { parseQuery } from '../validation.ts';
import {
  CALL_OUTCOME_TEXT,
  CALL_STATUSES,
  CallResource,
  CallWithTimelineResource,
  callResource,
  callWithTimelineResource,
} from '../../contract/calls.ts';
import { ApiError } from '../../contract/errors.ts';
import { FIELDS, field } from '../../contract/fields.ts';
import { findCall, listCalls } from '../../db/calls/call-lists.ts';
import type { Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import { type CallId, parseId } from '../../domain/ids.ts';
import type { CallWithTimeline } from '../../domain/listed-call.ts';
import { OUTCOME_KINDS } from '../../domain/outcome.ts';

export const ListCallsQuery = PageQuery.extend({
  ...paymentFilters(
    'Only calls of sessions that a card with these last four digits was charged for, on the call or elsewhere.',
  ),
  checkout_session_id: SESSION_FILTER,
  status: field(z.enum(CALL_STATUSES).optional(), 'Only calls that are on the line now, or that are over.', 'ended'),
  outcome: field(z.enum(OUTCOME_KINDS).optional(), `Only calls of this outcome. ${CALL_OUTCOME_TEXT}.`, 'succeeded'),
});

export const CallList = z.object({
  calls: field(z.array(CallResource), 'Newest first.'),
  has_more: FIELDS.has_more,
});
export type CallList = z.infer<typeof CallList>;

const LIST_CALLS = {
  id: 'list_calls',
  group: 'Calls',
  summary: 'List calls',
  description: `Calls on the payment line, newest first, live ones among them; filters narrow it down, all of them together. A call that was refused with a SIP
status before it was answered for a session is not here. One whose caller was asked which of several merchants it is for has no session
until the answer, and none ever where none came: its \`checkout_session_id\` is null. \`retrieve_call\` has the steps. \`starting_after\` is a \`call_id\`.`,
  query: ListCallsQuery,
  response: CallList,
  answers: 'A page of the list.',
  errors: ['merchant_not_found', 'session_not_found'],
  example: { query: { outcome: 'succeeded', limit: '5' } },
} satisfies Operation;

const CALL: Need = { name: 'CALL', operation: 'list_calls', field: 'calls.0.call_id' };

const RETRIEVE_CALL = {
  id: 'retrieve_call',
  group: 'Calls',
  summary: 'Retrieve a call, step by step',
  description: `A call with its timeline: what the line said and asked for, how the charge went, how the caller went back to the agent. Its SIP Call-IDs are those of
your carrier's trace. In the demo, \`npm run call\` places one. A call of another account does not exist: \`not_found\`. One of the other mode: \`invalid_key\`.`,
  params: z.object({ call_id: CallResource.shape.call_id }),
  response: CallWithTimelineResource,
  answers: 'The call as it is written now.',
  errors: ['not_found'],
  example: { needs: [CALL], params: { call_id: '$CALL' } },
} satisfies Operation;

export function callRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  addOperation(app, 'GET /calls', LIST_CALLS, async ({ query: text, scope }) => {
    const query = parseQuery(ListCallsQuery, text);
    const filter = {
      ...(await paymentFilter(database, scope, query)),
      sessionId: await sessionFilter(database, scope, query.checkout_session_id),
      status: query.status ?? null,
      outcome: query.outcome ?? null,
    };
    const page = requirePage(await listCalls(database, scope, filter, pageRequest(query)));
    return { calls: page.items.map(callResource), has_more: page.hasMore };
  });

  addOperation(app, 'GET /calls/:call_id', RETRIEVE_CALL, async ({ params, scope }) => {
    return callWithTimelineResource(await requireCall(database, scope, params.call_id));
  });
}

/** @throws ApiError `not_found`, also for another account's; `invalid_key` for one of the other mode */
export function requireCall(sql: Sql, scope: Scope, text: string): Promise<CallWithTimeline> {
  const find = (id: CallId) => findCall(sql, scope.accountId, id);
  return requireInScope(scope, parseId('Call', text), find, noCall);
}

const noCall = () => new ApiError('not_found', { param: 'call_id', message: 'No call of this account has that id.' });
