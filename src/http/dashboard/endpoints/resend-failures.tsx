/** Sending all failed events of an endpoint again since a time. The workers send them. */
import type { ResentFailures } from '../../api/routes/webhook-endpoint-shapes.ts';
import { ChoiceField, unsent } from '../form/fields.tsx';
import { Form } from '../form/form.tsx';
import { maySend } from '../form/roles.tsx';
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
    </Block>
  );
}

export async function resendFailures(visit: Visit<'id'>, { hours }: FormFields): Promise<Taken> {
  const id = idInPath(visit);
  const known = SINCE.find((each) => each === hours) ?? '1';
  const since = new Date(Date.now() - Number(known) * HOUR_MS).toISOString();
  const path = `/v1/webhook_endpoints/${id}/resend_failed`;
  const { resent, has_more } = await visit.ask<ResentFailures>({ method: 'POST', path, body: { since } });
  const notice = resent === 0 ? 'none_failed' : has_more ? 'resent_part' : 'resent';
  return { to: `/setup/webhooks/${id}?notice=${notice}` };
}
