/**
 * The attempt of a form that creates something. It is chosen when the page is first opened and kept in the page's URL.
 * If the user goes back or reloads, and submits the same entries again, the object is created only once.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { randomToken, type UserId } from '../../../domain/ids.ts';
import { formOf } from '../sign-in/form-token.ts';

/** The name of the query parameter, and of the hidden field. */
export const ATTEMPT_FIELD = 'attempt';

const ATTEMPT = /^[\w-]{8,64}$/;

/** The attempt in the form or in the page's URL; null if there is no valid one. */
export function attemptOf(request: FastifyRequest): string | null {
  const { method, query } = request;
  const given =
    method === 'POST' ? formOf(request).get(ATTEMPT_FIELD) : (query as Record<string, unknown>)[ATTEMPT_FIELD];
  return typeof given === 'string' && ATTEMPT.test(given) ? given : null;
}

/** The URL with a new attempt, which replaces any earlier one. @param path within the mode */
export function withAttempt(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams({ ...query, [ATTEMPT_FIELD]: randomToken() })}`;
}

/** The idempotency key of a form: it depends on the user, the attempt and the details. */
export function onceKey(userId: UserId, attempt: string, details: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([userId, attempt, details]))
    .digest('base64url');
}
