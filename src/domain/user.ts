/** Users of an account: the people who sign in to its dashboard, and their roles. */
import type { AccountId, MerchantId, UserId } from './ids.ts';

/** From most to least permissions. */
export const ROLES = ['owner', 'developer', 'support', 'viewer'] as const;

/**
 * `owner`: everything, including users. `developer`: everything except users. This includes keys, and a key with the
 * scope `full` equals a developer. `support`: views, refunds, ends calls, resends events. `viewer`: views.
 */
export type Role = (typeof ROLES)[number];

/** Whether `role` includes the permissions of the role `needed`. */
export function roleCovers(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}

/**
 * The merchants to which a user is limited: they see and do only what belongs to these. With none, they see nothing.
 * Null: not limited.
 */
export type MerchantLimit = readonly MerchantId[] | null;

/** Owners and developers manage the account as a whole. */
export const mayBeLimited = (role: Role): boolean => !roleCovers(role, 'developer');

/** A user in lists: no password, secret or key. */
export interface User {
  id: UserId;
  accountId: AccountId;
  /** Lower case. A person has a separate user in each account. */
  email: string;
  name: string;
  role: Role;
  merchants: MerchantLimit;
  createdAt: Date;
  /** The last sign-in; null if there was none. */
  signedInAt: Date | null;
  hasPassword: boolean;
  /** The number of passkeys. */
  passkeys: number;
  /** Until then, passwords are rejected. */
  lockedUntil: Date | null;
}

const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@<>"'\\,;:()[\]]{1,64}@[^\s@<>"'\\,;:()[\]]+\.[^\s@<>"'\\,;:()[\].]+$/;

/** The stored form of an e-mail address, lower case; null if it is not one. */
export function parseEmail(text: string): string | null {
  const email = text.trim().normalize('NFC').toLowerCase();
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) && !/[\p{Cc}\p{Cf}]/u.test(email) ? email : null;
}
