/** Which role a form of the dashboard needs, and what users of other roles see instead. */
import type { ComponentChildren } from 'preact';
import { type Role, roleCovers } from '../../../domain/user.ts';
import type { Visit } from '../page/visit.ts';
import { signInWords } from '../sign-in/words/index.ts';

/**
 * By the form's path within the mode: the role of the REST operation that carries it out, or of the page's own check.
 * The first match counts.
 */
const ROLES: readonly (readonly [RegExp, Role])[] = [
  // The user's own sign-in, alerts and views.
  [/^\/(your-[a-z-]+|views)(\/|$)|\/views$/, 'viewer'],
  [/^\/setup\/users(\/|$)/, 'owner'],
  [/\/settle(\/|$)|^\/callers\/erase$/, 'developer'],
  [/^\/(attention|callers|calls|charges|events)\/|^\/setup\/webhooks\/[^/]+\/resend_failed$/, 'support'],
];

/** As in REST: changes need the role developer unless stated otherwise. */
const roleFor = (action: string): Role => ROLES.find(([paths]) => paths.test(action))?.[1] ?? 'developer';

/** Whether the user's role covers a form. @param action its path within the mode */
export const maySend = ({ user }: Pick<Visit, 'user'>, action: string): boolean =>
  roleCovers(user.role, roleFor(action));

/** Who can send the form. */
export const RoleNote = ({ action }: { action: string }) => (
  <p class="hint">{signInWords().requiredRole[roleFor(action)]}</p>
);

/** The fields of a form that the user may not send: to read. */
export function ReadOnlyFields({ action, children }: { action: string; children: ComponentChildren }) {
  return (
    <div class="form">
      <RoleNote action={action} />
      <fieldset class="form" disabled>
        {children}
      </fieldset>
    </div>
  );
}
