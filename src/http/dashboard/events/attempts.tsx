/** All attempts to deliver an event: the answer of the endpoint and the signature headers of each. */

import type { DeliveryAttemptResource } from '../../api/routes/webhook-deliveries.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { Badge, Block, Timeline, type TimelineEntry } from '../page/parts.tsx';

export function Attempts({ attempts }: { attempts: readonly DeliveryAttemptResource[] }) {
  return (
    <Block title="Attempts">
      <Timeline
        label="Attempts to deliver this event, newest first"
        entries={attempts.map(attemptEntry)}
        none="No attempts in the last 30 days."
      />
    </Block>
  );
}

function attemptEntry(attempt: DeliveryAttemptResource): TimelineEntry {
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
    more: <RequestAndResponse attempt={attempt} />,
  };
}

function RequestAndResponse({ attempt: { headers, answer } }: { attempt: DeliveryAttemptResource }) {
  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details>
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
