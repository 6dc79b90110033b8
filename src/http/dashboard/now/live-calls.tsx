/** Live calls: each with its step, merchant and duration. */
import type { CallResource } from '../../../contract/calls.ts';
import type { CallStage } from '../../../domain/call.ts';
import { BeingEnded, EndCallLink, endsCalls, isBeingEnded } from '../calls/end-call.tsx';
import { CallerLink, durationText } from '../page/links.tsx';
import { Badge, EmptyState, Money, type Tone } from '../page/parts.tsx';
import { type Column, Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import type { LiveCalls } from './stream.ts';
import { nowWords } from './words/index.ts';

const TONES: Readonly<Record<CallStage, Tone>> = {
  greeting: 'calm',
  card_number: 'calm',
  expiry: 'calm',
  security_code: 'calm',
  bank_account: 'calm',
  postal_code: 'calm',
  keep_card: 'calm',
  confirmation: 'calm',
  paying: 'wait',
  by_link: 'wait',
  waiting: 'wait',
  leaving: 'plain',
  returning: 'plain',
  ended: 'plain',
};

export function LiveStep({ call: { stage, return_route, merchant_id } }: { call: CallResource }) {
  const w = nowWords();
  if (merchant_id === null) return <Badge status="choosing" name={w.choosing} tone="calm" />;
  if (return_route === 'bridge') return <Badge status="bridge" name={w.byBridge} tone="plain" />;
  if (stage === null) return <Badge status="live" name={w.onTheLine} tone="calm" />;
  return <Badge status={stage} name={w.steps[stage]} tone={TONES[stage]} />;
}

/** @param now of the server. The page's script counts from it, because the browser's clock may be wrong */
export function LiveCallsPart({ visit, live, now }: { visit: Visit; live: LiveCalls; now: Date }) {
  const { calls, hasMore } = live;
  const clock = now.toISOString();
  const w = nowWords();
  return (
    <div data-live-calls={calls.length} data-now={clock}>
      {calls.length === 0 ? (
        <NoLiveCalls visit={visit} />
      ) : (
        <Table
          label={w.label}
          rows={calls}
          isFixed
          rowId={({ call_id }) => call_id}
          href={({ call_id }) => `${visit.base}/calls/${call_id}`}
          columns={[
            {
              head: w.heads.caller,
              width: 'phone',
              cell: ({ caller_phone }) => <span>{caller_phone ?? w.numberWithheld}</span>,
            },
            {
              head: w.heads.step,
              width: 'step',
              cell: (call) => (
                <>
                  <LiveStep call={call} /> {isBeingEnded(call) && <BeingEnded />}
                </>
              ),
            },
            {
              head: w.heads.amount,
              kind: 'money',
              cell: ({ amount_cents: cents, currency }) =>
                cents === null || currency === null ? null : <Money cents={cents} currency={currency} />,
            },
            {
              head: w.heads.merchant,
              width: 'cut',
              cell: ({ business_name }) => business_name && <span>{business_name}</span>,
            },
            {
              head: w.heads.order,
              kind: 'extra',
              cell: ({ order_id }) => order_id && <bdi class="quiet">{order_id}</bdi>,
            },
            {
              head: w.heads.duration,
              kind: 'time',
              cell: ({ created_at }) => (
                <span class="number" data-since={created_at}>
                  {durationText(created_at, clock)}
                </span>
              ),
            },
            {
              head: w.heads.history,
              kind: 'action',
              cell: ({ caller_phone }) => <CallerLink visit={visit} phone={caller_phone} text={w.heads.history} />,
            },
            ...(endsCalls(visit) ? [endColumn(visit)] : []),
          ]}
        />
      )}
      {hasMore && <p class="quiet small">{w.onlyNewest(calls.length)}</p>}
    </div>
  );
}

const endColumn = (visit: Visit): Column<CallResource> => ({
  head: nowWords().heads.end,
  kind: 'action',
  width: 'short',
  cell: (call) => <EndCallLink visit={visit} call={call} from="now" />,
});

function NoLiveCalls({ visit: { base, mode, knownPaths } }: { visit: Visit }) {
  const w = nowWords().empty;
  const canTry = mode === 'test' && knownPaths.has('/try');
  return (
    <EmptyState
      icon="now"
      title={w.title}
      text={w.text}
      action={
        canTry ? (
          <a class="button" href={`${base}/try`}>
            {w.tryIt}
          </a>
        ) : (
          <a class="button" href={`${base}/calls`}>
            {w.past}
          </a>
        )
      }
    />
  );
}
