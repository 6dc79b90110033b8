/** All attempts to deliver an event: the answer of the endpoint and the signature headers of each. */

import type { DeliveryAttemptResource } from '../../api/routes/webhook-deliveries.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { Badge, Block, Timeline, type TimelineEntry } from '../page/parts.tsx';

export function Attempts({ attempts }: { attempts: readonly DeliveryAttemptResource[] }) {
  // The newest attempt of an endpoint that has not received the event: its response says why.
  const newestOf = (id: string) => attempts.find(({ webhook_endpoint_id }) => webhook_endpoint_id === id);
  const open = attempts.find(
    (attempt) => attempt.failure !== null && attempt === newestOf(attempt.webhook_endpoint_id),
  );
  return (
    <Block title="Attempts">
      <Timeline
        label="Attempts to deliver this event, newest first"
        entries={attempts.map((attempt) => attemptEntry(attempt, attempt === open))}
        none="No attempts in the last 30 days."
      />
    </Block>
  );
}

function attemptEntry(attempt: DeliveryAttemptResource, isOpen: boolean): TimelineEntry {
  const { url, failure, status_code, latency_ms, sent_at } = attempt;
  const response = status_code === null ? null : `, status ${status_code}`;
  return {
    at: sent_at,
    kind: `Attempt ${attempt.attempt}`,
    tone: failure === null ? 'good' : 'bad',
    what: (
      <>
        to {new URL(url).host}: <Badge status={failure === null ? 'delivered' : 'failed'} />
        {failure !== null && failure !== 'status' && `, ${failure.replaceAll('_', ' ')}`}
        {response} after <span class="number">{latency_ms.toLocaleString('en-US')} ms</span>
      </>
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
  return (
    <details open={isOpen}>
      <summary>Response and signature</summary>
      <p>
        {answer === null
          ? 'No response.'
          : answer === ''
            ? 'The response had no body.'
            : 'Response body, up to 1,024 bytes:'}
      </p>
      {answer !== null && answer !== '' && <CodeBlock text={answer} />}
      <p>Signed headers:</p>
      <CodeBlock text={sent.join('\n')} />
    </details>
  );
}
