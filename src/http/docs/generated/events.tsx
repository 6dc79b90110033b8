/** The generated parts of the page of events: the types, an example of each, a delivery, and the retry schedule. */
import { EVENT_TYPES, type EventType } from '../../../db/events/events.ts';
import { ATTENTION_EVENT_TYPES, type AttentionEventType } from '../../../domain/attention.ts';
import { CALL_EVENT_TYPES, type CallEventType } from '../../../domain/call-progress.ts';
import { RETRY_DELAYS_MS } from '../../../notifications/webhooks/retry-schedule.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { attentionEventExample, callEventExample, deliveryHeaders, eventExample } from '../examples.ts';
import { Table } from '../markdown.tsx';

/** When each kind is sent. Markdown. */
export const WHEN_SENT: Record<EventType, string> = {
  'checkout.succeeded':
    'A charge succeeded: the payment was taken. One for each such charge. It can follow `checkout.failed` and `checkout.completed`, if the processor is found to have taken a charge that was reported as failed. Then `data.charge.was_late` is true. If `data.charge.duplicate_of` is set, another charge of the session or order may be paid too: refund one of them.',
  'checkout.failed':
    'A charge failed: it was declined. One for each such charge; the caller may try again. If the payment is later found to be taken, `checkout.succeeded` follows.',
  'checkout.completed':
    'The session is final: when it is paid, or when it expires. Exactly once for each session with something to pay. `data.outcome` is `succeeded`, `failed` or `expired`: the source of truth. If a charge is found taken later, only `checkout.succeeded` with `was_late` follows.',
  'checkout.pending': 'The processor has not confirmed an outcome. Do not start another payment; the outcome follows.',
  'checkout.expired': 'The session expired without a payment. Not sent for sessions with the verdict `none`.',
  'charge.captured':
    "A hold was captured: `data.charge.captured_cents` was taken, and the rest was released. Also sent if it was captured in the processor's dashboard.",
  'charge.voided': 'A hold was released without taking anything.',
  'charge.authorization_expired': 'A hold was neither captured nor voided in time, so the processor released it.',
  'charge.capture_failed':
    'The processor reports that the capture of a charge has failed after it had succeeded: nothing was taken. The charge is `failed`. Its session stays complete, and its order can be paid again by another session.',
  'charge.returned':
    'The bank returned a bank debit after it was paid, up to two months later. `data.charge` is `failed` with `returned_at` and the return code. Its order counts as unpaid again; the session stays `complete`. See [Bank debits](/docs/bank-debits#returns).',
  'refund.succeeded':
    "The processor has made the refund. `data.refund` is the refund. Its `origin` is `processor` if it was made in the processor's dashboard.",
  'refund.failed':
    'A refund failed: at once, after it was pending, or after `refund.succeeded`, if the payer’s bank did not take it. `data.refund.failure` says why. You can refund the amount again.',
  'dispute.created':
    "The payer's bank disputes a charge or asks about it. `data.dispute` is the dispute: if its `status` is `needs_response`, send evidence in the processor's dashboard before `evidence_due_at`.",
  'dispute.updated':
    'A dispute changed: it was answered or decided, or has another deadline. `data.dispute` is its state at that time.',
};

/** When each kind of attention event is sent. Markdown. */
export const WHEN_FOUND: Record<AttentionEventType, string> = {
  'attention.opened':
    'A problem that needs a person was found. `data.attention_item` says what happened and what to do. One for each cause.',
  'attention.closed': 'The cause of an item is gone. Marking an item as done or quiet sends no event.',
};

/** When each kind of call event is sent. Markdown. */
export const WHEN_CALLED: Record<CallEventType, string> = {
  'call.answered': 'The payment line has answered the call, and knows the session.',
  'call.step':
    'The line does or asks something else, or asks again: `data.call.step` and `data.call.attempt`. Never what the caller enters, nor how many digits.',
  'call.returned': 'The caller is with the agent again, by REFER or over a bridge.',
  'call.ended': 'The call is over. `data.call.outcome` is how it ended.',
};

export const AttentionEventTypes = () => (
  <Table
    head={['Type', 'Sent when']}
    rows={ATTENTION_EVENT_TYPES.map((type) => [<code>{type}</code>, WHEN_FOUND[type]])}
  />
);

export const AttentionEventExample = ({ docsUrl }: { docsUrl: string }) => (
  <CodeBlock text={JSON.stringify(JSON.parse(attentionEventExample('attention.opened', docsUrl)), null, 2)} />
);

export const CallEventTypes = () => (
  <Table head={['Type', 'Sent when']} rows={CALL_EVENT_TYPES.map((type) => [<code>{type}</code>, WHEN_CALLED[type]])} />
);

export const CallEventExample = () => <CodeBlock text={JSON.stringify(callEventExample('call.step'), null, 2)} />;

export const EventTypes = () => (
  <Table
    head={['Type', 'Sent when']}
    rows={EVENT_TYPES.map((type) => [
      <a href={`#${type}`}>
        <code>{type}</code>
      </a>,
      WHEN_SENT[type],
    ])}
  />
);

export const EventExamples = ({ docsUrl }: { docsUrl: string }) => (
  <>
    {EVENT_TYPES.map((type) => (
      <EventExample key={type} kind={type} docsUrl={docsUrl} />
    ))}
  </>
);

function EventExample({ kind, docsUrl }: { kind: EventType; docsUrl: string }) {
  const pretty = JSON.stringify(JSON.parse(eventExample(kind, docsUrl)), null, 2);
  return (
    <details class="plain">
      <summary>
        <code>{kind}</code>
      </summary>
      <div id={kind}>
        <CodeBlock text={pretty} />
      </div>
    </details>
  );
}

export function deliveryExample(docsUrl: string): string {
  const body = eventExample('checkout.completed', docsUrl);
  const headers = Object.entries(deliveryHeaders(body)).map(([name, value]) => `${name}: ${value}`);
  return ['POST /ringkey HTTP/1.1', 'content-type: application/json', ...headers, '', `${body.slice(0, 90)}…`].join(
    '\n',
  );
}

/** `5 s, 5 min, … and 24 h`. */
export const retryDelays = () =>
  RETRY_DELAYS_MS.map(durationText)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');

/** `5 s`, `30 min`, `2 h`. */
function durationText(ms: number): string {
  if (ms < 60_000) return `${ms / 1_000} s`;
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}
