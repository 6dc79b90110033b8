/**
 * Time limit for handlers. Every wait of a handler has a limit of its own; this one catches what they miss. (Fastify's
 * own, `handlerTimeout` and `request.signal`, ends once a body has been read: since Node 16 the request is closed
 * then.)
 */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** It was answered with 503 because its handler took too long; the handler may still be running. */
    isTimedOut: boolean;
  }
}

/** Answers 503 for a handler that has not answered `limitMs` after the request's head was read. */
export function limitHandlers(app: FastifyInstance, limitMs: number): void {
  app.decorateRequest('isTimedOut', false);
  app.addHook('onRequest', (request, reply, done) => {
    const timer = setTimeout(() => {
      // What follows an answer, the keeping of it for its Idempotency-Key, has a limit of its own.
      if (request.isAnswerMade) return;
      request.isTimedOut = true;
      reply.send(tookTooLong());
    }, limitMs);
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}

function tookTooLong(): ApiError {
  const message = 'The request took too long and may still take effect. Send it again with the same Idempotency-Key.';
  return new ApiError('internal_error', { status: 503, retryAfterSeconds: 1, message });
}
