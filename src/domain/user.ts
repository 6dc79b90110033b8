/** Users of an account: people who sign in to its dashboard, and what their role lets them do. */
import type { AccountId, UserId } from './ids.ts';

/** From the most that a user may do to the least. */
export const ROLES = ['owner', 'developer', 'support', 'viewer'] as const;

/**
 * `owner`: everything, users included. `developer`: everything but users; keys, too, and a key of the scope `full` can
 * do what a developer can. `support`: sees, gives refunds, ends calls, sends events again. `viewer`: sees.
 */
export type Role = (typeof ROLES)[number];

/** Whether a user with `role` may do what takes the role `needed`. */
export function roleCovers(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}

/** A user as lists show them: no password, secret or key. */
export interface User {
  id: UserId;
  accountId: AccountId;
  /** Lower case. The same person has one user in each account. */
  email: string;
  name: string;
  role: Role;
  createdAt: Date;
  /** The last time; null: never yet. */
  signedInAt: Date | null;
  hasPassword: boolean;
  /** How many. */
  passkeys: number;
  /** No password is taken until then. */
  lockedUntil: Date | null;
}

const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@<>"'\\,;:()[\]]{1,64}@[^\s@<>"'\\,;:()[\]]+\.[^\s@<>"'\\,;:()[\].]+$/;

/** An e-mail address in the form that users are stored by, lower case; null where it is none. */
export function parseEmail(text: string): string | null {
  const email = text.trim().normalize('NFC').toLowerCase();
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) && !/\p{Cc}/u.test(email) ? email : null;
}
