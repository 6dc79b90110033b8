/** Ending a call that is on the line: a confirmation that says what its caller hears, then the request, once. */
import type { CallWithTimelineResource } from '../../contract/calls.ts';
import { DashboardFault, faultOfStatus } from '../faults.ts';
import type { AddPages, FormFields, Taken } from '../page-routes.ts';
import { mayEnd } from '../views/end-call.tsx';
import { Form } from '../views/form.tsx';
import { Notice } from '../views/parts.tsx';
import type { Visit } from '../visit.ts';

export const endCallPages: AddPages = ({ page, action }) => {
  page('/calls/:id/end', confirmEnd);
  action('/calls/:id/end', endCall);
};

const pathOf = ({ params }: Visit) => `/calls/${encodeURIComponent(params.id ?? '')}`;
const backTo = (visit: Visit, from: string | undefined) => (from === 'now' ? '/now' : pathOf(visit));

/** A call that has nothing to end any more, or not by this user, is shown as it is. */
async function confirmEnd(visit: Visit): Promise<Taken> {
  const call = await visit.ask<CallWithTimelineResource>({ path: `/v1${pathOf(visit)}` });
  const { from } = visit.query;
  if (!mayEnd(visit, call)) return { to: backTo(visit, from) };
  const caller = call.caller_phone ?? 'a withheld number';
  return {
    title: 'End the call',
    section: from === 'now' ? 'now' : 'calls',
    body: (
      <>
        <div class="head">
          <div>
            <h1>End the call</h1>
            <p class="lead">
              Of <a href={visit.base + pathOf(visit)}>{caller}</a>
              {call.order_id !== null && <>, order {call.order_id}</>}
            </p>
          </div>
        </div>
        <Form
          visit={visit}
          action={`${pathOf(visit)}/end`}
          submit="End the call"
          tone="danger"
          cancel={backTo(visit, from)}
        >
          <Notice tone="wait" title="The caller hears that we have to stop">
            Then the call goes back to the agent, or ends where there is none. Where a card is being charged or paid on
            the page, the call ends once its outcome is known, which may take some minutes. What is not paid then can
            still be paid afterwards.
          </Notice>
          <input type="hidden" name="from" value={from === 'now' ? 'now' : ''} />
        </Form>
      </>
    ),
  };
}

/** A call that ended meanwhile is shown as it is. */
async function endCall(visit: Visit, { from }: FormFields): Promise<Taken> {
  const answer = await visit.tryAsk({ method: 'POST', path: `/v1${pathOf(visit)}/end` });
  if (answer.ok) return { to: backTo(visit, from) };
  if (answer.status === 400) return { to: pathOf(visit) };
  throw new DashboardFault(faultOfStatus(answer.status), answer.error.message);
}
