/** Sending all failed events of an endpoint again since a time. The workers send them. */
import type { ResentFailures } from '../../api/routes/webhook-endpoint-shapes.ts';
import { ChoiceField, unsent } from '../form/fields.tsx';
import { Form } from '../form/form.tsx';
import { maySend } from '../form/roles.tsx';
import { searchOf } from '../list/filters.tsx';
import type { FormFields, Taken } from '../page/page-routes.ts';
import { Block } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { choicesOf } from '../words/names/index.ts';
import { endpointWords } from './words/index.ts';

/** In hours. Deliveries are kept for 30 days. */
const SINCE = ['1', '24', '168', '720'] as const;
export type FailedSince = (typeof SINCE)[number];
const HOUR_MS = 3_600_000;

export function ResendFailures({ visit }: { visit: Visit<'id'> }) {
  const { failedEvents: w, failedSince } = endpointWords();
  const action = `/setup/webhooks/${idInPath(visit)}/resend_failed`;
  if (!maySend(visit, action)) return null;
  return (
    <Block title={w.title}>
      <p>{w.text}</p>
      <Form visit={visit} action={action} submit={w.submit} tone="plain" isOnce>
        <ChoiceField form={unsent({ hours: '24' })} name="hours" label={w.label} choices={choicesOf(failedSince)} />
      </Form>
      <NextFailures visit={visit} action={action} />
    </Block>
  );
}

/** After the oldest ones were sent: those that follow. They do not include those of before that failed again. */
function NextFailures({ visit, action }: { visit: Visit<'id'>; action: string }) {
  const { notice, since = '', after = '' } = visit.query;
  if (notice !== 'resent_part') return null;
  return (
    <Form visit={visit} action={action} submit={endpointWords().failedEvents.next} tone="plain" isOnce>
      <input type="hidden" name="since" value={since} />
      <input type="hidden" name="after" value={after} />
    </Form>
  );
}

export async function resendFailures(visit: Visit<'id'>, fields: FormFields): Promise<Taken> {
  const id = idInPath(visit);
  const since = fields.since ?? sinceOf(fields.hours);
  const path = `/v1/webhook_endpoints/${id}/resend_failed`;
  const body = { since, ...(fields.after ? { starting_after: fields.after } : {}) };
  const { resent, has_more, last_event_id } = await visit.ask<ResentFailures>({ method: 'POST', path, body });
  if (has_more)
    return { to: `/setup/webhooks/${id}${searchOf({ notice: 'resent_part', since, after: last_event_id ?? '' })}` };
  return { to: `/setup/webhooks/${id}?notice=${resent === 0 ? 'none_failed' : 'resent'}` };
}

function sinceOf(hours: string | undefined): string {
  const known = SINCE.find((each) => each === hours) ?? '1';
  return new Date(Date.now() - Number(known) * HOUR_MS).toISOString();
}
