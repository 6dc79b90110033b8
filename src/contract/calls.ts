/** Phone calls as REST and the command line show them. */
import { z } from 'zod';
import { CALL_KEY_KINDS, CALL_STAGES, type CallWithTimeline, type ListedCall } from '../domain/call.ts';
import { CHARGE_STATUSES } from '../domain/charge.ts';
import { OUTCOME_KINDS, OUTCOME_REASONS } from '../domain/outcome.ts';
import { FIELDS, field } from './fields.ts';

export const CALL_STATUSES = ['live', 'ended'] as const;

/** Also a filter. */
export const CALL_OUTCOME_TEXT =
  'How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller asked to stop or hung up, or `end_call` ended the call), `expired`, `agent` (returned to the agent without paying)';

export const CallResource = z
  .object({
    call_id: field(z.string(), 'The call on the payment line, `call_…`.', 'call_u3m8t5qzj7vdw2nkx9cbyr4heg'),
    status: field(z.enum(CALL_STATUSES), '`live`: on the line now. `ended`: the call is over.', 'ended'),
    outcome: field(z.enum(OUTCOME_KINDS).nullable(), `${CALL_OUTCOME_TEXT}. Null while the call is live.`, 'succeeded'),
    reason: field(
      z.enum(OUTCOME_REASONS).nullable(),
      'Why the call failed or returned to the agent, as in `X-Ringkey-Reason`. Otherwise null.',
      null,
    ),
    stage: field(
      z.enum(CALL_STAGES).nullable(),
      'The current step of a live call, at most a moment old: what the line is asking for, never what the caller entered. `ended` when the call is over. Null for calls recorded by earlier versions.',
      'ended',
    ),
    checkout_session_id: FIELDS.checkout_session_id
      .nullable()
      .describe(
        'The checkout session, `cs_…`. Null if several merchants matched the call and the caller has not chosen one.',
      ),
    merchant_id: FIELDS.merchant_id.nullable().describe('The merchant, `mer_…`. Null if the call has no session.'),
    business_name: field(
      z.string().nullable(),
      "The merchant's own name. Null if the call has no session or the merchant was deleted.",
      'Demo Diner',
    ),
    amount_cents: FIELDS.amount_cents
      .nullable()
      .describe("The session's amount, in minor units. Null if the call has no session."),
    currency: FIELDS.currency.nullable().describe("The session's currency. Null if the call has no session."),
    order_id: FIELDS.order_id,
    platform_call_id: FIELDS.platform_call_id,
    caller_phone: field(
      z.string().nullable(),
      "The session's phone number, E.164. Null if the session has none, if it was cleared later, or if the call has no session.",
      '+15550101234',
    ),
    charge_id: FIELDS.charge_id.nullable().describe('The charge that `outcome` refers to. Null if there is none.'),
    charge_status: field(
      z.enum(CHARGE_STATUSES).nullable(),
      'The current status of that charge. `outcome` keeps its value from the end of the call: a charge that was `pending` then may be settled now. Null if there is no charge.',
      'succeeded',
    ),
    charge_amount_cents: field(
      z.int().nullable(),
      'The amount of that charge, in minor units of `currency`: it differs from `amount_cents` if the caller paid a part or added a tip. Null if there is no charge.',
      4250,
    ),
    sip_call_id: field(
      z.string(),
      'The SIP Call-ID of the inbound leg. Use it to find the call in your carrier’s trace.',
      'b3f1c7e2-9d40-4a55@trunk.example.com',
    ),
    return_sip_call_id: field(
      z.string().nullable(),
      'The SIP Call-ID of the leg to the agent, if the line called the agent and bridged the call. Otherwise null.',
      null,
    ),
    return_route: field(
      z.enum(['refer', 'bridge']).nullable(),
      'How the caller was returned to the agent: by REFER or over a bridge. Null if the call ended on the payment line or has not been returned yet.',
      'refer',
    ),
    key_kind: field(
      z.enum(CALL_KEY_KINDS).nullable(),
      "How the caller's keys were received: `telephone-event` (RFC 4733), `info` (SIP INFO), `inband` (audio tones). Null if no keys were received, while the call is live, and for calls recorded by earlier versions.",
      'telephone-event',
    ),
    codec: field(
      z.string().nullable(),
      "The codec of the caller's audio, as the media server names it. Null while the call is live, or if the media server did not report it.",
      'PCMU',
    ),
    packets_received: field(
      z.int().nullable(),
      'RTP audio packets received from the caller. Null while the call is live, or if the media server did not report it.',
      2140,
    ),
    packets_lost: field(
      z.int().nullable(),
      'RTP packets from the caller that are missing from the sequence, as counted by the media server. FreeSWITCH counts too many when gaps follow each other. Null while the call is live, or if the media server did not report it.',
      3,
    ),
    jitter_ms: field(
      z.number().nullable(),
      "Jitter of the caller's RTP packets, in milliseconds: the highest standard deviation of the time between packets, as measured by the media server. Phones that send nothing during silence show a high value. Null while the call is live, or if the media server did not report it.",
      1.8,
    ),
    environment: FIELDS.environment,
    created_at: field(z.iso.datetime(), 'When the call was received: ISO 8601, in UTC.', '2026-11-20T12:00:05.000Z'),
    answered_at: field(
      z.iso.datetime().nullable(),
      'When the call was answered. Null if it was not.',
      '2026-11-20T12:00:05.090Z',
    ),
    end_requested_at: field(
      z.iso.datetime().nullable(),
      'When `end_call` was first requested. While `status` is `live`, the call is still ending. Null if it was not requested.',
      null,
    ),
    ended_at: field(
      z.iso.datetime().nullable(),
      'When the call ended. Null while it is live.',
      '2026-11-20T12:00:52.400Z',
    ),
  })
  .meta({ id: 'Call', description: 'A call on the payment line.' });
export type CallResource = z.infer<typeof CallResource>;

const CallSentence = z
  .object({
    text: field(
      z.string(),
      "The words. Digits of cards and phone numbers, and the payer's name, are replaced by `…`. Your own messages are replaced by the name of their field in brackets, such as `[success_message]`.",
      'Please enter your card number.',
    ),
    language: field(z.string(), 'The BCP 47 language of the words.', 'en-US'),
    until_ms: field(
      z.int().nullable(),
      'When the sentence ended or the caller interrupted it, in milliseconds since the INVITE. Null if the call ended before that, or while it is said.',
      4_120,
    ),
  })
  .meta({ id: 'CallSentence', description: 'What the line said.' });

const CallStep = z
  .object({
    step: field(
      z.string(),
      'What happened, for people to read. The wording may change between versions. Never contains a digit that the caller entered.',
      'answered',
    ),
    at_ms: field(z.int(), 'Milliseconds since the INVITE.', 90),
    at: field(z.iso.datetime(), 'The same as a time, based on `created_at`.', '2026-11-20T12:00:05.090Z'),
    said: CallSentence.nullable().describe(
      'The words, if the step is a sentence of the line. Null for other steps, and for calls recorded by earlier versions.',
    ),
    answer_ms: field(
      z.int().nullable(),
      'Only for a question that takes several keys: when the caller pressed the first one, in milliseconds since the INVITE. Otherwise null.',
      null,
    ),
    wrong_digits: field(
      z.int().nullable(),
      'Only for a question that is asked again because the card number was incomplete: how many digits were entered. Otherwise null.',
      null,
    ),
  })
  .meta({ id: 'CallStep', description: 'One step of a call.' });

export const CallWithTimelineResource = CallResource.extend({
  timeline: field(
    z.array(CallStep),
    'The steps of the call in order, at most 300. A live call shows the steps recorded so far, at its milestones.',
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
    business_name: call.businessName,
    amount_cents: call.amountCents,
    currency: call.currency,
    order_id: call.orderId,
    platform_call_id: call.platformCallId,
    caller_phone: call.callerPhone,
    charge_id: call.chargeId,
    charge_status: call.chargeStatus,
    charge_amount_cents: call.chargeAmountCents,
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
  const timeline = call.timeline.map(({ step, at_ms, said = null, answer_ms = null, wrong_digits = null }) => ({
    step,
    at_ms,
    at: new Date(startedMs + at_ms).toISOString(),
    said,
    answer_ms,
    wrong_digits,
  }));
  return { ...callResource(call), timeline };
}
