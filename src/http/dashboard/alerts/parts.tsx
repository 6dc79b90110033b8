/** Shared parts of the pages of alerts: the state of the last message, and the test message. */
import type { AlertTargetResource } from '../../../contract/alerts.ts';
import { Form } from '../form/form.tsx';
import { maySend } from '../form/roles.tsx';
import { Badge, Block, Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { alertWords } from './words/index.ts';

/** The result of the newest message. */
export function LastMessage({ of: last }: { of: AlertTargetResource['last_message'] }) {
  const { lastMessage: w, statuses, messages, failures } = alertWords();
  if (last === null) return <span class="quiet">{w.none}</span>;
  const isAgain = last.status === 'waiting' && last.error_code !== null;
  const [status, tone] =
    last.status === 'sent'
      ? (['sent', 'good'] as const)
      : last.status === 'failed' || isAgain
        ? (['failed', 'bad'] as const)
        : (['waiting', 'wait'] as const);
  return (
    <span>
      <Badge status={status} name={statuses[status]} tone={tone} />{' '}
      {w.of(messages[last.kind], <Time at={last.settled_at ?? last.created_at} />)}
      {last.error_code !== null && <span class="quiet"> ({failures[last.error_code] ?? w.code(last.error_code)})</span>}
      {isAgain && <span class="quiet">{w.again}</span>}
    </span>
  );
}

/** @param action within the mode */
export function TestBlock({ visit, action }: { visit: Visit; action: string }) {
  const w = alertWords().test;
  if (!maySend(visit, action)) return null;
  return (
    <Block title={w.title}>
      <p>{w.about}</p>
      <Form visit={visit} action={action} submit={w.send} tone="plain" isOnce />
    </Block>
  );
}
