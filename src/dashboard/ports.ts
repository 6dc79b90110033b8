/** What the dashboard is given: who is signed in, and where the REST surface is. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../domain/audit.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Role } from '../domain/role.ts';

export interface DashboardUser {
  accountId: AccountId;
  role: Role;
  name: string;
  /** Null for the demo's. */
  email: string | null;
  /** Nobody signed in: the demo account, opened on its own machine. */
  isDemo: boolean;
  /** As the audit trail has it. */
  actor: Pick<Actor, 'kind' | 'id'>;
}

export interface SignIn {
  /** @returns null where the reply was sent instead, e.g. one that leads to the sign-in page */
  requireUser(request: FastifyRequest, reply: FastifyReply): Promise<DashboardUser | null>;
  /** For the hidden field `csrf` of every form. */
  csrfToken(request: FastifyRequest): string;
  /** Whether a form has the token of this request's session. */
  isCsrfToken(request: FastifyRequest, token: string): boolean;
}

export interface DashboardDeps {
  signIn: SignIn;
}
