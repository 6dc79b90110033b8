/**
 * Every wait of a handler is bounded by itself; this is the net below. Fastify's own (`handlerTimeout`, `request.signal`)
 * lets go as soon as a request's body has been read: since Node 16 the request's `close` comes then, not the client's.
 */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import type { UnderWay } from './requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** It was answered for its handler, which took too long and may still be at work. */
    isCutOff: boolean;
  }
}

/** How exact the limit is, as a part of it. */
const LOOKS_A_LIMIT = 20;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Answers 503 for a handler that has not answered `limitMs` after the request's head was read, or soon after that. One look
 * at all of them in a while: a timer for each request is work for every request.
 */
export function limitHandlers(app: FastifyInstance, underWay: UnderWay, limitMs: number): void {
  app.decorateRequest('isCutOff', false);
  let looks: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    looks = setInterval(look, Math.min(LONGEST_PAUSE_MS, limitMs / LOOKS_A_LIMIT)).unref();
  });
  app.addHook('onClose', async () => clearInterval(looks));

  function look(): void {
    const overdue = performance.now() - limitMs;
    for (const reply of underWay) {
      // What follows an answer, the keeping of it, is bounded by itself; and nothing is answered twice.
      if (reply.request.startedAt > overdue || reply.request.isAnswerMade) continue;
      reply.request.isCutOff = true;
      reply.send(tookTooLong());
    }
  }
}

function tookTooLong(): ApiError {
  const message = 'The request took too long; it may still have its effect. Send it again with its Idempotency-Key.';
  return new ApiError('internal_error', { status: 503, retryAfterSeconds: 1, message });
}
