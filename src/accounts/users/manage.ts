/**
 * Invites, changes and removes users of an account, for the dashboard and the command line. All changes are in the
 * audit trail.
 */
import { deleteOwnAlertTargets } from '../../db/alerts/alert-targets.ts';
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { lockAccount } from '../../db/keys/accounts.ts';
import type { Database, Sql } from '../../db/pool.ts';
import { insertInvitation } from '../../db/users/invitations.ts';
import { deleteOwnSavedViews } from '../../db/users/saved-views.ts';
import {
  clearCredentials,
  countMerchantsOf,
  findUser,
  insertUser,
  listAccountUsers,
  markRemoved,
  setMerchantLimit,
  setRole,
} from '../../db/users/users.ts';
import { MAX_USERS } from '../../domain/account-limits.ts';
import type { Actor, AuditAction, AuditChanges } from '../../domain/audit.ts';
import { type AccountId, newId, type UserId } from '../../domain/ids.ts';
import { type MerchantLimit, mayBeLimited, parseEmail, type Role, type User } from '../../domain/user.ts';
import { hashUserToken, newUserToken } from './tokens.ts';

/** Why a change of users is refused. The message is for the person who requested it. */
export type UserRefusal = keyof typeof MESSAGES;

const MESSAGES = {
  no_such_account: 'This account does not exist.',
  no_such_user: 'This user does not exist.',
  invalid_email: 'Enter a valid email address.',
  email_taken: 'A user of this account already has this email address.',
  last_owner: 'The account needs an owner. Make another user an owner first, and have them sign in once.',
  role_without_limit:
    'Only users with the role Support or Viewer can be limited to merchants. Remove the limit, or choose one of these roles.',
  no_merchants: 'Choose at least one merchant, or all merchants.',
  no_such_merchant: 'This account has no such merchant.',
  too_many: 'The account has reached the limit of 500 users.',
} as const;

export class UserRefused extends Error {
  readonly reason: UserRefusal;
  constructor(reason: UserRefusal) {
    super(MESSAGES[reason]);
    this.name = 'UserRefused';
    this.reason = reason;
  }
}

/** A user with the token of a one-time link. Only this result contains it. Give it only to the user. */
export interface InvitedUser {
  user: User;
  token: string;
  /** When the invitation expires: 24 hours from now. */
  expiresAt: Date;
}

/** The one-time link. @param dashboardUrl ends in `/dashboard` */
export function invitationUrl(dashboardUrl: string, token: string): string {
  return `${dashboardUrl}/invitation/${token}`;
}

interface NewUser {
  accountId: AccountId;
  /** In any case. */
  email: string;
  /** If empty, the part of the address before the @. */
  name: string;
  role: Role;
  /** Default: no limit. */
  merchants?: MerchantLimit;
}

/** A user and their account. Each user belongs to one account. */
export interface UserOfAccount {
  accountId: AccountId;
  userId: UserId;
}

/** Writes a change of a user to the audit trail. Users belong to the account as a whole, in both modes. */
export function auditUser(
  sql: Sql,
  by: Actor,
  action: AuditAction,
  { id: objectId, accountId }: Pick<User, 'id' | 'accountId'>,
  changes: AuditChanges = {},
): Promise<void> {
  return insertAuditEvent(sql, by, { accountId, mode: null, action, objectId, changes });
}

/** Creates a user, who sets up their sign-in with the link. For owners and the operator only. @throws UserRefused */
export function inviteUser(database: Database, by: Actor, newUser: NewUser): Promise<InvitedUser> {
  const email = parseEmail(newUser.email);
  if (email === null) throw new UserRefused('invalid_email');
  const { accountId, role, merchants = null } = newUser;
  const name = newUser.name.trim() || email.slice(0, email.lastIndexOf('@'));
  return database.transaction(async (sql) => {
    const others = await lockUsers(sql, accountId);
    if (others.length >= MAX_USERS) throw new UserRefused('too_many');
    const user = await insertUser(sql, { id: newId('User'), accountId, email, name, role });
    if (user === null) throw new UserRefused('email_taken');
    await requireLimit(sql, user, merchants);
    await setMerchantLimit(sql, user.id, merchants);
    await auditUser(sql, by, 'user.created', user, { email, name, role, ...(merchants !== null && { merchants }) });
    return invite(sql, by, { ...user, merchants });
  });
}

/**
 * Creates a new link for a user who has lost the link or their credentials. Using it replaces all credentials of the
 * user.
 * @throws UserRefused
 */
export function inviteAgain(database: Database, by: Actor, { accountId, userId }: UserOfAccount): Promise<InvitedUser> {
  return database.transaction(async (sql) => {
    const user = userAmong(await lockUsers(sql, accountId), userId);
    return invite(sql, by, user);
  });
}

async function invite(sql: Sql, by: Actor, user: User): Promise<InvitedUser> {
  const token = newUserToken();
  const expiresAt = await insertInvitation(sql, user.id, hashUserToken(token));
  await auditUser(sql, by, 'user.invited', user, { expires_at: expiresAt });
  return { user, token, expiresAt };
}

/** Takes effect with the user's next request. For owners and the operator only. @throws UserRefused */
export function changeRole(
  database: Database,
  by: Actor,
  { accountId, userId, role }: UserOfAccount & { role: Role },
): Promise<User> {
  return database.transaction(async (sql) => {
    const users = await lockUsers(sql, accountId);
    const user = userAmong(users, userId);
    if (user.role === role) return user;
    if (role !== 'owner') requireOtherOwner(users, user);
    if (user.merchants !== null && !mayBeLimited(role)) throw new UserRefused('role_without_limit');
    await setRole(sql, userId, role);
    await auditUser(sql, by, 'user.role_changed', user, { role: { from: user.role, to: role } });
    return { ...user, role };
  });
}

/**
 * Takes effect with the user's next request, and in open streams. The user's own alerts end, because they are about the
 * account as a whole. For owners and the operator only. @throws UserRefused
 */
export function changeMerchants(
  database: Database,
  by: Actor,
  { accountId, userId, merchants }: UserOfAccount & { merchants: MerchantLimit },
): Promise<User> {
  return database.transaction(async (sql) => {
    const user = userAmong(await lockUsers(sql, accountId), userId);
    await requireLimit(sql, user, merchants);
    await setMerchantLimit(sql, userId, merchants);
    if (merchants !== null) await deleteOwnAlertTargets(sql, userId);
    await auditUser(sql, by, 'user.merchants_changed', user, { merchants: { from: user.merchants, to: merchants } });
    return { ...user, merchants };
  });
}

/** @throws UserRefused unless the user can have the limit */
async function requireLimit(sql: Sql, { accountId, role }: User, merchants: MerchantLimit): Promise<void> {
  if (merchants === null) return;
  if (!mayBeLimited(role)) throw new UserRefused('role_without_limit');
  if (merchants.length === 0) throw new UserRefused('no_merchants');
  if ((await countMerchantsOf(sql, accountId, merchants)) < new Set(merchants).size)
    throw new UserRefused('no_such_merchant');
}

/** Ends the user's sessions immediately. For owners and the operator only. @throws UserRefused */
export function removeUser(database: Database, by: Actor, { accountId, userId }: UserOfAccount): Promise<void> {
  return database.transaction(async (sql) => {
    const users = await lockUsers(sql, accountId);
    const user = userAmong(users, userId);
    requireOtherOwner(users, user);
    await clearCredentials(sql, userId);
    await deleteOwnAlertTargets(sql, userId);
    await deleteOwnSavedViews(sql, userId);
    await markRemoved(sql, userId);
    await auditUser(sql, by, 'user.removed', user, { email: user.email, role: user.role });
  });
}

/** Oldest first. */
export function listUsers(sql: Sql, accountId: AccountId): Promise<User[]> {
  return listAccountUsers(sql, accountId);
}

/** @throws UserRefused if the account has no such user */
export async function requireUserOf(sql: Sql, { accountId, userId }: UserOfAccount): Promise<User> {
  const user = await findUser(sql, userId);
  if (user?.accountId !== accountId) throw new UserRefused('no_such_user');
  return user;
}

/** The account's users. Locks the account until the transaction ends, or two owners could remove each other at once. */
async function lockUsers(sql: Sql, accountId: AccountId): Promise<User[]> {
  if ((await lockAccount(sql, accountId)) === null) throw new UserRefused('no_such_account');
  return listAccountUsers(sql, accountId);
}

function userAmong(users: readonly User[], id: UserId): User {
  const user = users.find((each) => each.id === id);
  if (user === undefined) throw new UserRefused('no_such_user');
  return user;
}

/** An owner who has never signed in does not count as another owner, because the link may never be opened. */
function requireOtherOwner(users: readonly User[], leaving: User): void {
  if (leaving.role !== 'owner') return;
  const others = users.filter(({ id, role }) => role === 'owner' && id !== leaving.id);
  const staying = leaving.signedInAt === null ? others : others.filter(({ signedInAt }) => signedInAt !== null);
  if (staying.length === 0) throw new UserRefused('last_owner');
}
