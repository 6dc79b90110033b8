/** Phone calls as REST and the command line show them. */
import { z } from 'zod';
import { CALL_STAGES } from '../domain/call-stage.ts';
import { CALL_KEY_KINDS, type CallWithTimeline, type ListedCall } from '../domain/listed-call.ts';
import { OUTCOME_KINDS, OUTCOME_REASONS } from '../domain/outcome.ts';
import { FIELDS, field } from './fields.ts';

export const CALL_STATUSES = ['live', 'ended'] as const;

/** Also a filter. */
export const CALL_OUTCOME_TEXT =
  'How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller wanted to go, hung up, or `end_call` ended it), `expired`, `agent` (back with the agent, unpaid)';

export const CallResource = z
  .object({
    call_id: field(z.string(), 'The call on the payment line, `call_…`.', 'call_u3m8t5qzj7vdw2nkx9cbyr4heg'),
    status: field(z.enum(CALL_STATUSES), '`live`: on the line now. `ended`: over.', 'ended'),
    outcome: field(z.enum(OUTCOME_KINDS).nullable(), `${CALL_OUTCOME_TEXT}. Null while it goes on.`, 'succeeded'),
    reason: field(
      z.enum(OUTCOME_REASONS).nullable(),
      'Why it failed, or went back to the agent, as in `X-Ringkey-Reason`; else null.',
      null,
    ),
    stage: field(
      z.enum(CALL_STAGES).nullable(),
      'How far a live call has come, a moment ago at most: what the line asks for, never what was entered. `ended` once it is over. Null in calls of earlier versions.',
      'ended',
    ),
    checkout_session_id: FIELDS.checkout_session_id
      .nullable()
      .describe(
        'The checkout session, `cs_…`. Null where the caller, asked which of several merchants the call is for, has not said, or never did.',
      ),
    merchant_id: FIELDS.merchant_id.nullable().describe('The merchant, `mer_…`. Null where there is no session.'),
    order_id: FIELDS.order_id,
    platform_call_id: FIELDS.platform_call_id,
    caller_phone: field(
      z.string().nullable(),
      "The session's number, E.164; null where it has none, or was cleared since, and where there is no session.",
      '+15550101234',
    ),
    charge_id: FIELDS.charge_id.nullable().describe('The charge that the outcome is about. Null where there is none.'),
    sip_call_id: field(
      z.string(),
      'The SIP Call-ID of the leg that came in: how to find the call in your carrier’s trace.',
      'b3f1c7e2-9d40-4a55@trunk.example.com',
    ),
    return_sip_call_id: field(
      z.string().nullable(),
      'The SIP Call-ID of the leg to the agent, where the line called the agent and bridged. Null where it did not.',
      null,
    ),
    return_route: field(
      z.enum(['refer', 'bridge']).nullable(),
      'How the caller went back to the agent: by REFER, or over a bridge. Null: the call ended on the payment line, or has not gone back yet.',
      'refer',
    ),
    key_kind: field(
      z.enum(CALL_KEY_KINDS).nullable(),
      "How the caller's keys came: `telephone-event` (RFC 4733), `info` (SIP INFO), `inband` (tones in the sound). Null where none came, while the call goes on, and in calls of earlier versions.",
      'telephone-event',
    ),
    codec: field(
      z.string().nullable(),
      'The codec of the sound from the caller, as the media server names it. Null while the call goes on, and where it did not say.',
      'PCMU',
    ),
    packets_received: field(
      z.int().nullable(),
      'RTP packets of sound that came from the caller. Null while the call goes on, and where the media server did not say.',
      2140,
    ),
    packets_lost: field(
      z.int().nullable(),
      'RTP packets from the caller that are missing in their sequence, as the media server counts them: FreeSWITCH adds some where gaps follow each other. Null likewise.',
      3,
    ),
    jitter_ms: field(
      z.number().nullable(),
      "How unevenly the caller's RTP packets came, in milliseconds: the greatest standard deviation of the time between them, as the media server measures it. A phone that sends nothing while its caller is silent seems uneven. Null likewise.",
      1.8,
    ),
    environment: FIELDS.environment,
    created_at: field(z.iso.datetime(), 'When the call came in: ISO 8601, in UTC.', '2026-11-20T12:00:05.000Z'),
    answered_at: field(
      z.iso.datetime().nullable(),
      'When it was answered. Null: it was not.',
      '2026-11-20T12:00:05.090Z',
    ),
    end_requested_at: field(
      z.iso.datetime().nullable(),
      'When `end_call` was asked for, the first time. While `status` is `live` the call is being ended. Null: nobody has.',
      null,
    ),
    ended_at: field(z.iso.datetime().nullable(), 'When it ended. Null while it goes on.', '2026-11-20T12:00:52.400Z'),
  })
  .meta({ id: 'Call', description: 'A call on the payment line.' });
export type CallResource = z.infer<typeof CallResource>;

export const CallStep = z
  .object({
    step: field(
      z.string(),
      'What happened, in words for people: they may change between versions. Never a digit that was entered.',
      'answered',
    ),
    at_ms: field(z.int(), 'When, in milliseconds since the INVITE.', 90),
    at: field(z.iso.datetime(), 'The same as a time, by `created_at`.', '2026-11-20T12:00:05.090Z'),
  })
  .meta({ id: 'CallStep', description: 'A step of a call.' });

export const CallWithTimelineResource = CallResource.extend({
  timeline: field(
    z.array(CallStep),
    'The steps of the call in their order, 300 at most. Of a live call those that are written yet: at its milestones.',
  ),
}).meta({ id: 'CallWithTimeline', description: 'A call on the payment line, step by step.' });
export type CallWithTimelineResource = z.infer<typeof CallWithTimelineResource>;

export function callResource(call: ListedCall): CallResource {
  return {
    call_id: call.id,
    status: call.endedAt === null ? 'live' : 'ended',
    outcome: call.endedAt === null ? null : call.outcome,
    reason: call.endedAt === null ? null : call.reason,
    stage: call.stage,
    checkout_session_id: call.sessionId,
    merchant_id: call.merchantId,
    order_id: call.orderId,
    platform_call_id: call.platformCallId,
    caller_phone: call.callerPhone,
    charge_id: call.chargeId,
    sip_call_id: call.sipCallId,
    return_sip_call_id: call.returnSipCallId,
    return_route: call.returnMode,
    key_kind: call.keyKind,
    codec: call.codec,
    packets_received: call.packetsReceived,
    packets_lost: call.packetsLost,
    jitter_ms: call.jitterMs,
    environment: call.mode,
    created_at: call.startedAt.toISOString(),
    answered_at: call.answeredAt?.toISOString() ?? null,
    end_requested_at: call.endRequestedAt?.toISOString() ?? null,
    ended_at: call.endedAt?.toISOString() ?? null,
  };
}

export function callWithTimelineResource(call: CallWithTimeline): CallWithTimelineResource {
  const startedMs = call.startedAt.getTime();
  const timeline = call.timeline.map(({ step, at_ms }) => ({
    ...{ step, at_ms },
    at: new Date(startedMs + at_ms).toISOString(),
  }));
  return { ...callResource(call), timeline };
}
