/**
 * Every wait of a handler is bounded by itself; this is the net below. Fastify's own (`handlerTimeout`, `request.signal`)
 * lets go as soon as a request's body has been read: since Node 16 the request's `close` comes then, not the client's.
 */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../domain/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** It was answered for its handler, which took too long and may still be at work. */
    isCutOff: boolean;
    handlerTimer: NodeJS.Timeout | null;
  }
}

/** Answers 503 for a handler that has not answered `limitMs` after the request's head was read. */
export function limitHandlers(app: FastifyInstance, limitMs: number): void {
  app.decorateRequest('isCutOff', false);
  app.decorateRequest('handlerTimer', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.handlerTimer = setTimeout(() => {
      request.isCutOff = true;
      reply.send(tookTooLong());
    }, limitMs);
    done();
  });
  // What follows, the keeping of the answer, is bounded by itself; and nothing is answered twice.
  app.addHook('onSend', (request, _reply, payload, done) => {
    clearTimeout(request.handlerTimer ?? undefined);
    done(null, payload);
  });
}

function tookTooLong(): ApiError {
  const message = 'The request took too long; it may still have its effect. Send it again with its Idempotency-Key.';
  return new ApiError('internal_error', { status: 503, retryAfterSeconds: 1, message });
}
