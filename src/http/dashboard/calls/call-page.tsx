/** The page of one call, which reads like a story: what happened, where the time went, what the caller heard. */
import type { FastifyReply } from 'fastify';
import type { CallResource, CallWithTimelineResource } from '../../../contract/calls.ts';
import type { CheckoutSessionResource } from '../../../contract/session-resource.ts';
import { activityEntries, type CheckoutActivity, readActivity, settledLater } from '../checkouts/activity.tsx';
import { NextActions, NextBlock } from '../checkouts/next-steps.tsx';
import { byTime, orderOfStep } from '../checkouts/timeline-order.ts';
import { renderPart } from '../page/layout.tsx';
import { CallerLink, durationText, ObjectLink } from '../page/links.tsx';
import type { View } from '../page/page-routes.ts';
import {
  Block,
  CopyText,
  Facts,
  Fold,
  Notice,
  ObjectPage,
  Time,
  Timeline,
  type TimelineEntry,
} from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { pageWords } from '../page/words/index.ts';
import { decimalText, numberText } from '../words/formats.ts';
import { names } from '../words/names/index.ts';
import { EndCallLink, isBeingEnded } from './end-call.tsx';
import { CallAmount, CallBadge, callerText } from './parts.tsx';
import { stepWords } from './step-words.ts';
import { HeardBlock, StepTable, StoryBlock, TimeBlock } from './story-block.tsx';
import { callWords } from './words/index.ts';

type Call = CallWithTimelineResource;

/** A live call's page polls for updates. Polling does not count as user activity. */
const FRESH = { 'hx-trigger': 'every 2s', 'hx-select': '#call', 'hx-swap': 'outerHTML show:none' } as const;

export async function showCall(visit: Visit<'id'>): Promise<View> {
  const { call, part } = await readCallPart(visit);
  return { title: callWords().titleOf(callerText(call)), section: 'calls', body: part };
}

/** Sends the current state of the page's live part. */
export async function sendCallPart(visit: Visit<'id'>, reply: FastifyReply): Promise<FastifyReply> {
  const { part } = await readCallPart(visit);
  return reply.type('text/html; charset=utf-8').send(renderPart(part));
}

async function readCallPart(visit: Visit<'id'>) {
  const id = idInPath(visit);
  const call = await visit.ask<Call>({ path: `/v1/calls/${id}` });
  const [activity, checkout] = await Promise.all([
    readActivity(visit, call.checkout_session_id),
    readCheckout(visit, call.checkout_session_id),
  ]);
  const w = callWords();
  const next = { visit, page: 'call' as const, call, checkout, charges: activity.charges };
  const part = (
    <div id="call" {...(call.status === 'live' && { 'hx-get': `${visit.base}/calls/${id}/now`, ...FRESH })}>
      <ObjectPage
        kind={w.kind}
        id={call.call_id}
        heading={
          <>
            {call.amount_cents === null ? <span>{w.noPaymentChosen}</span> : <CallAmount call={call} />}{' '}
            <CallBadge call={call} />
          </>
        }
        lead={<Lead visit={visit} call={call} />}
        notice={isBeingEnded(call) ? <BeingEndedNotice /> : <SettledLaterNotice call={call} />}
        actions={
          <>
            <EndCallLink visit={visit} call={call} />
            <NextActions {...next} />
          </>
        }
        side={
          <>
            <NextBlock {...next} />
            <CallFacts visit={visit} call={call} />
          </>
        }
      >
        <StoryBlock call={call} />
        <TimeBlock call={call} />
        <HeardBlock call={call} />
        <Technical visit={visit} call={call} activity={activity} />
      </ObjectPage>
    </div>
  );
  return { call, part };
}

/** Null without a checkout, and if it cannot be read. */
async function readCheckout(visit: Visit, id: string | null): Promise<CheckoutSessionResource | null> {
  if (id === null) return null;
  const path = `/v1/checkout_sessions/${encodeURIComponent(id)}`;
  const answer = await visit.tryAsk<CheckoutSessionResource>({ path });
  return answer.ok ? answer.body : null;
}

/** "+1 555 010 1234 to Demo Diner, order A-1001". */
function Lead({ visit, call }: { visit: Visit; call: Call }) {
  const { caller_phone: phone, business_name: merchant, order_id: order, created_at: at, ended_at: end } = call;
  const { lead, numberWithheld } = callWords();
  const caller = phone === null ? numberWithheld : <CallerLink visit={visit} phone={phone} />;
  return (
    <>
      {merchant === null ? caller : lead.to(caller, <bdi>{merchant}</bdi>)}
      {order !== null && <>, {lead.order(<bdi>{order}</bdi>)}</>}, <Time at={at} full />
      {end !== null && `, ${durationText(at, end)}`}
    </>
  );
}

/** A call keeps the outcome it had when it ended, even if the charge settles later. */
function SettledLaterNotice({ call }: { call: CallResource }) {
  const later = settledLater(call);
  if (later === null) return null;
  return (
    <Notice tone={later.tone} title={later.title}>
      {call.outcome !== null && callWords().outcomeThen(names().callOutcome[call.outcome])}
    </Notice>
  );
}

function BeingEndedNotice() {
  const w = callWords().end;
  return (
    <Notice tone="wait" title={w.endingTitle}>
      {w.endingNotice}
    </Notice>
  );
}

/** All steps with the activity of the checkout, the steps as recorded with their SIP messages, and the IDs. */
function Technical({ visit, call, activity }: { visit: Visit; call: Call; activity: CheckoutActivity }) {
  const w = callWords();
  return (
    <>
      <Block title={w.activity}>
        <Fold id="activity" summary={w.allByTime}>
          <Timeline label={w.activity} entries={callActivity(visit, call, activity)} />
        </Fold>
      </Block>
      <Block title={w.technical}>
        <Fold id="technical" summary={w.technicalAbout}>
          <TechnicalFacts call={call} />
          <StepTable call={call} />
        </Fold>
      </Block>
    </>
  );
}

/** The steps of the call, and the other activity of its checkout during and after the call. */
function callActivity(visit: Visit, call: Call, activity: CheckoutActivity): TimelineEntry[] {
  const others = activity.calls.filter(({ call_id }) => call_id !== call.call_id);
  const steps = call.timeline.flatMap(({ at, at_ms, step }) => {
    const words = stepWords(step);
    const more = <span class="number">{callWords().intoTheCall(decimalText(at_ms / 1_000, 2))}</span>;
    if (words === null) return [];
    const { kind, what, tone = 'plain' } = words;
    return [{ at, kind, what, tone, ...orderOfStep(step), more }];
  });
  return byTime([...steps, ...activityEntries(visit, { ...activity, calls: others })]);
}

function CallFacts({ visit, call }: { visit: Visit; call: CallResource }) {
  const w = callWords().facts;
  return (
    <Facts
      facts={[
        [w.checkout, <ObjectLink visit={visit} to="checkout" id={call.checkout_session_id} />],
        [w.charge, call.charge_id && <ObjectLink visit={visit} to="charge" id={call.charge_id} />],
        [
          w.merchant,
          call.merchant_id && (
            <ObjectLink visit={visit} to="merchant" id={call.merchant_id} name={call.business_name} />
          ),
        ],
        [w.reason, call.reason && names().callReason[call.reason]],
        call.end_requested_at === null ? null : [w.endRequested, <Time at={call.end_requested_at} full />],
        [w.return, call.return_route && (call.return_route === 'refer' ? <bdi>REFER</bdi> : w.bridge)],
      ]}
    />
  );
}

function TechnicalFacts({ call }: { call: CallResource }) {
  const { packets_received: received, packets_lost: lost } = call;
  const w = callWords().facts;
  return (
    <Facts
      facts={[
        [w.sipCallId, <CopyText text={call.sip_call_id} label={pageWords().copySipCallId} />],
        call.return_sip_call_id === null
          ? null
          : [w.agentSipCallId, <CopyText text={call.return_sip_call_id} label={w.copyAgentSipCallId} />],
        [
          w.platformCallId,
          call.platform_call_id && <CopyText text={call.platform_call_id} label={pageWords().copyPlatformCallId} />,
        ],
        [w.keySignaling, call.key_kind && <bdi>{call.key_kind}</bdi>],
        [w.codec, call.codec && <bdi>{call.codec}</bdi>],
        received === null ? null : [w.packets, w.receivedLost(numberText(received), numberText(lost ?? 0))],
        call.jitter_ms === null ? null : [w.jitter, `${numberText(call.jitter_ms)} ms`],
      ]}
    />
  );
}
