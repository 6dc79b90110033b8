/** Shared parts of the user pages: role names, status, the page with a one-time link. */
import { type InvitedUser, invitationUrl, UserRefused } from '../../../accounts/users/manage.ts';
import { ROLES, type Role, roleCovers, type User } from '../../../domain/user.ts';
import type { Choices, FormState } from '../form/fields.tsx';
import { secretPage } from '../form/settings.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { FormFields, Taken, View } from '../page/page-routes.ts';
import { Badge, sentence, Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import type { DashboardDeps } from '../ports.ts';
import { RoleTooSmall } from '../sign-in/errors.ts';
import { choicesOf, names } from '../words/names/index.ts';
import { userWords } from './words/index.ts';

export type UserPagesDeps = Pick<DashboardDeps, 'database' | 'dashboardUrl'>;

export const LIST = '/setup/users';

export const isOwner = ({ user }: Visit) => roleCovers(user.role, 'owner');

/** @throws RoleTooSmall */
export function requireOwner(visit: Visit): void {
  if (!isOwner(visit)) throw new RoleTooSmall('owner');
}

/** On its own, or before other words. */
export const roleName = (role: Role) => sentence(names().role[role]);

export const roleChoices = (): Choices => choicesOf(userWords().roleChoices);

export const LastSignIn = ({ of: { signedInAt: at } }: { of: User }) =>
  at === null ? <span class="quiet">{userWords().never}</span> : <Time at={at.toISOString()} />;

export function UserState({ of: { hasPassword, passkeys, signedInAt, lockedUntil } }: { of: User }) {
  const w = userWords().states;
  if (lockedUntil !== null) return <Badge status="locked" name={w.locked} tone="bad" />;
  const isInvited = signedInAt === null && !hasPassword && passkeys === 0;
  if (isInvited) return <Badge status="invited" name={w.invited} tone="wait" />;
  return <Badge status="active" name={w.active} tone="good" />;
}

/** @throws DashboardFault if the role is unknown */
export function roleOf({ role }: FormFields): Role {
  const known = ROLES.find((each) => each === role);
  if (known === undefined) throw new DashboardFault('refused');
  return known;
}

/** The error of a form. */
export const refusedForm = ({ reason }: UserRefused): NonNullable<FormState['error']> => ({
  message: userWords().refusals[reason],
  isOwn: true,
});

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
  const { copyNow, copy, what, titleOf, expires } = userWords().link;
  return secretPage(visit, {
    tab: 'users',
    title: titleOf(user.name),
    lead: `${user.email}, ${roleName(user.role)}`,
    copyNow,
    copy,
    secret: url,
    what,
    more: <p>{expires(<Time at={expiresAt.toISOString()} full />)}</p>,
    next: `${LIST}/${user.id}`,
  });
}
