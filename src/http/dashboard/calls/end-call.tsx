/** Ending a live call: the link for roles that may, a confirmation that says what the caller hears, then the request. */
import type { CallResource, CallWithTimelineResource } from '../../../contract/calls.ts';
import type { CallStage } from '../../../domain/call.ts';
import { roleCovers } from '../../../domain/user.ts';
import { Form } from '../form/form.tsx';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import type { AddPages, FormFields, Taken } from '../page/page-routes.ts';
import { Badge, Notice, PageHead } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { callWords } from './words/index.ts';

export const endCallPages: AddPages = ({ page, action }) => {
  page('/calls/:id/end', confirmEnd);
  action('/calls/:id/end', endCall);
};

const pathOf = (visit: Visit<'id'>) => `/calls/${idInPath(visit)}`;
const backTo = (visit: Visit<'id'>, from: string | undefined) => (from === 'now' ? '/now' : pathOf(visit));

/** Redirects to the call if it has already ended or the user may not end it. */
async function confirmEnd(visit: Visit<'id'>): Promise<Taken> {
  const call = await visit.ask<CallWithTimelineResource>({ path: `/v1${pathOf(visit)}` });
  const { from } = visit.query;
  if (!mayEnd(visit, call)) return { to: backTo(visit, from) };
  const w = callWords().end;
  const caller = <a href={visit.base + pathOf(visit)}>{call.caller_phone ?? w.withheld}</a>;
  return {
    title: w.title,
    section: from === 'now' ? 'now' : 'calls',
    body: (
      <>
        <PageHead
          title={w.title}
          lead={call.order_id === null ? w.caller(caller) : w.callerOfOrder(caller, <bdi>{call.order_id}</bdi>)}
        />
        <Form visit={visit} action={`${pathOf(visit)}/end`} submit={w.title} tone="danger" cancel={backTo(visit, from)}>
          <Notice tone="wait" title={w.noticeTitle}>
            {w.notice}
          </Notice>
          <input type="hidden" name="from" value={from === 'now' ? 'now' : ''} />
        </Form>
      </>
    ),
  };
}

/** Redirects to the call if it has ended in the meantime. */
async function endCall(visit: Visit<'id'>, { from }: FormFields): Promise<Taken> {
  const answer = await visit.tryAsk({ method: 'POST', path: `/v1${pathOf(visit)}/end` });
  if (answer.ok) return { to: backTo(visit, from) };
  if (answer.status === 400) return { to: pathOf(visit) };
  throw new DashboardFault(faultOfStatus(answer.status), answer.error.message);
}

/** Stages in which the call is already ending. */
const ENDS_BY_ITSELF: readonly (CallStage | null)[] = ['leaving', 'returning', 'ended'];

/** Whether the user's role may end calls. */
export const endsCalls = ({ user }: Visit) => roleCovers(user.role, 'support');

/** Whether the call can be ended, and by this user. */
function mayEnd(visit: Visit, { status, stage, return_route, end_requested_at }: CallResource): boolean {
  const isOnLine = status === 'live' && return_route === null && !ENDS_BY_ITSELF.includes(stage);
  return isOnLine && end_requested_at === null && endsCalls(visit);
}

/** Whether the end was requested and is not done yet. Calls that are back with the agent are not ended. */
export const isBeingEnded = ({ status, return_route, end_requested_at }: CallResource) =>
  status === 'live' && return_route === null && end_requested_at !== null;

export const BeingEnded = () => <Badge status="ending" name={callWords().end.ending} tone="wait" />;

/** Links to the confirmation. @param from the page to return to; the call's own page by default */
export function EndCallLink({ visit, call, from }: { visit: Visit; call: CallResource; from?: 'now' }) {
  if (!mayEnd(visit, call)) return null;
  const query = from === undefined ? '' : `?from=${from}`;
  const w = callWords().end;
  return (
    <a
      // Keeps the focus when this part of the page is replaced.
      id={`end-${call.call_id}`}
      class="button danger"
      href={`${visit.base}/calls/${call.call_id}/end${query}`}
      aria-label={w.endOf(call.caller_phone ?? w.withheld)}
    >
      {from === 'now' ? w.short : w.title}
    </a>
  );
}
