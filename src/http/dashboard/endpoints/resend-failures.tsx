/** Sending all failed events of an endpoint again since a time. The workers send them. */
import type { ResentFailures } from '../../api/routes/webhook-endpoint-shapes.ts';
import { ChoiceField, type Choices, unsent } from '../form/fields.tsx';
import { Form } from '../form/form.tsx';
import type { FormFields, Taken } from '../page/page-routes.ts';
import { Block } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';

/** In hours. Deliveries are kept for 30 days. */
const SINCE: Choices = [
  ['1', 'In the last hour'],
  ['24', 'In the last 24 hours'],
  ['168', 'In the last 7 days'],
  ['720', 'In the last 30 days'],
];
const HOUR_MS = 3_600_000;

export function ResendFailures({ visit }: { visit: Visit<'id'> }) {
  return (
    <Block title="Failed events">
      <p>Events that failed after all retries can be sent again, oldest first, with the same IDs and bodies.</p>
      <Form
        visit={visit}
        action={`/setup/webhooks/${idInPath(visit)}/resend_failed`}
        submit="Resend failed events"
        tone="plain"
        isOnce
      >
        <ChoiceField form={unsent({ hours: '24' })} name="hours" label="Failed" choices={SINCE} />
      </Form>
    </Block>
  );
}

export async function resendFailures(visit: Visit<'id'>, { hours }: FormFields): Promise<Taken> {
  const id = idInPath(visit);
  const known = SINCE.find(([value]) => value === hours)?.[0] ?? '1';
  const since = new Date(Date.now() - Number(known) * HOUR_MS).toISOString();
  const path = `/v1/webhook_endpoints/${id}/resend_failed`;
  const { resent, has_more } = await visit.ask<ResentFailures>({ method: 'POST', path, body: { since } });
  const notice = resent === 0 ? 'none_failed' : has_more ? 'resent_part' : 'resent';
  return { to: `/setup/webhooks/${id}?notice=${notice}` };
}
