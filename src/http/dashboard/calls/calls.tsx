/** Calls: the list, and the page of one call with its timeline. */
import type { FastifyReply } from 'fastify';
import type { CallResource, CallWithTimelineResource } from '../../../contract/calls.ts';
import { OUTCOME_KINDS } from '../../../domain/outcome.ts';
import { activityEntries, type CheckoutActivity, readActivity, settledLater } from '../checkouts/activity.tsx';
import { byTime, orderOfStep } from '../checkouts/timeline-order.ts';
import { type Filter, orderFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { renderPart } from '../page/layout.tsx';
import { CallerLink, durationText, ObjectLink } from '../page/links.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import {
  Badge,
  Block,
  CopyText,
  Facts,
  Money,
  Notice,
  ObjectPage,
  Time,
  Timeline,
  type TimelineEntry,
  words,
} from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { EndCallLink, isBeingEnded } from './end-call.tsx';
import { stepWords } from './step-words.ts';

export const callPages: AddPages = (routes) => {
  callList(routes);
  routes.page('/calls/:id', showCall);
  routes.news('/calls/:id/now', sendCallPart);
};

const OUTCOME: Filter = {
  kind: 'choice',
  name: 'outcome',
  label: 'Outcome',
  choices: OUTCOME_KINDS.map((kind) => [kind, words(kind)] as const),
};

const CSV: readonly (keyof CallResource)[] = [
  'call_id',
  'created_at',
  'answered_at',
  'ended_at',
  'outcome',
  'reason',
  'caller_phone',
  'order_id',
  'amount_cents',
  'currency',
  'merchant_id',
  'business_name',
  'checkout_session_id',
  'charge_id',
  'charge_status',
  'platform_call_id',
  'sip_call_id',
  'key_kind',
  'codec',
  'packets_received',
  'packets_lost',
  'jitter_ms',
];

const callList = listPage<CallResource>({
  at: { section: 'calls' },
  title: 'Calls',
  label: 'Calls, newest first',
  source: { path: '/v1/calls', field: 'calls', idOf: ({ call_id }) => call_id },
  filters: orderFilters(OUTCOME),
  csv: CSV,
  href: ({ call_id }) => `/calls/${call_id}`,
  columns: (visit) => [
    { head: 'Caller', cell: (call) => <span>{callerText(call)}</span> },
    { head: 'Outcome', cell: (call) => <CallBadge call={call} /> },
    { head: 'Amount', kind: 'money', cell: (call) => <CallAmount call={call} /> },
    { head: 'Merchant', cell: ({ business_name }) => business_name && <span>{business_name}</span> },
    { head: 'Reason', cell: ({ reason }) => (reason === null ? null : <span>{words(reason)}</span>) },
    { head: 'Order', cell: ({ order_id }) => (order_id === null ? null : <span class="quiet">{order_id}</span>) },
    {
      head: 'Duration',
      kind: 'number',
      cell: ({ created_at, ended_at }) =>
        ended_at === null ? null : <span class="number quiet">{durationText(created_at, ended_at)}</span>,
    },
    { head: 'Started', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      head: 'History',
      kind: 'action',
      cell: ({ caller_phone }) => <CallerLink visit={visit} phone={caller_phone} text="History" />,
    },
  ],
  empty: ({ mode }) => ({
    icon: 'phone',
    title: 'No calls yet',
    text:
      mode === 'test'
        ? 'Create a checkout and transfer a call to its address, or run a scripted caller: npm run call.'
        : 'Calls appear here once your voice agent transfers the first one.',
    action: (
      <a class="button" href="/docs/quickstart">
        Quickstart
      </a>
    ),
  }),
});

/** The amount of the call's checkout. */
export function CallAmount({ call: { amount_cents, currency } }: { call: CallResource }) {
  return amount_cents === null || currency === null ? null : <Money cents={amount_cents} currency={currency} />;
}

/** The number comes from the checkout, so a call without a checkout has none. */
function callerText({ caller_phone, checkout_session_id }: CallResource): string {
  return caller_phone ?? (checkout_session_id === null ? 'No payment chosen' : 'Number withheld');
}

export function CallBadge({ call }: { call: CallResource }) {
  const { status, outcome, stage } = call;
  if (status === 'live')
    return <Badge status={stage === null ? 'On the line' : `on the line: ${words(stage)}`} tone="calm" />;
  const later = settledLater(call);
  if (later !== null) return <Badge status={later.badge} tone={later.tone} />;
  if (outcome === 'succeeded' && call.amount_cents === 0) return <Badge status="Card saved" tone="good" />;
  return <Badge status={outcome ?? 'ended'} />;
}

/** A live call's page polls for updates. Polling does not count as user activity. */
const FRESH = { 'hx-trigger': 'every 2s', 'hx-select': '#call', 'hx-swap': 'outerHTML show:none' } as const;

async function showCall(visit: Visit<'id'>): Promise<View> {
  const { call, part } = await readCallPart(visit);
  return { title: `Call: ${callerText(call)}`, section: 'calls', body: part };
}

/** Sends the current state of the page's live part. */
async function sendCallPart(visit: Visit<'id'>, reply: FastifyReply): Promise<FastifyReply> {
  const { part } = await readCallPart(visit);
  return reply.type('text/html; charset=utf-8').send(renderPart(part));
}

async function readCallPart(visit: Visit<'id'>) {
  const id = idInPath(visit);
  const call = await visit.ask<CallWithTimelineResource>({ path: `/v1/calls/${id}` });
  const activity = await readActivity(visit, call.checkout_session_id);
  const part = (
    <div id="call" {...(call.status === 'live' && { 'hx-get': `${visit.base}/calls/${id}/now`, ...FRESH })}>
      <ObjectPage
        kind="Call"
        id={call.call_id}
        heading={
          <>
            <span class="number">{callerText(call)}</span> <CallBadge call={call} />
          </>
        }
        notice={isBeingEnded(call) ? <BeingEndedNotice /> : <SettledLaterNotice call={call} />}
        actions={<EndCallLink visit={visit} call={call} />}
        side={<CallFacts visit={visit} call={call} />}
      >
        <Block title="Activity">
          <Timeline label="Activity" entries={callActivity(visit, call, activity)} />
        </Block>
      </ObjectPage>
    </div>
  );
  return { call, part };
}

/** A call keeps the outcome it had when it ended, even if the charge settles later. */
function SettledLaterNotice({ call }: { call: CallResource }) {
  const later = settledLater(call);
  if (later === null) return null;
  return (
    <Notice tone={later.tone} title={later.title}>
      When the call ended, its outcome was “{words(call.outcome ?? '')}”. The processor confirmed the charge later.
    </Notice>
  );
}

const BeingEndedNotice = () => (
  <Notice tone="wait" title="The call is ending">
    The caller hears that the call has to end. If a card is being charged, the call ends once the caller has heard the
    outcome.
  </Notice>
);

/** The steps of the call, and the other activity of its checkout during and after the call. */
function callActivity(visit: Visit, call: CallWithTimelineResource, activity: CheckoutActivity): TimelineEntry[] {
  const others = activity.calls.filter(({ call_id }) => call_id !== call.call_id);
  const steps = call.timeline.flatMap(({ at, at_ms, step }) => {
    const sentence = stepWords(step);
    const more = <span class="number">{(at_ms / 1_000).toFixed(2)} s into the call</span>;
    return sentence === null ? [] : [{ at, ...sentence, ...orderOfStep(step), more }];
  });
  return byTime([...steps, ...activityEntries(visit, { ...activity, calls: others })]);
}

function CallFacts({ visit, call }: { visit: Visit; call: CallResource }) {
  const { ended_at, created_at, packets_received: received, packets_lost: lost } = call;
  return (
    <Facts
      facts={[
        ['Caller', call.caller_phone && <CallerLink visit={visit} phone={call.caller_phone} />],
        ['Checkout', <ObjectLink visit={visit} to="checkout" id={call.checkout_session_id} />],
        ['Charge', call.charge_id && <ObjectLink visit={visit} to="charge" id={call.charge_id} />],
        ['Amount', call.amount_cents && <CallAmount call={call} />],
        ['Order', call.order_id],
        [
          'Merchant',
          call.merchant_id && (
            <ObjectLink visit={visit} to="merchant" id={call.merchant_id} name={call.business_name} />
          ),
        ],
        ['Reason', call.reason && words(call.reason)],
        ['Started', <Time at={created_at} full />],
        call.end_requested_at === null ? null : ['End requested', <Time at={call.end_requested_at} full />],
        ['Duration', ended_at && durationText(created_at, ended_at)],
        ['SIP Call-ID', <CopyText text={call.sip_call_id} what="the SIP Call-ID" />],
        call.return_sip_call_id === null
          ? null
          : [
              'SIP Call-ID to the agent',
              <CopyText text={call.return_sip_call_id} what="the SIP Call-ID to the agent" />,
            ],
        ['Return to the agent', call.return_route && (call.return_route === 'refer' ? 'REFER' : 'Bridge')],
        [
          'Platform call ID',
          call.platform_call_id && <CopyText text={call.platform_call_id} what="the platform call ID" />,
        ],
        ['Key signaling', call.key_kind],
        ['Codec', call.codec],
        received === null ? null : ['Packets from the caller', `${received}, ${lost ?? 0} lost`],
        call.jitter_ms === null ? null : ['Jitter', `${call.jitter_ms} ms`],
      ]}
    />
  );
}
