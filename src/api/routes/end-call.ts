/** `POST /v1/calls/{call_id}/end`: ends a call on the line politely. Its process does it; here it is written down, and told. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { CallResource, CallWithTimelineResource, callWithTimelineResource } from '../../contract/calls.ts';
import { ApiError } from '../../contract/errors.ts';
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { markEndRequested } from '../../db/calls/end-requests.ts';
import type { Database } from '../../db/pool.ts';
import type { Actor } from '../../domain/audit.ts';
import type { CallWithTimeline } from '../../domain/listed-call.ts';
import { phoneProcess, type Progress } from '../../progress/ports.ts';
import { requireCall } from './calls.ts';

const CALL: Need = {
  ...{ name: 'CALL', operation: 'list_calls', field: 'calls.0.call_id' },
  query: { status: 'live', limit: '1' },
};

const END_CALL = {
  id: 'end_call',
  group: 'Calls',
  role: 'support',
  summary: 'End a call',
  description: `Ends a call on the line, politely: the caller hears that we have to stop and that nothing was charged, then goes back to the agent as after
any call without a payment, with the outcome \`canceled\`; \`agent\` with \`link_sent\` where the pay link was texted on the call. The checkout can
be paid afterwards as before.

Never in the middle of a charge: its outcome is waited for and told, also of one on the pay page. What is paid ends as \`succeeded\`; a decline
is said, and no other card is asked for; without an outcome the call ends as \`pending\`.

The call ends by itself soon after the answer, mostly within a second and its last sentence: \`end_requested_at\` says that it is being ended, \`status\` when it
is over. Asking again changes nothing. A caller who is hearing the outcome, or on the way back to the agent, is left alone: that call ends
anyway. A call that has ended, or whose caller is with the agent over a bridge already, is \`invalid_value\`.`,
  params: z.object({ call_id: CallResource.shape.call_id }),
  response: CallWithTimelineResource,
  answers: 'The call, which is being ended.',
  errors: ['not_found'],
  example: { needs: [CALL], params: { call_id: '$CALL' } },
} satisfies Operation;

interface EndCallDeps {
  database: Database;
  progress: Pick<Progress, 'publish'>;
}

export function endCallRoute(app: FastifyInstance, deps: EndCallDeps): void {
  const { database } = deps;
  addOperation(app, 'POST /calls/:call_id/end', END_CALL, async ({ params, scope, actor }) => {
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
  if (endedAt !== null) throw new ApiError('invalid_value', { param: 'call_id', message: 'The call has ended.' });
  if (returnMode === null) return;
  throw new ApiError('invalid_value', { param: 'call_id', message: 'The caller is back with the agent.' });
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
