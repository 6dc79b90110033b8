/** Every request has an id, in its answer and in its one log line; no answer is kept by a cache. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Log, plainLog } from '../../log.ts';

export function nameRequests(app: FastifyInstance, log: Log): void {
  const lines = plainLog(log);
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    onAbandoned(reply, () =>
      lines.info({ ...factsOf(request, reply), status: null }, 'request abandoned by its client'),
    );
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    lines.info({ ...factsOf(request, reply), status: reply.statusCode }, 'request answered');
    done();
  });
}

function factsOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    request_id: request.id,
    method: request.method,
    // The pattern, not the path: what a client writes there is not ours to keep.
    route: request.routeOptions.url ?? null,
    duration_ms: Math.round(reply.elapsedTime),
  };
}

/**
 * When the client goes before it has the whole answer; `onResponse` does not come then. (Fastify's `onRequestAbort` misses
 * requests with a body: theirs are closed once it is read.) What was begun goes on all the same.
 */
export function onAbandoned({ raw }: FastifyReply, listener: () => void): void {
  raw.once('close', () => {
    if (!raw.writableFinished) listener();
  });
}

/**
 * Sessions carry the way to pay: `no-store`. An answer is data: nothing in it runs, frames, or is framed, should a browser
 * show it. Transport security is the proxy's, which has the certificate.
 */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.headers(COMMON_HEADERS);
}
