/**
 * The attempt of a form that makes something: chosen when its page is first opened, and kept in the page's address. Whoever comes
 * back to the page, or loads it again, and presses the same button with the same entries asks for the same thing: it is made once.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { randomToken, type UserId } from '../domain/ids.ts';
import { formOf } from './sign-in/form-token.ts';

/** In the query of the page's address, and in its form. */
export const ATTEMPT_FIELD = 'attempt';

const ATTEMPT = /^[\w-]{8,64}$/;

/** What the form brought, or the page's address has; null where that is none. */
export function attemptOf(request: FastifyRequest): string | null {
  const { method, query } = request;
  const given =
    method === 'POST' ? formOf(request).get(ATTEMPT_FIELD) : (query as Record<string, unknown>)[ATTEMPT_FIELD];
  return typeof given === 'string' && ATTEMPT.test(given) ? given : null;
}

/** The address with an attempt in place of what it may have. @param path within the mode */
export function withAttempt(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams({ ...query, [ATTEMPT_FIELD]: randomToken() })}`;
}

/** Idempotency-Key of what a form asks for: of this user, this attempt and these details. Other details are another wish. */
export function onceKey(userId: UserId, attempt: string, wish: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([userId, attempt, wish]))
    .digest('base64url');
}
