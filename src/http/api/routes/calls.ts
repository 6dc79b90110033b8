/** `/v1/calls`: the list, a call with its steps, and ending a live call. */
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
import { CallTotalsResource, callTotalsResource } from '../../../contract/list-totals.ts';
import { insertAuditEvent } from '../../../db/audit/audit-events.ts';
import { type CallFilter, findCall, listCalls } from '../../../db/calls/call-lists.ts';
import { readCallTotals } from '../../../db/calls/call-totals.ts';
import { markEndRequested } from '../../../db/calls/calls.ts';
import type { Database, Sql } from '../../../db/pool.ts';
import type { Scope } from '../../../domain/account.ts';
import type { Actor } from '../../../domain/audit.ts';
import type { CallWithTimeline } from '../../../domain/call.ts';
import { type CallId, parseId } from '../../../domain/ids.ts';
import { OUTCOME_KINDS } from '../../../domain/outcome.ts';
import { FUNNEL_STEPS } from '../../../domain/statistics.ts';
import { type Progress, phoneProcess } from '../../../notifications/progress/ports.ts';
import { paymentFilter, paymentFilters, SESSION_FILTER, sessionFilter } from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireInScope } from '../require-in-scope.ts';

const CallFilters = z.object({
  ...paymentFilters(
    'Only calls of sessions with a charge of a card with these last four digits, on the call or elsewhere.',
  ),
  checkout_session_id: SESSION_FILTER,
  status: field(z.enum(CALL_STATUSES).optional(), 'Only live calls, or only ended calls.', 'ended'),
  outcome: field(z.enum(OUTCOME_KINDS).optional(), `Only calls with this outcome. ${CALL_OUTCOME_TEXT}.`, 'succeeded'),
  reached: field(
    z.enum(FUNNEL_STEPS).optional(),
    'Only calls that the `funnel` of `retrieve_statistics` counts at this step: answered calls that are over and reached it.',
    'charge',
  ),
});

const ListCallsQuery = PageQuery.extend(CallFilters.shape);

export const CallList = listOf('calls', CallResource);
export type CallList = z.infer<typeof CallList>;

const LIST_CALLS = {
  id: 'list_calls',
  limited: 'read',
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

const RETRIEVE_CALL_TOTALS = {
  id: 'retrieve_call_totals',
  limited: 'read',
  group: 'Calls',
  summary: 'Retrieve totals of calls',
  description: `Counts the calls that match the filters of \`list_calls\`, by outcome. A call counts at the time it started.`,
  query: CallFilters,
  response: CallTotalsResource,
  answers: 'The counts.',
  errors: ['merchant_not_found', 'session_not_found'],
  example: { query: { created_after: '2026-11-01T00:00:00Z', merchant_id: 'mer_demo_diner' } },
} satisfies Operation;

const CALL: Need = { name: 'CALL', operation: 'list_calls', field: 'calls.0.call_id' };

const RETRIEVE_CALL = {
  id: 'retrieve_call',
  limited: 'read',
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

const LIVE_CALL: Need = {
  name: 'CALL',
  operation: 'list_calls',
  field: 'calls.0.call_id',
  query: { status: 'live', limit: '1' },
};

const END_CALL = {
  id: 'end_call',
  limited: { object: 'calls', field: 'call_id' },
  group: 'Calls',
  role: 'support',
  summary: 'End a call',
  description: `Ends a live call politely. The caller hears that the call must end and that nothing was charged, then returns to the
agent as after any call without a payment. The outcome is \`canceled\`, or \`agent\` with \`link_sent\` if the pay
link was texted during the call. The checkout can still be paid afterwards.

A charge in progress is never interrupted, not even on the pay page. The line waits for its outcome and says it. A
paid call ends as \`succeeded\`. After a decline, the line asks for no other card. Without an outcome, the call ends
as \`pending\`.

The call ends soon after the answer, usually within a second plus its last sentence. \`end_requested_at\` shows that
it is ending, \`status\` when it is over. Repeating the request changes nothing. A caller who is hearing the outcome
or returning to the agent is not interrupted: that call ends anyway. If the call has ended, or the caller is already
connected to the agent over a bridge, returns \`invalid_value\`.`,
  params: z.object({ call_id: CallResource.shape.call_id }),
  response: CallWithTimelineResource,
  answers: 'The call, which is now ending.',
  errors: ['not_found'],
  example: { needs: [LIVE_CALL], params: { call_id: '$CALL' } },
} satisfies Operation;

interface CallDeps {
  database: Database;
  progress: Pick<Progress, 'publish'>;
}

export function callRoutes(app: FastifyInstance, deps: CallDeps): void {
  const { database } = deps;
  addList(app, 'GET /calls', LIST_CALLS, callResource, async ({ query }, { scope }) =>
    listCalls(database, scope, await callFilter(database, scope, query), pageRequest(query)),
  );

  addOperation(app, 'GET /calls/totals', RETRIEVE_CALL_TOTALS, async ({ query }, { scope }) =>
    callTotalsResource(await readCallTotals(database, scope, await callFilter(database, scope, query))),
  );

  addOperation(app, 'GET /calls/:call_id', RETRIEVE_CALL, async ({ params }, { scope }) =>
    callWithTimelineResource(await requireCall(database, scope, params.call_id)),
  );

  addOperation(app, 'POST /calls/:call_id/end', END_CALL, async ({ params }, { scope, actor }) => {
    const call = await requireCall(database, scope, params.call_id);
    if (call.endRequestedAt !== null) return callWithTimelineResource(call);
    requireOnLine(call);
    await requestEnd(deps, actor, call);
    const after = await requireCall(database, scope, params.call_id);
    // It has ended by itself in the meantime.
    if (after.endRequestedAt === null) requireOnLine(after);
    return callWithTimelineResource(after);
  });
}

/** @throws ApiError `not_found`; `invalid_key` for a call of the other mode */
function requireCall(sql: Sql, scope: Scope, text: string): Promise<CallWithTimeline> {
  const find = (id: CallId) => findCall(sql, scope.accountId, id);
  return requireInScope(scope, parseId('Call', text), find, noCall);
}

const noCall = () => new ApiError('not_found', { param: 'call_id', message: 'No call of this account has this ID.' });

/** @throws ApiError `invalid_value` if the call is over or already back with the agent */
function requireOnLine({ endedAt, returnMode }: CallWithTimeline): void {
  if (endedAt !== null)
    throw new ApiError('invalid_value', { param: 'call_id', message: 'The call has already ended.' });
  if (returnMode === null) return;
  throw new ApiError('invalid_value', { param: 'call_id', message: 'The caller has already returned to the agent.' });
}

/** Writes the request and its audit event, then wakes the process of the call, which also polls. */
async function requestEnd({ database, progress }: CallDeps, by: Actor, call: CallWithTimeline): Promise<void> {
  const { id, accountId, mode } = call;
  const marked = await database.transaction(async (sql) => {
    const holder = await markEndRequested(sql, accountId, id);
    if (holder !== null)
      await insertAuditEvent(sql, by, { accountId, mode, action: 'call.end_requested', objectId: id });
    return holder;
  });
  if (marked === null) return;
  progress.publish(phoneProcess(marked.leaseId), 'end_requested');
  progress.publish(accountId, 'call_stage');
}

async function callFilter(sql: Sql, scope: Scope, query: z.infer<typeof CallFilters>): Promise<CallFilter> {
  return {
    ...(await paymentFilter(sql, scope, query)),
    sessionId: await sessionFilter(sql, scope, query.checkout_session_id),
    status: query.status ?? null,
    outcome: query.outcome ?? null,
    reached: query.reached ?? null,
  };
}
