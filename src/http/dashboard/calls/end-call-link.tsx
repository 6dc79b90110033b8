/** Ending a live call: the link, for roles that may, and the badge while the call is ending. */
import type { CallResource } from '../../../contract/calls.ts';
import type { CallStage } from '../../../domain/call-stage.ts';
import { roleCovers } from '../../../domain/user.ts';
import { Badge } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

/** Stages in which the call is already ending. */
const ENDS_BY_ITSELF: readonly (CallStage | null)[] = ['leaving', 'returning', 'ended'];

/** Whether the user's role may end calls. */
export const endsCalls = ({ user }: Visit) => roleCovers(user.role, 'support');

/** Whether the call can be ended, and by this user. */
export function mayEnd(visit: Visit, { status, stage, return_route, end_requested_at }: CallResource): boolean {
  const isOnLine = status === 'live' && return_route === null && !ENDS_BY_ITSELF.includes(stage);
  return isOnLine && end_requested_at === null && endsCalls(visit);
}

/** Whether the end was requested and is not done yet. Calls that are back with the agent are not ended. */
export const isBeingEnded = ({ status, return_route, end_requested_at }: CallResource) =>
  status === 'live' && return_route === null && end_requested_at !== null;

export const BeingEnded = () => <Badge status="Ending" tone="wait" />;

/** Links to the confirmation. @param from the page to return to; the call's own page by default */
export function EndCallLink({ visit, call, from }: { visit: Visit; call: CallResource; from?: 'now' }) {
  if (!mayEnd(visit, call)) return null;
  const query = from === undefined ? '' : `?from=${from}`;
  return (
    <a
      // Keeps the focus when this part of the page is replaced.
      id={`end-${call.call_id}`}
      class="button danger"
      href={`${visit.base}/calls/${call.call_id}/end${query}`}
      aria-label={`End call of ${call.caller_phone ?? 'a withheld number'}`}
    >
      End call
    </a>
  );
}
