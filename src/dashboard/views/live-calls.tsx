/** The calls on the line: each with what it is at, its merchant, and how long it has been there. */
import type { CallResource } from '../../contract/calls.ts';
import type { CallStage } from '../../domain/call-stage.ts';
import type { LiveCalls } from '../now/live-calls.ts';
import type { Visit } from '../visit.ts';
import { BeingEnded, EndCallLink, endsCalls, isBeingEnded } from './end-call.tsx';
import { durationText } from './links.tsx';
import { Badge, EmptyState, type Tone } from './parts.tsx';
import { type Column, Table } from './table.tsx';

/** What the caller does. Never what was entered, nor how much of it. */
const STEPS: Readonly<Record<CallStage, readonly [words: string, tone: Tone]>> = {
  greeting: ['Hearing the greeting', 'calm'],
  card_number: ['Entering the card number', 'calm'],
  expiry: ['Entering the expiry date', 'calm'],
  security_code: ['Entering the security code', 'calm'],
  postal_code: ['Entering the postal code', 'calm'],
  keep_card: ['Asked whether to keep the card', 'calm'],
  confirmation: ['Asked to confirm', 'calm'],
  paying: ['Card is being charged', 'wait'],
  by_link: ['Has the link, may pay by it', 'wait'],
  waiting: ['Waiting for a payment elsewhere', 'wait'],
  leaving: ['Hearing the outcome', 'plain'],
  returning: ['Going back to the agent', 'plain'],
  ended: ['Leaving the line', 'plain'],
};

function Step({ call: { stage, return_route, merchant_id } }: { call: CallResource }) {
  if (merchant_id === null) return <Badge status="Choosing what to pay" tone="calm" />;
  if (return_route === 'bridge') return <Badge status="With the agent, over a bridge" tone="plain" />;
  const [words, tone] = stage === null ? (['On the line', 'calm'] as const) : STEPS[stage];
  return <Badge status={words} tone={tone} />;
}

/** @param now of the server: the page's script counts on from it, whatever the browser's clock says */
export function LiveCallsPart({ visit, live, now }: { visit: Visit; live: LiveCalls; now: Date }) {
  const { calls, hasMore, merchantNames } = live;
  const clock = now.toISOString();
  return (
    <div data-live-calls={hasMore ? `${calls.length} or more` : String(calls.length)} data-now={clock}>
      {calls.length === 0 ? (
        <NobodyOnTheLine visit={visit} />
      ) : (
        <Table
          label="Calls on the line, newest first"
          rows={calls}
          rowId={({ call_id }) => call_id}
          href={({ call_id }) => `${visit.base}/calls/${call_id}`}
          columns={[
            { head: 'Caller', cell: ({ caller_phone }) => <span>{caller_phone ?? 'Number withheld'}</span> },
            {
              head: 'Step',
              cell: (call) => (
                <>
                  <Step call={call} /> {isBeingEnded(call) && <BeingEnded />}
                </>
              ),
            },
            {
              head: 'Merchant',
              cell: ({ merchant_id }) =>
                merchant_id === null ? null : <span>{merchantNames[merchant_id] ?? merchant_id}</span>,
            },
            { head: 'Order', cell: ({ order_id }) => order_id && <span class="quiet">{order_id}</span> },
            {
              ...{ head: 'On the line for', kind: 'time' },
              cell: ({ created_at }) => (
                <span class="number" data-since={created_at}>
                  {durationText(created_at, clock)}
                </span>
              ),
            },
            ...(endsCalls(visit) ? [endColumn(visit)] : []),
          ]}
        />
      )}
      {hasMore && <p class="quiet small">The newest {calls.length} are shown. There are more on the line.</p>}
    </div>
  );
}

const endColumn = (visit: Visit): Column<CallResource> => ({
  ...{ head: 'End', kind: 'action' },
  cell: (call) => <EndCallLink visit={visit} call={call} from="now" />,
});

function NobodyOnTheLine({ visit: { base, mode, knownPaths } }: { visit: Visit }) {
  const canTry = mode === 'test' && knownPaths.has('/try');
  return (
    <EmptyState
      icon="now"
      title="Nobody is on the line"
      text="A call stands here from the moment it comes in until it is over, with each step as it happens."
      action={
        canTry ? (
          <a class="button" href={`${base}/try`}>
            Place a test call
          </a>
        ) : (
          <a class="button" href={`${base}/calls`}>
            Past calls
          </a>
        )
      }
    />
  );
}
