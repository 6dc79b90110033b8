/**
 * Shutdown: requests that are being answered finish, new ones on open connections get 503. Node closes slow and silent
 * connections only while it listens; from `close` on this does.
 */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import type { OpenRequests } from './requests.ts';

const RETRY_AFTER_SECONDS = 1;
/** For the rest of a request whose first bytes have come. */
const GRACE_MS = 1_000;
const SWEEP_MS = 100;

/** From `close` on: requests that have come whole are answered, new ones get 503, and half ones a second to end. */
export function refuseWhileClosing(app: FastifyInstance, requests: OpenRequests): void {
  let closing = false;
  app.addHook('onRequest', (_request, _reply, done) => done(closing ? restarting() : undefined));
  // A connection kept alive would keep the server from closing until its client lets go.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', async () => {
    closing = true;
    if (!app.server.listening) return;
    const startedAt = performance.now();
    const sweep = setInterval(() => {
      app.server.closeIdleConnections();
      if (performance.now() - startedAt >= GRACE_MS) closeUnfinished(app.server, requests);
    }, SWEEP_MS);
    app.server.once('close', () => clearInterval(sweep));
  });
}

/** Nothing was done yet for a request that has not come to its end. */
function closeUnfinished(server: FastifyInstance['server'], { replies }: OpenRequests): void {
  for (const reply of replies) {
    if (!reply.request.raw.complete && !reply.request.isAnswerMade) reply.send(restarting());
  }
  // What is still open now has sent no request, or not the whole head of one.
  if (replies.size === 0) server.closeAllConnections();
}

function restarting(): ApiError {
  return new ApiError('internal_error', {
    status: 503,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    message: 'The service is restarting. Send the request again.',
  });
}
