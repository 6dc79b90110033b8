/** The progress of a call as webhooks and event streams show it. */
import { z } from 'zod';
import { CALL_EVENT_TYPES, type CallEvent, PROGRESS_STEPS } from '../domain/call-progress.ts';
import { OUTCOME_KINDS, OUTCOME_REASONS } from '../domain/outcome.ts';
import { CALL_OUTCOME_TEXT } from './calls.ts';
import { FIELDS, field } from './fields.ts';

const CallProgressResource = z.object({
  call_id: field(z.string(), 'The call on the payment line, `call_…`.', 'call_u3m8t5qzj7vdw2nkx9cbyr4heg'),
  checkout_session_id: FIELDS.checkout_session_id,
  merchant_id: FIELDS.merchant_id,
  platform_call_id: FIELDS.platform_call_id,
  step: field(
    z.enum(PROGRESS_STEPS).optional(),
    'Only in `call.step`: what the line does or asks for. `language`: the caller has changed it. `charging` is also a payment that is made elsewhere. `link`: the pay link was texted, and the line waits for the payment.',
    'card_number',
  ),
  attempt: field(
    z.int().optional(),
    'Only in `call.step`, from 1: the line asks again, or charges another card. Never how many digits were entered.',
    1,
  ),
  return_route: field(
    z.enum(['refer', 'bridge']).optional(),
    'Only in `call.returned`: by REFER, or over a bridge.',
    'refer',
  ),
  outcome: field(z.enum(OUTCOME_KINDS).optional(), `Only in \`call.ended\`. ${CALL_OUTCOME_TEXT}.`, 'succeeded'),
  reason: field(
    z.enum(OUTCOME_REASONS).nullable().optional(),
    'Only in `call.ended`: why the call failed or returned to the agent. Otherwise null.',
    null,
  ),
  charge_id: FIELDS.charge_id
    .nullable()
    .optional()
    .describe('Only in `call.ended`: the charge that `outcome` refers to, or null.'),
});

export const CallEventResource = z
  .object({
    id: FIELDS.event_id,
    type: field(z.enum(CALL_EVENT_TYPES), 'What happened.', 'call.step'),
    created_at: FIELDS.created_at.describe('When it happened: ISO 8601, in UTC.'),
    sequence: field(
      z.int(),
      'Counts the events of the call, from 1. If its process is lost, another one sends the last events, from 1001.',
      3,
    ),
    mode: FIELDS.environment,
    data: field(
      z.object({ call: field(CallProgressResource, 'The call, and what happened on it.') }),
      'What the event is about.',
    ),
  })
  .meta({ id: 'CallEvent', description: 'One step of a call on the payment line, sent once and stored nowhere.' });
export type CallEventResource = z.infer<typeof CallEventResource>;

export function callEventResource(event: CallEvent): CallEventResource {
  const { step, returnRoute, outcome } = event;
  return {
    id: event.id,
    type: event.type,
    created_at: event.at,
    sequence: event.sequence,
    mode: event.mode,
    data: {
      call: {
        call_id: event.callId,
        checkout_session_id: event.sessionId,
        merchant_id: event.merchantId,
        platform_call_id: event.platformCallId,
        ...(step !== null && { step: step.name, attempt: step.attempt }),
        ...(returnRoute !== null && { return_route: returnRoute }),
        ...(outcome !== null && { outcome: outcome.kind, reason: outcome.reason, charge_id: outcome.chargeId }),
      },
    },
  };
}
