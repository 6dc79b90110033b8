/** Shared parts of the pages of alerts: the state of the last message, and the time zone that a form starts with. */
import type { AlertTargetResource } from '../../../contract/alerts.ts';
import { Form } from '../form/form.tsx';
import { Badge, Block, Time, words } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

/** The result of the newest message. */
export function LastMessage({ of: last }: { of: AlertTargetResource['last_message'] }) {
  if (last === null) return <span class="quiet">None yet</span>;
  const isAgain = last.status === 'waiting' && last.error_code !== null;
  const [status, tone] =
    last.status === 'sent'
      ? (['sent', 'good'] as const)
      : last.status === 'failed' || isAgain
        ? (['failed', 'bad'] as const)
        : (['waiting', 'wait'] as const);
  return (
    <span>
      <Badge status={status} tone={tone} /> {words(last.kind)}, <Time at={last.settled_at ?? last.created_at} />
      {last.error_code !== null && (
        <span class="quiet"> ({FAILURES[last.error_code] ?? `code ${last.error_code}`})</span>
      )}
      {isAgain && <span class="quiet">, will be sent again</span>}
    </span>
  );
}

const FAILURES: Readonly<Record<string, string>> = {
  timeout: 'no answer in time',
  connection: 'no connection',
  forbidden_address: 'not a public address',
  not_configured: 'no mail server is set',
};

/** @param action within the mode */
export const TestBlock = ({ visit, action }: { visit: Visit; action: string }) => (
  <Block title="Test">
    <p>The message arrives within seconds, or this page shows why it does not.</p>
    <Form visit={visit} action={action} submit="Send test message" tone="plain" isOnce />
  </Block>
);

/** That of the newest merchant, because the readers are probably there. */
export async function startingTimeZone(visit: Visit): Promise<string> {
  const { merchants } = await visit.ask<{ merchants: { time_zone: string }[] }>({
    path: '/v1/merchants',
    query: { limit: '1' },
  });
  return merchants[0]?.time_zone ?? 'UTC';
}
