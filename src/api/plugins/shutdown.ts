/** While we stop, requests under way finish and new ones on open connections are sent elsewhere. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../domain/errors.ts';

const RETRY_AFTER_SECONDS = 1;

export function refuseWhileClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', async () => {
    if (!closing) return;
    throw new ApiError('internal_error', {
      status: 503,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      message: 'The service is restarting: send the request again.',
    });
  });
  // A connection kept alive would keep the server from closing until its client lets go.
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}
