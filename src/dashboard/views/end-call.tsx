/** Ending a call that is on the line: the way to it, for roles that may, and that it is being done. */
import type { CallResource } from '../../contract/calls.ts';
import type { CallStage } from '../../domain/call-stage.ts';
import { roleCovers } from '../../domain/user.ts';
import type { Visit } from '../visit.ts';
import { Badge } from './parts.tsx';

/** From here on the call ends by itself, whoever asks for it. */
const ENDS_BY_ITSELF: readonly (CallStage | null)[] = ['leaving', 'returning', 'ended'];

/** Whether the user's role ends calls. */
export const endsCalls = ({ user }: Visit) => roleCovers(user.role, 'support');

/** Whether there is something to end, and the user may. */
export function mayEnd(visit: Visit, { status, stage, return_route, end_requested_at }: CallResource): boolean {
  const isOnLine = status === 'live' && return_route === null && !ENDS_BY_ITSELF.includes(stage);
  return isOnLine && end_requested_at === null && endsCalls(visit);
}

/** Whether it is asked for, and not done. Of a caller who is with the agent nothing is ended any more. */
export const isBeingEnded = ({ status, return_route, end_requested_at }: CallResource) =>
  status === 'live' && return_route === null && end_requested_at !== null;

export const BeingEnded = () => <Badge status="Is being ended" tone="wait" />;

/** Leads to the confirmation. @param from where the user comes back to; the call's own page where not given */
export function EndCallLink({ visit, call, from }: { visit: Visit; call: CallResource; from?: 'now' }) {
  if (!mayEnd(visit, call)) return null;
  const query = from === undefined ? '' : `?from=${from}`;
  return (
    <a
      // By it the focus stays where the part of the page is exchanged.
      id={`end-${call.call_id}`}
      class="button danger"
      href={`${visit.base}/calls/${call.call_id}/end${query}`}
      aria-label={`End call of ${call.caller_phone ?? 'a withheld number'}`}
    >
      End call
    </a>
  );
}
