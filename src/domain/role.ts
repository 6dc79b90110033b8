/** Roles of an account's users: what each lets them do. */

/** From the most that a user may do to the least. */
export const ROLES = ['owner', 'developer', 'support', 'viewer'] as const;

/**
 * `owner`: everything, users included. `developer`: everything but users. `support`: sees, and gives refunds. `viewer`: sees.
 */
export type Role = (typeof ROLES)[number];

/** Whether a user with `role` may do what takes the role `needed`. */
export function roleCovers(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}
