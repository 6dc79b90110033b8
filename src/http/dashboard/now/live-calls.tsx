/** Live calls: each with its step, merchant and duration. */
import type { CallResource } from '../../../contract/calls.ts';
import type { CallStage } from '../../../domain/call.ts';
import { BeingEnded, EndCallLink, endsCalls, isBeingEnded } from '../calls/end-call.tsx';
import { CallerLink, durationText } from '../page/links.tsx';
import { Badge, EmptyState, Money, type Tone } from '../page/parts.tsx';
import { type Column, Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import type { LiveCalls } from './stream.ts';

/** What the caller is doing. Never what was entered, or how much of it. */
const STEPS: Readonly<Record<CallStage, readonly [words: string, tone: Tone]>> = {
  greeting: ['Hearing the greeting', 'calm'],
  card_number: ['Entering the card number', 'calm'],
  expiry: ['Entering the expiry date', 'calm'],
  security_code: ['Entering the security code', 'calm'],
  bank_account: ['Entering a bank account', 'calm'],
  postal_code: ['Entering the postal code', 'calm'],
  keep_card: ['Asked whether to keep the card', 'calm'],
  confirmation: ['Asked to confirm', 'calm'],
  paying: ['Card is being charged', 'wait'],
  by_link: ['Can pay by link', 'wait'],
  waiting: ['Waiting for a payment elsewhere', 'wait'],
  leaving: ['Hearing the outcome', 'plain'],
  returning: ['Returning to the agent', 'plain'],
  ended: ['Ending', 'plain'],
};

export function LiveStep({ call: { stage, return_route, merchant_id } }: { call: CallResource }) {
  if (merchant_id === null) return <Badge status="Choosing what to pay" tone="calm" />;
  if (return_route === 'bridge') return <Badge status="With the agent, by bridge" tone="plain" />;
  const [words, tone] = stage === null ? (['On the line', 'calm'] as const) : STEPS[stage];
  return <Badge status={words} tone={tone} />;
}

/** @param now of the server. The page's script counts from it, because the browser's clock may be wrong */
export function LiveCallsPart({ visit, live, now }: { visit: Visit; live: LiveCalls; now: Date }) {
  const { calls, hasMore } = live;
  const clock = now.toISOString();
  return (
    <div data-live-calls={hasMore ? `${calls.length} or more` : String(calls.length)} data-now={clock}>
      {calls.length === 0 ? (
        <NoLiveCalls visit={visit} />
      ) : (
        <Table
          label="Live calls, newest first"
          rows={calls}
          rowId={({ call_id }) => call_id}
          href={({ call_id }) => `${visit.base}/calls/${call_id}`}
          columns={[
            { head: 'Caller', cell: ({ caller_phone }) => <span>{caller_phone ?? 'Number withheld'}</span> },
            {
              head: 'Step',
              cell: (call) => (
                <>
                  <LiveStep call={call} /> {isBeingEnded(call) && <BeingEnded />}
                </>
              ),
            },
            {
              head: 'Amount',
              kind: 'money',
              cell: ({ amount_cents: cents, currency }) =>
                cents === null || currency === null ? null : <Money cents={cents} currency={currency} />,
            },
            { head: 'Merchant', cell: ({ business_name }) => business_name && <span>{business_name}</span> },
            { head: 'Order', cell: ({ order_id }) => order_id && <span class="quiet">{order_id}</span> },
            {
              head: 'Duration',
              kind: 'time',
              cell: ({ created_at }) => (
                <span class="number" data-since={created_at}>
                  {durationText(created_at, clock)}
                </span>
              ),
            },
            {
              head: 'History',
              kind: 'action',
              cell: ({ caller_phone }) => <CallerLink visit={visit} phone={caller_phone} text="History" />,
            },
            ...(endsCalls(visit) ? [endColumn(visit)] : []),
          ]}
        />
      )}
      {hasMore && <p class="quiet small">Only the newest {calls.length} live calls are shown.</p>}
    </div>
  );
}

const endColumn = (visit: Visit): Column<CallResource> => ({
  head: 'End',
  kind: 'action',
  cell: (call) => <EndCallLink visit={visit} call={call} from="now" />,
});

function NoLiveCalls({ visit: { base, mode, knownPaths } }: { visit: Visit }) {
  const canTry = mode === 'test' && knownPaths.has('/try');
  return (
    <EmptyState
      icon="now"
      title="No live calls"
      text="Each call appears here while it is live, with every step as it happens."
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
