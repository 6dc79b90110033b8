/** All attempts to deliver an event: the answer of the endpoint and the signature headers of each. */

import type { DeliveryAttemptResource } from '../../api/routes/webhook-deliveries.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { failureText } from '../checkouts/activity.tsx';
import { endpointName } from '../page/links.tsx';
import { Block, Timeline, type TimelineEntry } from '../page/parts.tsx';
import { numberText } from '../words/formats.ts';
import { DeliveryBadge } from './delivery-badge.tsx';
import { eventWords } from './words/index.ts';

export function Attempts({ attempts }: { attempts: readonly DeliveryAttemptResource[] }) {
  // The newest attempt of an endpoint that has not received the event: its response says why.
  const newestOf = (id: string) => attempts.find(({ webhook_endpoint_id }) => webhook_endpoint_id === id);
  const open = attempts.find(
    (attempt) => attempt.failure !== null && attempt === newestOf(attempt.webhook_endpoint_id),
  );
  const w = eventWords().attempts;
  return (
    <Block title={w.title}>
      <Timeline
        label={w.label}
        entries={attempts.map((attempt) => attemptEntry(attempt, attempt === open))}
        none={w.none}
      />
    </Block>
  );
}

function attemptEntry(attempt: DeliveryAttemptResource, isOpen: boolean): TimelineEntry {
  const { url, failure, status_code, latency_ms, sent_at } = attempt;
  const w = eventWords().attempts;
  const why = failureText(attempt);
  const status = failure === null ? 'delivered' : 'failed';
  const reasons = [
    ...(why === null || failure === 'status' ? [] : [why]),
    ...(status_code === null ? [] : [w.statusCode(status_code)]),
  ];
  return {
    at: sent_at,
    kind: w.kind(attempt.attempt),
    tone: failure === null ? 'good' : 'bad',
    what: w.what(
      endpointName(url),
      <DeliveryBadge state={status} />,
      reasons.map((reason) => `, ${reason}`).join(''),
      <span class="number">{numberText(latency_ms)} ms</span>,
    ),
    more: <RequestAndResponse attempt={attempt} isOpen={isOpen} />,
  };
}

function RequestAndResponse({
  attempt: { headers, answer },
  isOpen,
}: {
  attempt: DeliveryAttemptResource;
  isOpen: boolean;
}) {
  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const w = eventWords().attempts;
  return (
    <details open={isOpen}>
      <summary>{w.details}</summary>
      <p>{answer === null ? w.noResponse : answer === '' ? w.withoutBody : w.body}</p>
      {answer !== null && answer !== '' && <CodeBlock text={answer} />}
      <p>{w.headers}</p>
      <CodeBlock text={sent.join('\n')} />
    </details>
  );
}
