/** Shared parts of the user pages: role names, status, the page with a one-time link. */
import { type InvitedUser, invitationUrl, UserRefused } from '../../../accounts/users/manage.ts';
import { ROLES, type Role, roleCovers, type User } from '../../../domain/user.ts';
import type { Choices } from '../form/fields.tsx';
import { secretPage } from '../form/settings.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { FormFields, Taken, View } from '../page/page-routes.ts';
import { Badge, Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import type { DashboardDeps } from '../ports.ts';
import { RoleTooSmall } from '../sign-in/errors.ts';

export type UserPagesDeps = Pick<DashboardDeps, 'database' | 'dashboardUrl'>;

export const LIST = '/setup/users';

export const isOwner = ({ user }: Visit) => roleCovers(user.role, 'owner');

/** @throws RoleTooSmall */
export function requireOwner(visit: Visit): void {
  if (!isOwner(visit)) throw new RoleTooSmall('owner');
}

export const ROLE_NAMES: Record<Role, string> = {
  owner: 'Owner',
  developer: 'Developer',
  support: 'Support',
  viewer: 'Viewer',
};
export const ROLE_CHOICES: Choices = [
  ['owner', 'Owner: everything, including users'],
  ['developer', 'Developer: everything except users, including keys'],
  ['support', 'Support: views, creates refunds, ends calls'],
  ['viewer', 'Viewer: views, changes nothing'],
];

export const Moment = ({ at, none }: { at: Date | null; none: string }) =>
  at === null ? <span class="quiet">{none}</span> : <Time at={at.toISOString()} />;

export function UserState({ of: { hasPassword, passkeys, signedInAt, lockedUntil } }: { of: User }) {
  if (lockedUntil !== null) return <Badge status="locked" tone="bad" />;
  if (signedInAt === null && !hasPassword && passkeys === 0) return <Badge status="invited" tone="wait" />;
  return <Badge status="active" tone="good" />;
}

/** @throws DashboardFault if the role is unknown */
export function roleOf({ role }: FormFields): Role {
  const known = ROLES.find((each) => each === role);
  if (known === undefined) throw new DashboardFault('refused');
  return known;
}

/** The result of `take`, or the page of `refused` if a rule forbids the change. */
export async function unlessRefused(
  take: () => Promise<Taken>,
  refused: (refusal: UserRefused) => View | Promise<View>,
): Promise<Taken> {
  try {
    return await take();
  } catch (error) {
    if (error instanceof UserRefused) return refused(error);
    throw error;
  }
}

/** The page with a one-time link, shown once. */
export function linkPage(visit: Visit, dashboardUrl: string | null, { user, token, expiresAt }: InvitedUser): View {
  const url = invitationUrl(dashboardUrl ?? `${visit.origin}/dashboard`, token);
  return secretPage(visit, {
    tab: 'users',
    title: `Link for ${user.name}`,
    lead: `${user.email}, ${ROLE_NAMES[user.role]}`,
    copyNow: 'Copy the link now',
    copy: 'Copy the link',
    secret: url,
    what: 'Send it to this user only. The first person to open it signs in as this user. It works once.',
    more: (
      <p>
        Expires <Time at={expiresAt.toISOString()} full />.
      </p>
    ),
    next: `${LIST}/${user.id}`,
  });
}
