/**
 * `POST /v1/calls/{call_id}/end`: ends a call on the line politely. Its process does it; here it is written down, and
 * told.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { CallResource, CallWithTimelineResource, callWithTimelineResource } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { insertAuditEvent } from '../../../db/audit/audit-events.ts';
import { markEndRequested } from '../../../db/calls/end-requests.ts';
import type { Database } from '../../../db/pool.ts';
import type { Actor } from '../../../domain/audit.ts';
import type { CallWithTimeline } from '../../../domain/listed-call.ts';
import { type Progress, phoneProcess } from '../../../notifications/progress/ports.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireCall } from './calls.ts';

const CALL: Need = {
  name: 'CALL',
  operation: 'list_calls',
  field: 'calls.0.call_id',
  query: { status: 'live', limit: '1' },
};

const END_CALL = {
  id: 'end_call',
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
  example: { needs: [CALL], params: { call_id: '$CALL' } },
} satisfies Operation;

interface EndCallDeps {
  database: Database;
  progress: Pick<Progress, 'publish'>;
}

export function endCallRoute(app: FastifyInstance, deps: EndCallDeps): void {
  const { database } = deps;
  addOperation(app, 'POST /calls/:call_id/end', END_CALL, async ({ params }, { scope, actor }) => {
    const call = await requireCall(database, scope, params.call_id);
    if (call.endRequestedAt !== null) return callWithTimelineResource(call);
    requireOnLine(call);
    await requestEnd(deps, actor, call);
    const after = await requireCall(database, scope, params.call_id);
    // It has ended meanwhile, by itself.
    if (after.endRequestedAt === null) requireOnLine(after);
    return callWithTimelineResource(after);
  });
}

/** @throws ApiError `invalid_value` for a call that the line has nothing to end of any more */
function requireOnLine({ endedAt, returnMode }: CallWithTimeline): void {
  if (endedAt !== null)
    throw new ApiError('invalid_value', { param: 'call_id', message: 'The call has already ended.' });
  if (returnMode === null) return;
  throw new ApiError('invalid_value', { param: 'call_id', message: 'The caller has already returned to the agent.' });
}

/** In one transaction with who asked. The process of the call is woken; it looks by itself, too. */
async function requestEnd({ database, progress }: EndCallDeps, by: Actor, call: CallWithTimeline): Promise<void> {
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
