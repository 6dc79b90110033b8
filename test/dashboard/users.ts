/** Creates accounts and users for dashboard tests. */

import { type InvitedUser, inviteUser } from '../../src/accounts/users/manage.ts';
import { startUserSession } from '../../src/accounts/users/sessions.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import type { Database } from '../../src/db/pool.ts';
import { setSignedIn } from '../../src/db/users/users.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { type AccountId, newId } from '../../src/domain/ids.ts';
import type { Role, User } from '../../src/domain/user.ts';

export async function newAccount(database: Database): Promise<AccountId> {
  const id = newId('Account');
  await insertAccount(database, { id, name: 'Corner Bakery' });
  return id;
}

let invited = 0;

/** Invites a user, who has not accepted yet. */
export async function invitedUser(database: Database, role: Role = 'owner', account?: AccountId): Promise<InvitedUser> {
  invited += 1;
  const accountId = account ?? (await newAccount(database));
  const given = { accountId, email: `user-${invited}@example.com`, name: `User ${invited}`, role };
  return inviteUser(database, SYSTEM, given);
}

export interface SignedInUser {
  user: User;
  /** The value of the header `cookie`, over plain http on loopback. */
  cookie: string;
  token: string;
}

/** Creates a user with a session. */
export async function signedInUser(
  database: Database,
  role: Role = 'owner',
  account?: AccountId,
): Promise<SignedInUser> {
  const { user } = await invitedUser(database, role, account);
  return { user, ...(await newSession(database, user)) };
}

/** Creates another session of a user. */
export async function newSession(database: Database, user: User): Promise<Omit<SignedInUser, 'user'>> {
  const { token } = await startUserSession(database, user, 'passkey', { source: '127.0.0.1', requestId: null });
  await setSignedIn(database, user.id);
  return { token, cookie: `ringkey=${token}` };
}

/** The audit entries about a user, oldest first. */
export async function auditOf(database: Database, { id }: Pick<User, 'id'>): Promise<string[]> {
  const text = 'select action, actor_kind as kind from audit_events where object_id = $1 order by sequence';
  const { rows } = await database.query<{ action: string; kind: string }>(text, [id]);
  return rows.map(({ action, kind }) => `${action} by ${kind}`);
}
